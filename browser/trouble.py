"""What an answer that is not what it should be says about the account. Pure; one closed table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browser.answers import error_codes
from browser.errors import Voided
from browser.look_facts import VoidReason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from browser.wire import Reading

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
    known = [
        BY_CODE[code] for code in (*codes, BY_STATUS.get(reading.status, "")) if code in BY_CODE
    ]
    if known:
        return Voided(*known[0])
    said = f"{reading.operation} came as status {reading.status}, codes {list(codes)}"
    if is_first:
        return Voided(VoidReason.ERROR_STATE, f"{said}; it is looked at again later")
    return Voided(VoidReason.PARTIAL_LOAD, f"{said} below what was read; it is looked at again")
