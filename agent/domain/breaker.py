"""What stops one account because of the account's own trouble, and what to do about each.

A breaker holds the account's lane: nothing is posted. Those under which a page of the account
shows nothing true, or shows it only to be counted against the limit, stop looks and readings as
well; under the others doubts are still settled. Some close by time, since X's limits end by
themselves; the others only by a person, since only a person can mend them. A person may close
any of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class BreakerKind(StrEnum):
    """What is wrong with the account; each one's row below says the rest."""

    PAUSED = "paused"
    SIGNED_OUT = "signed_out"
    WRONG_ACCOUNT = "wrong_account"
    LOCKED = "locked"
    CHALLENGE = "challenge"
    INTERSTITIAL = "interstitial"
    UNKNOWN_PAGE = "unknown_page"
    AUTOMATION = "automation"
    SUSPENDED = "suspended"
    DAILY_LIMIT = "daily_limit"
    RATE_LIMITED = "rate_limited"
    FOREIGN_AUTHOR = "foreign_author"
    PAYLOAD_ALTERED = "payload_altered"
    VANISHED = "vanished"


@dataclass(frozen=True, kw_only=True)
class BreakerRow:
    """How a kind of breaker closes.

    Attributes:
        lasts_s: it closes by itself after that long; None: only a person closes it.
        next_step: one sentence; `{handle}` stands for the account's.
        stops_reading: neither looks nor readings are made while it is open.
    """

    kind: BreakerKind
    lasts_s: int | None
    next_step: str
    stops_reading: bool


_RESUME: Final = "then run: postproof account resume {handle}"

_ROWS: Final = (
    BreakerRow(
        kind=BreakerKind.PAUSED,
        lasts_s=None,
        next_step="When you want it to post again, run: postproof account resume {handle}",
        stops_reading=False,
    ),
    BreakerRow(
        kind=BreakerKind.SIGNED_OUT,
        lasts_s=None,
        next_step="Run: postproof account login {handle}",
        stops_reading=True,
    ),
    BreakerRow(
        kind=BreakerKind.WRONG_ACCOUNT,
        lasts_s=None,
        next_step="Sign in as @{handle} with: postproof account login {handle}",
        stops_reading=True,
    ),
    BreakerRow(
        kind=BreakerKind.LOCKED,
        lasts_s=None,
        next_step=f"Unlock the account by hand (postproof account login {{handle}}), {_RESUME}",
        stops_reading=True,
    ),
    BreakerRow(
        kind=BreakerKind.CHALLENGE,
        lasts_s=None,
        next_step=f"Answer X's question by hand (postproof account login {{handle}}), {_RESUME}",
        stops_reading=True,
    ),
    BreakerRow(
        kind=BreakerKind.INTERSTITIAL,
        lasts_s=None,
        next_step=f"Answer X's page by hand (postproof account login {{handle}}), {_RESUME}",
        stops_reading=True,
    ),
    BreakerRow(
        kind=BreakerKind.UNKNOWN_PAGE,
        lasts_s=None,
        next_step=f"Look at the screenshot (postproof show), mend what it shows, {_RESUME}",
        stops_reading=True,
    ),
    BreakerRow(
        kind=BreakerKind.AUTOMATION,
        lasts_s=None,
        next_step=f"X takes it for automation: wait a day, post once by hand, {_RESUME}",
        stops_reading=False,
    ),
    BreakerRow(
        kind=BreakerKind.SUSPENDED,
        lasts_s=None,
        next_step=f"Appeal to X; when the account is back, {_RESUME}",
        stops_reading=True,
    ),
    BreakerRow(
        kind=BreakerKind.DAILY_LIMIT,
        lasts_s=86_400,  # Source: x-web-facts §4.3, 344: "stop >= 24 h"
        next_step="Nothing to do: X's daily limit ends by itself within a day",
        stops_reading=False,
    ),
    BreakerRow(
        kind=BreakerKind.RATE_LIMITED,
        lasts_s=900,  # Source: x-web-facts §4.3, X counts reads in windows of 15 minutes
        next_step="Nothing to do: X's rate limit ends by itself within fifteen minutes",
        stops_reading=True,
    ),
    BreakerRow(
        kind=BreakerKind.FOREIGN_AUTHOR,
        lasts_s=None,
        next_step=f"Check which account the session of @{{handle}} posts as, {_RESUME}",
        stops_reading=False,
    ),
    BreakerRow(
        kind=BreakerKind.PAYLOAD_ALTERED,
        lasts_s=None,
        next_step=f"Find out who changed state.db; cancel the job and prepare it anew, {_RESUME}",
        stops_reading=False,
    ),
    BreakerRow(
        kind=BreakerKind.VANISHED,
        lasts_s=None,
        next_step=f"Unless you deleted it, look what X says about the account, {_RESUME}",
        stops_reading=False,
    ),
)

BREAKERS: Final[dict[BreakerKind, BreakerRow]] = {row.kind: row for row in _ROWS}


def next_step(kind: BreakerKind, handle: str) -> str:
    """Return what a person can do about a breaker, in one sentence."""
    return BREAKERS[kind].next_step.format(handle=handle)


def needs_person(kind: BreakerKind) -> bool:
    """Tell whether only a person closes it."""
    return BREAKERS[kind].lasts_s is None


def stops_reading(kind: BreakerKind) -> bool:
    """Tell whether neither looks nor readings are made while it is open."""
    return BREAKERS[kind].stops_reading
