"""Fixtures: a simulated X per editor, a Chromium that takes it for x.com, an account signed in."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.simx.web import site
from tests.simx.web.composer import Composer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Page

    from tests.simx.web.site import SimulatedX

HERE = "tests/simx/web/"
ACTION_TIMEOUT_MS = 10_000
BUILD_TIMEOUT_S = 400
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# pytest-playwright brings session fixtures written as methods, which pytest 9 warns of and our
# settings turn into errors. Can go when its `base_url` fixture is a function again.
PLUGIN_WARNING = (
    "ignore:Session-scoped fixtures defined as instance methods:pytest.PytestRemovedIn10Warning"
)


@functools.cache
def editors() -> tuple[str, ...]:
    """Name the editors to test: the embedded ones, and Draft.js where it can be built."""
    built = subprocess.run(
        [sys.executable, "-m", "simx.draft"],
        check=False,
        capture_output=True,
        timeout=BUILD_TIMEOUT_S,
    )
    return ("plain", "textarea", "draft") if built.returncode == 0 else ("plain", "textarea")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker of this folder."""
    config.addinivalue_line("markers", "editors(*names): the composer's editors to run with")


def pytest_report_header() -> str:
    """Say which editors are tested."""
    return f"simx editors: {', '.join(editors())}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bear the one warning of pytest-playwright in this folder."""
    for item in items:
        if item.nodeid.startswith(HERE):
            item.add_marker(pytest.mark.filterwarnings(PLUGIN_WARNING))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test with the editors its marker names, the hand-written one without a marker."""
    if "simulated_x" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("editors")
        wished = marker.args if marker else ("plain",)
        chosen = [name for name in wished if name in editors()]
        metafunc.parametrize("simulated_x", chosen, indirect=True, scope="session")


@pytest.fixture(scope="session")
def simulated_x(request: pytest.FixtureRequest) -> Iterator[SimulatedX]:
    """Give a running simulated X."""
    running = site.start(request.param)
    yield running
    site.stop(running)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], simulated_x: SimulatedX
) -> dict[str, Any]:
    """Launch the system's Chromium, pointed at the simulated X."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    where = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **where, "args": [*simulated_x.chromium_flags]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Use a desktop window in English."""
    window = {"width": 1366, "height": 900}
    return {**browser_context_args, "viewport": window, "locale": "en-US"}


@pytest.fixture
def x(simulated_x: SimulatedX) -> SimulatedX:
    """Give the simulated X as new: no accounts, posts or faults of other tests."""
    simulated_x.ask("POST", "/reset")
    return simulated_x


@pytest.fixture
def ada(x: SimulatedX) -> dict[str, Any]:
    """Give the account of a writer."""
    account: dict[str, Any] = x.ask("POST", "/accounts", {"handle": "ada", "name": "Ada Writer"})
    return account


@pytest.fixture
def tab(context: BrowserContext, page: Page, ada: dict[str, Any]) -> Iterator[Page]:
    """Give a page signed in as the writer; the test fails when the front-end throws."""
    failures: list[str] = []
    context.add_cookies(ada["cookies"])
    page.set_default_timeout(ACTION_TIMEOUT_MS)
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page
    assert failures == []


@pytest.fixture
def composer(tab: Page) -> Composer:
    """Give the composer's dialog, open and empty."""
    return Composer.open(tab)
