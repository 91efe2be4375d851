"""One account's open browser: its context, its gate, its tabs, and a watch over its life.

Made by `launch.open_profile`. Sending and reading go through `tab`; nothing that could post can
leave but through `gate`. A profile whose gate is dead is used up: close it and open another. No
Playwright type is part of what callers get.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

from playwright.async_api import Error as PlaywrightError

from browser import stored_session
from browser.errors import BrowserDied, Stopped
from browser.gate import GateState
from browser.tab import Tab, edge

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

    from playwright.async_api import BrowserContext, Playwright

    from browser.gate import Gate
    from browser.launch import BrowserSettings
    from browser.policy import BrowserPolicy

Result = TypeVar("Result")

SITE = "https://x.com"
MISSED_PINGS_MAX = 2  # one late sign of life is a busy page, two are a dead one


class Profile:
    """See the head of this module.

    Attributes:
        gate: The valve in front of everything this profile sends.
        policy: The bounds in force.
        settings: How the browser was started.
    """

    def __init__(
        self,
        *,
        playwright: Playwright,
        context: BrowserContext,
        gate: Gate,
        session_file: Path,
        settings: BrowserSettings,
        policy: BrowserPolicy,
    ) -> None:
        self.gate, self.policy, self.settings = gate, policy, settings
        self._playwright, self._context = playwright, context
        self._session_file = session_file
        self._is_closed = False

    @property
    def is_usable(self) -> bool:
        """Whether a job may still be done here."""
        return not self._is_closed and self.gate.state is GateState.OPEN

    @asynccontextmanager
    async def tab(self) -> AsyncIterator[Tab]:
        """A fresh tab; closed afterwards, whatever happened in it."""
        async with edge("opening a tab", within_s=self.policy.launch_s):
            page = await self._context.new_page()
        tab = Tab(page, policy=self.policy)
        try:
            yield tab
        finally:
            with contextlib.suppress(Stopped):
                await tab.close()

    async def user_id(self) -> str | None:
        """The numeric id of the session, from the `twid` cookie; None when signed out."""
        async with edge("reading the session's cookies", within_s=self.policy.evaluate_s):
            cookies = {
                cookie["name"]: cookie["value"] for cookie in await self._context.cookies(SITE)
            }
        if stored_session.SESSION_COOKIE not in cookies:
            return None
        kind, _, user_id = unquote(cookies.get("twid", "")).strip('"').partition("=")
        return user_id if kind == "u" and user_id.isdecimal() else None

    async def restore_session(self) -> None:
        """Puts the kept cookies back when the profile has lost its own."""
        async with edge("restoring the session", within_s=self.policy.evaluate_s):
            cookies = [dict(cookie) for cookie in await self._context.cookies()]
            lost = await asyncio.to_thread(stored_session.missing, self._session_file, cookies)
            if lost:
                await self._context.add_cookies(lost)  # type: ignore[arg-type]  # as they were read

    async def save_session(self) -> None:
        """Keeps a copy of the session's cookies beside the profile."""
        async with edge("saving the session", within_s=self.policy.evaluate_s):
            cookies = [dict(cookie) for cookie in await self._context.cookies()]
        await asyncio.to_thread(stored_session.save, self._session_file, cookies)

    async def supervise(self, tab: Tab, work: Coroutine[object, object, Result]) -> Result:
        """Does work in a tab while asking it for signs of life.

        Raises:
            BrowserDied: The tab gave none; the work was cancelled.
        """
        working = asyncio.ensure_future(work)
        watching = asyncio.create_task(self._watch(tab))
        try:
            await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                await watching
            return await working
        finally:
            for task in (working, watching):
                task.cancel()
            await asyncio.gather(working, watching, return_exceptions=True)

    async def start_trace(self) -> None:
        """Begins a Playwright trace: a debugging option, kept out of ordinary runs."""
        async with edge("starting the trace", within_s=self.policy.action_ms / 1000):
            await self._context.tracing.start(screenshots=True, snapshots=True)

    async def stop_trace(self, path: Path) -> None:
        """Writes the trace to a file."""
        async with edge("writing the trace", within_s=self.policy.launch_s):
            await self._context.tracing.stop(path=path)

    async def shut(self, why: str) -> None:
        """Ends the profile: the gate dies first, then the browser, then the driver."""
        self.gate.kill(why)
        if self._is_closed:
            return
        self._is_closed = True
        try:
            async with asyncio.timeout(self.policy.close_s):
                await self._context.close()
                await self._playwright.stop()
        except (PlaywrightError, TimeoutError):
            await self._kill_driver()
        finally:
            await self.gate.close()

    async def _watch(self, tab: Tab) -> None:
        missed = 0
        while missed < MISSED_PINGS_MAX:
            await asyncio.sleep(self.policy.ping_every_s)
            missed = 0 if await tab.is_alive() else missed + 1
        raise BrowserDied("the tab gives no sign of life; the next attempt starts a new browser")

    async def _kill_driver(self) -> None:
        """Kills our own driver process; the browser at the end of its pipe goes with it."""
        transport = self._playwright._impl_obj._connection  # noqa: SLF001 - no public way
        process = getattr(getattr(transport, "_transport", None), "_proc", None)
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.policy.close_s):
                    await process.wait()
