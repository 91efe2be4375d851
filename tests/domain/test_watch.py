from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent.domain.policy import DEFAULT_POLICY
from agent.domain.watch import (
    AfterReading,
    ReadResult,
    Watching,
    after_reading,
    first_reading_at,
)

OUT = datetime(2026, 11, 30, 12, tzinfo=UTC)
POLICY = DEFAULT_POLICY


def at(seconds: float) -> datetime:
    """Return the instant so many seconds after the confirmation."""
    return OUT + timedelta(seconds=seconds)


def follow(result: ReadResult, seconds: float, **changes: Any) -> AfterReading:  # noqa: ANN401 - any field
    """Return what follows from a reading so many seconds after the confirmation."""
    said: dict[str, Any] = {"confirmed_at": OUT, "is_owed": False, "troubles": 0, "gone": 0}
    return after_reading(result, Watching(**(said | changes)), now=at(seconds), policy=POLICY)


def test_what_is_owed_is_read_first_and_what_is_not_is_watched() -> None:
    """A minute, or ten."""
    assert first_reading_at(OUT, is_owed=True, policy=POLICY) == at(60)
    assert first_reading_at(OUT, is_owed=False, policy=POLICY) == at(600)


EQUAL = {
    "soon: watched in ten minutes": (60, at(600)),
    "then: watched in a day": (600, at(86_400)),
    "late: in a day": (4000, at(86_400)),
    "after a day: left alone": (86_400, None),
}


@pytest.mark.parametrize(("seconds", "read_at"), EQUAL.values(), ids=EQUAL)
def test_an_equal_page_settles_what_is_owed(seconds: float, read_at: datetime | None) -> None:
    """And the watch goes on by its own times."""
    after = follow(ReadResult.EQUAL, seconds, is_owed=True)

    assert after == AfterReading(is_owed=False, read_at=read_at, alarm=None)


def test_another_text_is_an_alarm_at_once() -> None:
    """The page was read: nothing is owed any more."""
    after = follow(ReadResult.DIFFERS, 60, is_owed=True)

    assert after == AfterReading(is_owed=False, read_at=at(600), alarm="differs")


def test_gone_is_believed_at_the_second_time() -> None:
    """Five minutes lie between the two."""
    once = follow(ReadResult.GONE, 600, gone=1)
    twice = follow(ReadResult.GONE, 900, gone=2)

    assert once == AfterReading(is_owed=False, read_at=at(900), alarm=None)
    assert twice == AfterReading(is_owed=False, read_at=None, alarm="vanished")


@pytest.mark.parametrize(
    ("troubles", "wait_s"), [(1, 300), (2, 1800), (3, 7200), (4, 86_400)], ids=str
)
def test_a_page_that_cannot_be_read_is_tried_again_ever_later(troubles: int, wait_s: int) -> None:
    """The reading stays owed."""
    after = follow(ReadResult.TROUBLE, 60, is_owed=True, troubles=troubles)

    assert after == AfterReading(is_owed=True, read_at=at(60 + wait_s), alarm=None)


@pytest.mark.parametrize(
    ("is_owed", "alarm"), [(True, "read_back_unreadable"), (False, None)], ids=["owed", "watched"]
)
def test_at_the_bound_only_what_is_owed_is_an_alarm(*, is_owed: bool, alarm: str | None) -> None:
    """A post that was read once and cannot be watched says nothing."""
    after = follow(ReadResult.TROUBLE, 100_000, is_owed=is_owed, troubles=5)

    assert after == AfterReading(is_owed=is_owed, read_at=None, alarm=alarm)
