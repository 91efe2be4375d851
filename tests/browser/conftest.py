"""The simulated X, once, and a desk on it for each module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.browser.desk import Desk
from tests.simx.clients import started

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.simx.clients import RunningX


@pytest.fixture(scope="session")
def x() -> Iterator[RunningX]:
    """Starts the simulation once."""
    with started() as (_process, running):
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(x: RunningX, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    """A warm browser, and a new account for whoever asks."""
    made = Desk(x=x, folder=tmp_path_factory.mktemp("desk"))
    yield made
    await made.close()


@pytest.fixture(autouse=True)
def _only_own_faults(request: pytest.FixtureRequest) -> Iterator[None]:
    """Pages hydrate at once unless a test wants otherwise, and no fault outlives its test."""
    if "desk" not in request.fixturenames:
        yield
        return
    running = request.getfixturevalue("x")
    running.fault("hydration_ms", ms=0)
    yield
    running.control("DELETE", "/faults")
