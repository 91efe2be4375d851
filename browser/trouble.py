"""Why a look, or the reading of one post, is void: whatever went wrong, said by one closed list.

A table for X's answers, one for the stops that reading shares with sending, and the last word to
the page itself, which may show by now what a mere time-out hid.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from browser.answers import error_codes
from browser.errors import Stopped, TimedOut, UnknownPage, Voided
from browser.look_facts import Void, VoidReason
from browser.pages.page import TROUBLE, look

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    from browser.profile import Profile
    from browser.tab import Tab
    from browser.wire import Reading

Result = TypeVar("Result")

BY_CODE: Mapping[str, tuple[VoidReason, str]] = {
    "88": (VoidReason.RATE_LIMITED, "X limits how often it is read; wait 15 minutes"),
    "32": (VoidReason.SIGNED_OUT, "the session is over; run `postproof account login`"),
    "89": (VoidReason.SIGNED_OUT, "the session is over; run `postproof account login`"),
    "326": (VoidReason.LOCKED, "X has locked the account; open x.com and follow what it asks"),
    "64": (VoidReason.SUSPENDED, "X has suspended the account; open x.com and see what it says"),
}
"""X's codes that are about the account. Source: x-web-facts §4.3, seen 2026-06."""

BY_STATUS: Mapping[int, str] = {429: "88", 401: "32"}
"""Statuses that mean the same as a code."""


def trouble_of(reading: Reading, *, is_first: bool) -> Voided:
    """Says why an answer is of no use.

    Args:
        reading: An answer without what was asked for.
        is_first: Whether nothing came before it.
    """
    codes = error_codes(reading.body)
    for code in (*codes, BY_STATUS.get(reading.status, "")):
        if code in BY_CODE:
            return Voided(*BY_CODE[code])
    said = f"{reading.operation} came as status {reading.status}, codes {list(codes)}"
    if is_first:
        return Voided(VoidReason.ERROR_STATE, f"{said}; it is looked at again later")
    return Voided(VoidReason.PARTIAL_LOAD, f"{said} below what was read; it is looked at again")


async def void_of(work: Awaitable[None], *, within_s: float) -> Void | None:
    """Does work within its bound; returns why it is void, or None when it was done."""
    try:
        async with asyncio.timeout(within_s):
            await work
    except Voided as voided:
        return voided.void
    except Stopped as stopped:
        return Void(reason=_reason(stopped), detail=stopped.detail)
    except TimeoutError:
        return Void(
            reason=VoidReason.TIMED_OUT,
            detail=f"not done within {within_s:.0f} s; it is looked at again later",
        )
    except Exception as error:  # noqa: BLE001 - a surprise makes a look void like any other
        return Void(
            reason=VoidReason.UNKNOWN_PAGE,
            detail=f"{type(error).__name__}: {error}; this is a fault of the program, report it",
        )
    return None


async def as_seen(void: Void | None, *, profile: Profile, was_signed_in: bool) -> Void | None:
    """Tells a session that the browser lost from one that X ended.

    Chromium's network process keeps young cookies in its memory; killed, it loses them. A fresh
    browser gets them back from the copy, and if X did end the session, says so at its start.
    """
    if void is None or void.reason is not VoidReason.SIGNED_OUT or not was_signed_in:
        return void
    with suppress(Stopped):
        if await profile.user_id() is None:
            return Void(
                reason=VoidReason.BROWSER_DIED,
                detail="the browser lost its session; the next look starts a new browser",
            )
    return void


async def named(tab: Tab, work: Awaitable[Result]) -> Result:
    """Does work in a tab; what stopped it vaguely is named by what the page shows now.

    Raises:
        Stopped: As the work did, or with the page's own trouble.
    """
    try:
        return await work
    except (UnknownPage, TimedOut) as stopped:
        seen = await look(tab)
        if seen is not None and seen.state in TROUBLE:
            raise Stopped(*TROUBLE[seen.state]) from stopped
        raise


def _reason(stopped: Stopped) -> VoidReason:
    known = {reason.value: reason for reason in VoidReason}
    return known.get(stopped.code.value, VoidReason.UNKNOWN_PAGE)
