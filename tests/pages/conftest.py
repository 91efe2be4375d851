"""A browser that shows saved pages at their addresses, without scripts and without network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio
from playwright.async_api import async_playwright

from browser.install import find_browser
from browser.policy import BrowserPolicy
from browser.tab import Tab

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Page, Route

    from tests.pages.saved_cases import SavedCase


class Shelf:
    """Shows saved pages, one after the other."""

    def __init__(self, page: Page) -> None:
        self.tab = Tab(page, policy=BrowserPolicy())
        self._page = page

    async def show(self, case: SavedCase) -> Tab:
        """Opens a saved page at its own address."""

        async def answer(route: Route) -> None:
            if route.request.is_navigation_request() and not route.request.frame.parent_frame:
                await route.fulfill(content_type="text/html; charset=utf-8", body=case.html)
            else:
                await route.abort()

        await self._page.unroute_all()
        await self._page.route("**/*", answer)
        await self.tab.goto(case.meta["address"])
        await self._page.wait_for_load_state("domcontentloaded")
        return self.tab


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shelf() -> AsyncIterator[Shelf]:
    """One browser for the saved pages of a module."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser(None))
        context = await browser.new_context(
            java_script_enabled=False, viewport={"width": 1366, "height": 900}
        )
        yield Shelf(await context.new_page())
        await browser.close()
