"""One tab of the browser: Playwright's page with a bound on everything.

The pages, the readers and the captures speak to a `Tab`; Playwright's types stay in here, in
`wire` and in `profile`. Each call names what it is doing, ends within its bound and raises only
errors of our tree. `evaluate`, `title` and `content` have no bound of their own in Playwright.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

from browser.errors import mapped
from browser.scripts import PRESENT
from browser.wire import Wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import JSHandle, Page

    from browser.policy import BrowserPolicy
    from browser.scripts import Script
    from browser.selectors import Selector

MARGIN_PX = (8, 450)  # left of everything of X's at our width, half way down
SPARE_S = 2.0  # our own bound lies this far behind Playwright's, which tells more


@asynccontextmanager
async def edge(doing: str, *, within_s: float) -> AsyncIterator[None]:
    """Where Playwright's errors become ours, and where every call gets its bound."""
    try:
        async with asyncio.timeout(within_s):
            yield
    except (PlaywrightError, TimeoutError) as error:
        raise mapped(error, doing=doing) from error


class Tab:
    """See the head of this module. Made by `Profile.tab`."""

    def __init__(self, page: Page, *, policy: BrowserPolicy) -> None:
        self._page = page
        self.policy = policy

    @property
    def url(self) -> str:
        """The address as the browser knows it, without asking the page."""
        return self._page.url

    def wire(self) -> Wire:
        """A watcher of this tab's requests and answers; active inside `with`."""
        return Wire(self._page)

    async def take_answers(self, wire: Wire) -> None:
        """Lets a watcher take the answers to posting requests at the wire."""
        async with edge("watching for the answer", within_s=self.policy.evaluate_s):
            await wire.take_answers()

    async def goto(self, url: str) -> None:
        """Goes to an address; returns at the first byte of the answer.

        Raises:
            Offline: The network did not give the page; this tab is not to be used again.
        """
        bound_ms = self.policy.load_ms
        async with edge(f"opening {url}", within_s=bound_ms / 1000 + SPARE_S):
            await self._page.goto(url, wait_until="commit", timeout=bound_ms)

    async def run(self, script: Script, argument: object = None) -> Any:  # noqa: ANN401 - JSON
        """Runs a reading script in the page; returns its JSON value."""
        async with edge(script.name, within_s=self.policy.evaluate_s):
            return await self._page.evaluate(script.source, argument)

    async def until(
        self, script: Script, argument: object = None, *, within_ms: float, doing: str
    ) -> Any:  # noqa: ANN401 - JSON
        """Waits until a script returns something true; returns that.

        Raises:
            TimedOut: It did not within the bound.
        """
        async with edge(doing, within_s=within_ms / 1000 + SPARE_S):
            handle = await self._page.wait_for_function(
                script.source, arg=argument, timeout=within_ms
            )
            return await handle.json_value()

    async def start(self, script: Script, argument: object = None) -> JSHandle:
        """Starts a script whose result lives on in the page; for this package's watchers."""
        async with edge(script.name, within_s=self.policy.evaluate_s):
            return await self._page.evaluate_handle(script.source, argument)

    async def way(self, selector: Selector) -> str | None:
        """The first of a selector's ways that finds something visible now, or None."""
        found = await self.run(PRESENT, [selector.ways])
        return None if found is None else str(found["css"])

    async def first_of(self, *selectors: Selector, within_ms: float) -> tuple[Selector, str]:
        """Waits until one of several things is visible; returns it and the way that found it.

        Raises:
            TimedOut: None of them was.
        """
        doing = "waiting for " + " or ".join(selector.name for selector in selectors)
        ways = [selector.ways for selector in selectors]
        found = await self.until(PRESENT, ways, within_ms=within_ms, doing=doing)
        return selectors[found["which"]], str(found["css"])

    async def click(self, css: str, *, is_trial: bool) -> None:
        """Clicks the one element, with a real mouse; a trial only checks that it could.

        Raises:
            TimedOut: Missing, covered or disabled; nothing was clicked.
        """
        bound_ms = self.policy.action_ms
        async with edge(f"clicking {css}", within_s=bound_ms / 1000 + SPARE_S):
            await self._page.locator(css).click(timeout=bound_ms, trial=is_trial)

    async def fill(self, css: str, text: str) -> None:
        """Puts text into an empty field in one call."""
        bound_ms = self.policy.action_ms
        async with edge(f"filling {css}", within_s=bound_ms / 1000 + SPARE_S):
            await self._page.locator(css).fill(text, timeout=bound_ms)

    async def press(self, key: str) -> None:
        """Presses one key or chord where the focus is."""
        async with edge(f"pressing {key}", within_s=self.policy.evaluate_s):
            await self._page.keyboard.press(key)

    async def wheel(self, down_px: float) -> None:
        """Turns the mouse wheel over the page's margin, where no pointer opens anything."""
        async with edge("turning the wheel", within_s=self.policy.evaluate_s):
            await self._page.mouse.move(*MARGIN_PX)
            await self._page.mouse.wheel(0, down_px)

    async def insert(self, text: str) -> None:
        """Puts text in at the caret in one call, as an input method does."""
        async with edge("inserting the text", within_s=self.policy.evaluate_s):
            await self._page.keyboard.insert_text(text)

    async def screenshot(self, css: str | None) -> bytes:
        """A JPEG of the first element that fits, or of the window.

        X fades posts in; the picture shows the end of that. The caret is left as it is: hiding it
        would put a style into X's page.
        """
        bound_s = self.policy.screenshot_s
        async with edge(f"taking a picture of {css or 'the window'}", within_s=bound_s + SPARE_S):
            thing = self._page if css is None else self._page.locator(css).first
            return await thing.screenshot(
                type="jpeg",
                quality=80,
                timeout=bound_s * 1000,
                caret="initial",
                animations="disabled",
            )

    async def is_alive(self) -> bool:
        """Whether the page still answers; neither a dead driver nor a hung page tells by itself."""
        try:
            async with asyncio.timeout(self.policy.ping_timeout_s):
                await self._page.evaluate("1")
        except TimeoutError:
            return False
        except PlaywrightError as error:
            return "Execution context was destroyed" in error.message  # it is navigating
        return True

    async def pause(self) -> None:
        """Opens Playwright's inspector and waits for the person at it: the one wait unbounded."""
        await self._page.pause()

    async def close(self) -> None:
        """Closes the tab; a tab that is gone already is closed."""
        async with edge("closing the tab", within_s=self.policy.close_s):
            await self._page.close()
