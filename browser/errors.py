"""What can go wrong in a browser, as one tree.

    BrowserError                     everything this package raises on purpose
    ├── GateRefused                  the gate was asked for a change that is not legal
    ├── Unreadable                   a saved file is neither a page nor an answer
    ├── Voided                       a look, or the reading of a post, is void; carries a `Void`
    └── Stopped                      an attempt or a reading ends here; carries a `StopCode`
        ├── BrowserMissing           no browser can be started on this machine
        ├── ProfileBusy              another process holds the profile
        ├── BrowserDied              browser, renderer or Playwright's driver is gone or hangs
        ├── TimedOut                 a named condition did not come true within its bound
        ├── Offline                  the network refused, reset or could not be reached
        └── UnknownPage              the page is not what it should be

Playwright's own classes are mapped by one table, at one edge (`mapped`). The class of an error
never decides whether a post left: only the phase does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from browser.facts import Stop, StopCode
from browser.look_facts import Void, VoidReason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from playwright.async_api import Error as PlaywrightError


class BrowserError(Exception):
    """Everything this package raises on purpose."""


class GateRefused(BrowserError):  # noqa: N818 - named for what was signalled
    """The gate was asked for a change of state that is not legal; nothing was let through."""


class Unreadable(BrowserError):  # noqa: N818 - named for what was signalled
    """A saved file is neither a page nor an answer of X's."""


class Voided(BrowserError):  # noqa: N818 - named for what was signalled
    """A look, or the reading of a post, says nothing.

    Args:
        reason: Why, from the closed list.
        detail: What was seen; ends with what a person can do next.
    """

    def __init__(self, reason: VoidReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.void = Void(reason=reason, detail=detail)


class Stopped(BrowserError):  # noqa: N818 - named for what was signalled
    """An attempt or a reading ends here.

    Args:
        code: Why, from the closed list.
        detail: What was seen; ends with what a person can do next.
    """

    def __init__(self, code: StopCode, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail

    @property
    def stop(self) -> Stop:
        """The same, as the fact that goes into a report."""
        return Stop(code=self.code, detail=self.detail)


class BrowserMissing(Stopped):
    """No browser can be started on this machine."""

    def __init__(self, detail: str) -> None:
        super().__init__(StopCode.BROWSER_MISSING, detail)


class ProfileBusy(Stopped):
    """Another process holds the profile."""

    def __init__(self, detail: str) -> None:
        super().__init__(StopCode.BROWSER_BUSY, detail)


class BrowserDied(Stopped):
    """Browser, renderer or Playwright's driver is gone, or answers no more."""

    def __init__(self, detail: str) -> None:
        super().__init__(StopCode.BROWSER_DIED, detail)


class TimedOut(Stopped):
    """A named condition did not come true within its bound."""

    def __init__(self, detail: str) -> None:
        super().__init__(StopCode.TIMED_OUT, detail)


class Offline(Stopped):
    """The network refused, reset or could not be reached."""

    def __init__(self, detail: str) -> None:
        super().__init__(StopCode.OFFLINE, detail)


class UnknownPage(Stopped):
    """The page is not what it should be."""

    def __init__(self, detail: str) -> None:
        super().__init__(StopCode.UNKNOWN_PAGE, detail)


def _by_words(detail: str) -> Stopped:
    """Tells Playwright's one `Error` class apart by the browser's own words in it."""
    if "net::ERR_" in detail:
        return Offline(f"{detail}; check the connection")
    if any(words in detail for words in _BUSY_WORDS):
        return ProfileBusy(f"{detail}; close the other browser on this profile")
    if any(words in detail for words in _DEAD_WORDS):
        return BrowserDied(f"{detail}; the next attempt starts a new browser")
    if any(words in detail for words in _MISSING_WORDS):
        return BrowserMissing(f"{detail}; run `python -m browser.install`")
    return UnknownPage(f"{detail}; look at the page by hand")


def _closed(detail: str) -> Stopped:
    return BrowserDied(f"{detail}; the next attempt starts a new browser")


def _timed_out(detail: str) -> Stopped:
    return TimedOut(f"{detail}; look at the page by hand")


_DEAD_WORDS = ("crashed", "has been closed", "Connection closed", "Browser closed")
_BUSY_WORDS = ("ProcessSingleton", "already in use")
_MISSING_WORDS = ("Executable doesn't exist", "executable doesn't exist", "is not found at")

FOREIGN: Mapping[str, Callable[[str], Stopped]] = {
    "TargetClosedError": _closed,
    "TimeoutError": _timed_out,
    "Error": _by_words,
}
"""Playwright's error classes by name (`TargetClosedError` is not exported) to ours.

Source: playwright 1.65 `_impl/_errors.py`, browser-facts §1, seen 2026-11-30.
"""


def mapped(error: PlaywrightError | TimeoutError, *, doing: str) -> Stopped:
    """Turns an error of Playwright or of `asyncio.timeout` into one of ours.

    Args:
        error: What was raised.
        doing: What was being done, in words, for the message.
    """
    if isinstance(error, TimeoutError):
        return BrowserDied(f"{doing}: no answer in time; the next attempt starts a new browser")
    first_line = error.message.splitlines()[0] if error.message else type(error).__name__
    return FOREIGN.get(type(error).__name__, _by_words)(f"{doing}: {first_line}")
