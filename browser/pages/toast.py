"""Toasts that appear from now on. Started before the click, so that none is missed.

A toast lives six seconds, may be in any language, and may be about something else: only one whose
link is a post of our own handle says anything, and even that is evidence beside the answer.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from playwright.async_api import Error as PlaywrightError

from browser import selectors
from browser.bell import Bell
from browser.facts import ToastFacts
from browser.scripts import TOAST

if TYPE_CHECKING:
    from playwright.async_api import JSHandle

    from browser.tab import Tab

PERMALINK = re.compile(r"^(?:https://x\.com)?/(\w+)/status/(\d+)")
TOASTS_MAX = 50  # more than that is a page gone wild


class ToastWatch:
    """Watches a tab for toasts inside `async with`.

    Args:
        tab: Where.
        handle: Whose links count as ours.

    Attributes:
        tab: The same.
        news: Rings at each toast.
    """

    def __init__(self, tab: Tab, *, handle: str) -> None:
        self.tab, self._handle = tab, handle
        self._seen: list[ToastFacts] = []
        self.news = Bell()
        self._ours = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        watch = await self.tab.start(TOAST, {"ways": selectors.TOAST.ways})
        self._task = asyncio.create_task(self._listen(watch))
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    @property
    def ours(self) -> ToastFacts | None:
        """The first toast whose link is a post of our handle."""
        return next((toast for toast in self._seen if self._is_ours(toast)), None)

    @property
    def last(self) -> ToastFacts | None:
        """The newest toast, whatever it says."""
        return self._seen[-1] if self._seen else None

    async def until_ours(self) -> None:
        """Waits for a toast of ours; the caller bounds it."""
        await self._ours.wait()

    async def _listen(self, watch: JSHandle) -> None:
        with suppress(PlaywrightError):  # the page went away, and its toasts with it
            while len(self._seen) < TOASTS_MAX:
                toasts = await watch.evaluate(
                    "(watch, count) => watch.next(count)", len(self._seen)
                )
                self._seen.extend(_toast(raw) for raw in toasts[len(self._seen) :])
                self.news.ring()
                if self.ours is not None:
                    self._ours.set()

    def _is_ours(self, toast: ToastFacts) -> bool:
        return toast.handle is not None and toast.handle.lower() == self._handle.lower()


def _toast(raw: dict[str, str | None]) -> ToastFacts:
    found = PERMALINK.match(raw["href"] or "")
    return ToastFacts(
        text=raw["text"] or "",
        href=raw["href"],
        handle=found.group(1) if found else None,
        post_id=found.group(2) if found else None,
    )
