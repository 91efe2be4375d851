"""The gate's promise, with a real Chromium (the full browser, in its new headless mode).

With the gate armed nothing that a page can do, and nothing that can happen to it, brings one byte
of a posting request to the site; after the release exactly one request arrives, also when the
server resets the connection. The controls show that this harness would see a leak.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from browser.gate import Gate, GateState
from browser.install import find_browser
from browser.launch import FLAGS
from tests.browser.recording_site import PIN_FLAG, WAYS, RecordingSite, recording_site
from tests.browser.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from playwright.async_api import Browser, Page

pytestmark = pytest.mark.asyncio(loop_scope="module")

H1, H2 = ("http/1.1",), ("h2", "http/1.1")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A page of the recording site behind a gate of its own."""

    page: Page
    gate: Gate
    site: RecordingSite

    async def click_and_wait_until_held(self, way: str) -> None:
        """Arms the gate, clicks, and waits until bytes of the page wait in it."""
        self.gate.arm()
        await self.page.click(f"#{way}")
        await until(lambda: self.gate.facts.held_bytes)

    async def is_over(self) -> None:
        """Ends browser side and gate, and lets the site read all that had reached it."""
        await self.page.context.close()
        await self.gate.close()
        await self.site.is_quiet()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for all trials; each trial has a context of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(None), args=[*FLAGS, PIN_FLAG]
        )
        yield browser
        await browser.close()


@asynccontextmanager
async def trial(chromium: Browser, protocols: tuple[str, ...] = H2) -> AsyncIterator[Trial]:
    """A site, a gate before it, and the site's page opened through the gate."""
    async with recording_site(protocols=protocols) as site:
        gate = Gate(hosts={"x.com": f"127.0.0.1:{site.port}", "*": "refuse"})
        context = await chromium.new_context(
            proxy={"server": await gate.start()},
            service_workers="block",
        )
        try:
            page = await context.new_page()
            await page.goto("https://x.com/")
            yield Trial(page=page, gate=gate, site=site)
        finally:
            await context.close()
            await gate.close()


async def _page_close(trial: Trial) -> None:
    await trial.page.close()


async def _page_close_with_unload_handlers(trial: Trial) -> None:
    await trial.page.close(run_before_unload=True)


async def _context_close(trial: Trial) -> None:
    await trial.page.context.close()


async def _unroute(trial: Trial) -> None:
    await trial.page.context.unroute_all()


async def _navigation(trial: Trial) -> None:
    await trial.page.evaluate("location.href = 'about:blank'")


async def _reload(trial: Trial) -> None:
    await trial.page.evaluate("location.reload()")


async def _renderer_crash(trial: Trial) -> None:
    session = await trial.page.context.new_cdp_session(trial.page)
    crash = asyncio.ensure_future(session.send("Page.crash"))
    await trial.page.wait_for_event("crash")
    crash.cancel()


async def _going_offline(trial: Trial) -> None:
    await trial.page.context.set_offline(True)


async def _gate_kill(trial: Trial) -> None:
    trial.gate.kill("another request than ours")


ENDINGS = (
    _page_close,
    _page_close_with_unload_handlers,
    _context_close,
    _unroute,
    _navigation,
    _reload,
    _renderer_crash,
    _going_offline,
    _gate_kill,
)


def _name(value: object) -> str:
    return getattr(value, "__name__", str(value)).strip("_")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ending", [_page_close, _context_close], ids=_name)
async def test_row_17_no_way_of_posting_passes_an_armed_gate(
    chromium: Browser, way: str, ending: Callable[[Trial], Awaitable[None]]
) -> None:
    """Whatever the page posts with, the site sees not even the first byte of it."""
    async with trial(chromium) as held:
        await held.click_and_wait_until_held(way)

        await ending(held)
        await held.is_over()

        assert held.site.posts == []


@pytest.mark.parametrize("protocols", [H1, H2], ids=["h1", "h2"])
@pytest.mark.parametrize("ending", ENDINGS, ids=_name)
async def test_row_17_nothing_that_happens_to_the_page_lets_a_held_post_out(
    chromium: Browser, ending: Callable[[Trial], Awaitable[None]], protocols: tuple[str, ...]
) -> None:
    """Closing, navigating, reloading, crashing: the request that waits never arrives."""
    async with trial(chromium, protocols) as held:
        await held.click_and_wait_until_held("keepalive")

        await ending(held)
        await held.is_over()

        assert held.site.posts == []


@pytest.mark.parametrize("protocols", [H1, H2], ids=["h1", "h2"])
@pytest.mark.parametrize("way", WAYS)
async def test_after_the_release_the_post_arrives_once(
    chromium: Browser, way: str, protocols: tuple[str, ...]
) -> None:
    """The release lets out what waited, whole and once."""
    async with trial(chromium, protocols) as held:
        await held.click_and_wait_until_held(way)

        held.gate.release()
        await held.site.has_post()
        await held.is_over()

        assert len(held.site.posts) == len(set(held.site.posts))
        assert held.site.posts[0] == ("/redirect" if way == "redirect" else "/post")


FAULTS = [
    *((H1, fault) for fault in ("close", "reset")),
    *((H2, fault) for fault in ("close", "reset", "goaway", "goaway-and-stay")),
]
FAULT_IDS = [f"{protocols[0].replace('http/1.1', 'h1')}-{fault}" for protocols, fault in FAULTS]


@pytest.mark.parametrize(("protocols", "fault"), FAULTS, ids=FAULT_IDS)
async def test_row_35_a_connection_lost_after_the_post_was_read_brings_no_second_post(
    chromium: Browser, protocols: tuple[str, ...], fault: str
) -> None:
    """The browser's own resend cannot leave: the fuse is faster."""
    async with trial(chromium, protocols) as held:
        held.site.ending = fault
        await held.click_and_wait_until_held("fetch")

        async with held.page.expect_event("requestfailed"):
            held.gate.release()
        await held.is_over()

        assert (held.site.posts, held.gate.state) == (["/post"], GateState.DEAD)
        assert held.gate.facts.is_fuse_blown


@pytest.mark.parametrize(("protocols", "fault"), FAULTS, ids=FAULT_IDS)
async def test_control_without_the_fuse_the_browser_posts_twice(
    chromium: Browser, protocols: tuple[str, ...], fault: str
) -> None:
    """The same fault with an open gate: this harness sees the second post."""
    async with trial(chromium, protocols) as control:
        control.site.ending = fault

        await control.page.click("#fetch")
        await until(lambda: len(control.site.posts) >= 2)

        assert control.site.posts[:2] == ["/post", "/post"]


@pytest.mark.parametrize("way", WAYS)
async def test_control_without_arming_every_way_posts(chromium: Browser, way: str) -> None:
    """The same clicks with an open gate: this harness sees the post arrive."""
    async with trial(chromium) as control:
        await control.page.click(f"#{way}")
        await control.site.has_post()

        assert control.site.posts[0] in {"/post", "/redirect"}
