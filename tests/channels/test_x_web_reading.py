"""What of a look and of a post's page the ledger is told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agent.channels.x_web_reading import page_sight_of, sight_of
from agent.domain.breaker import BreakerKind
from browser.look_facts import (
    LookEnd,
    LookReport,
    PostReading,
    PostState,
    TabReading,
    Void,
    VoidReason,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
OWN_TROUBLE = {
    VoidReason.SIGNED_OUT: BreakerKind.SIGNED_OUT,
    VoidReason.WRONG_ACCOUNT: BreakerKind.WRONG_ACCOUNT,
    VoidReason.LOCKED: BreakerKind.LOCKED,
    VoidReason.CHALLENGE: BreakerKind.CHALLENGE,
    VoidReason.SUSPENDED: BreakerKind.SUSPENDED,
    VoidReason.INTERSTITIAL: BreakerKind.INTERSTITIAL,
    VoidReason.RATE_LIMITED: BreakerKind.RATE_LIMITED,
    VoidReason.UNKNOWN_PAGE: BreakerKind.UNKNOWN_PAGE,
}


def report(*tabs: TabReading, **changes: Any) -> LookReport:  # noqa: ANN401 - any field
    """A healthy look without posts, with changes."""
    parts: dict[str, Any] = {
        "end": LookEnd.READ,
        "void": None,
        "identity": None,
        "since_id": "1",
        "posts": (),
        "shown": (),
        "candidate_ids": (),
        "tabs": tabs,
        "disagreements": (),
        "captures": (),
        "page_loads": 1,
        "started_at": NOW,
        "ended_at": NOW,
    }
    return LookReport(**(parts | changes))


def tab(oldest_id: str | None, *, has_ended: bool = False) -> TabReading:
    """One tab that was read back to an id."""
    return TabReading(
        name="posts",
        answers=1,
        scrolls=0,
        newest_id=oldest_id,
        oldest_id=oldest_id,
        reaches_start=not has_ended,
        has_ended=has_ended,
        unreadable=(),
    )


@pytest.mark.parametrize("reason", VoidReason)
def test_only_the_accounts_own_trouble_opens_a_breaker(reason: VoidReason) -> None:
    """Row 50: each reason of the closed list, and what it shows the account to suffer."""
    void = Void(reason=reason, detail="as seen")

    sight = sight_of(report(end=LookEnd.VOID, void=void))

    assert sight.trouble is not None
    assert (sight.trouble.code, sight.trouble.breaker) == (reason.value, OWN_TROUBLE.get(reason))


REACHED = {
    "by number, not by text": ((tab("900"), tab("1000")), "1000"),
    "one tab without a post": ((tab("900"), tab(None)), None),
    "no tab": ((), None),
}


@pytest.mark.parametrize("case", REACHED)
def test_a_look_reaches_as_far_back_as_the_tab_read_the_least_far(case: str) -> None:
    """What only one tab reached was not read."""
    tabs, reached_id = REACHED[case]

    sight = sight_of(report(*tabs))

    assert sight.reached_id == reached_id


def test_the_end_is_reached_when_each_tab_has_ended() -> None:
    """One that has more below, or none at all, is no end."""
    ended, open_one = tab("900", has_ended=True), tab("900")

    reached = [
        sight_of(report(*tabs)).has_reached_end for tabs in ((ended, ended), (ended, open_one), ())
    ]

    assert reached == [True, False, False]


def test_a_page_in_trouble_is_neither_a_post_nor_gone() -> None:
    """The reason and the sentence come through."""
    void = Void(reason=VoidReason.DISAGREEMENT, detail="look at it by hand")
    reading = PostReading(
        permalink="https://x.com/w/status/1",
        state=PostState.TROUBLE,
        post=None,
        shown=None,
        gone=None,
        void=void,
        captures=(),
    )

    page = page_sight_of(reading)

    assert (page.post, page.gone) == (None, None)
    assert page.trouble is not None
    assert (page.trouble.code, page.trouble.breaker) == ("disagreement", None)
