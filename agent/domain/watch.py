"""What follows from reading a confirmed post again: because it is owed, or to see that it stays.

Pure. Nothing here moves a job: what was confirmed stays confirmed, and nothing is ever sent
because of a reading. A post that is gone or says something else becomes an alarm for a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, assert_never

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from agent.domain.breaker import BreakerKind
    from agent.domain.policy import Policy

GONE_READINGS_MIN: Final = 2  # one may be a page's bad moment
UNREADABLE: Final = "read_back_unreadable"
DIFFERS: Final = "differs"
VANISHED: Final = "vanished"


class ReadPurpose(StrEnum):
    """Why a confirmed post is read.

    Attributes:
        READ_BACK: it was confirmed by the answer's id, and its own page was not read yet.
        WATCH: to see that it is still there.
    """

    READ_BACK = "read_back"
    WATCH = "watch"


class ReadResult(StrEnum):
    """What its page says.

    Attributes:
        EQUAL: author, text and link are those that were frozen.
        DIFFERS: the post is there and says something else.
        GONE: X says that there is no such post, or shows a tombstone.
        TROUBLE: the page could not be read; it says nothing.
    """

    EQUAL = "equal"
    DIFFERS = "differs"
    GONE = "gone"
    TROUBLE = "trouble"


@dataclass(frozen=True, kw_only=True)
class ReadSeen:
    """What a reading saw: `code` a short word, `why` a sentence for a person.

    `breaker` is the account's trouble that it shows; `facts` are kept for the record.
    """

    result: ReadResult
    code: str
    why: str
    breaker: BreakerKind | None
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Watching:
    """How far the readings of a post have come; the one just made is counted.

    `troubles` and `gone` count the readings in a row that ended so.
    """

    confirmed_at: datetime
    is_owed: bool
    troubles: int
    gone: int


@dataclass(frozen=True, kw_only=True)
class AfterReading:
    """What follows: is a reading still owed, when is the next, and what must a person know."""

    is_owed: bool
    read_at: datetime | None
    alarm: str | None


def first_reading_at(confirmed_at: datetime, *, is_owed: bool, policy: Policy) -> datetime | None:
    """Return when a post that was confirmed is read first; None: never."""
    if is_owed:
        return confirmed_at + timedelta(seconds=policy.read_back_after_s[0])
    return _next_watch(confirmed_at, confirmed_at, policy)


def after_reading(
    result: ReadResult, watching: Watching, *, now: datetime, policy: Policy
) -> AfterReading:
    """Return what follows from a reading."""
    watch_at = _next_watch(watching.confirmed_at, now, policy)
    match result:
        case ReadResult.EQUAL:
            return AfterReading(is_owed=False, read_at=watch_at, alarm=None)
        case ReadResult.DIFFERS:
            return AfterReading(is_owed=False, read_at=watch_at, alarm=DIFFERS)
        case ReadResult.GONE if watching.gone >= GONE_READINGS_MIN:
            return AfterReading(is_owed=False, read_at=None, alarm=VANISHED)
        case ReadResult.GONE:
            again_at = now + timedelta(seconds=policy.read_again_s)
            return AfterReading(is_owed=watching.is_owed, read_at=again_at, alarm=None)
        case ReadResult.TROUBLE:
            return _after_trouble(watching, watch_at, now, policy)
        case _:
            assert_never(result)


def _after_trouble(
    watching: Watching, watch_at: datetime | None, now: datetime, policy: Policy
) -> AfterReading:
    waits = policy.read_back_after_s
    if watching.troubles < len(waits):
        again_at = now + timedelta(seconds=waits[watching.troubles])
        return AfterReading(is_owed=watching.is_owed, read_at=again_at, alarm=None)
    alarm = UNREADABLE if watching.is_owed else None
    return AfterReading(is_owed=watching.is_owed, read_at=watch_at, alarm=alarm)


def _next_watch(confirmed_at: datetime, now: datetime, policy: Policy) -> datetime | None:
    times = (confirmed_at + timedelta(seconds=one) for one in policy.watch_after_s)
    return min((at for at in times if at > now), default=None)
