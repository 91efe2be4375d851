from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agent.domain.decisions import PermalinkChecked, refusal_of_post, window_start
from agent.domain.ids import PostId, UserId
from agent.domain.matching.terms import AttemptTimes
from agent.domain.policy import DEFAULT_POLICY
from agent.domain.snowflake import floor_id

CLICK = datetime(2026, 11, 30, 12, tzinfo=UTC)
POST = floor_id(CLICK)
TRIED = AttemptTimes(clicked_at=CLICK, released_at=CLICK, baseline_id=PostId("1"))

ADDRESSES = {
    "as X writes it": (f"https://x.com/Writer/status/{POST}", True),
    "the handle changed": (f"https://x.com/Someone/status/{POST}", True),
    "with a query": (f"https://x.com/Writer/status/{POST}?s=20", True),
    "the old name": (f"https://twitter.com/Writer/status/{POST}", True),
    "without TLS": (f"http://x.com/Writer/status/{POST}", False),
    "another site": (f"https://x.com.example/Writer/status/{POST}", False),
    "a name before": (f"https://x.com@example.com/Writer/status/{POST}", False),
    "another post": ("https://x.com/Writer/status/1", False),
    "a picture of it": (f"https://x.com/Writer/status/{POST}/photo/1", False),
    "a list": (f"https://x.com/Writer/lists/{POST}", False),
    "no address": ("Writer", False),
    "a broken one": ("https://[x.com/Writer/status/1", False),
}


@pytest.mark.parametrize(("address", "is_one"), ADDRESSES.values(), ids=ADDRESSES)
def test_row_61_only_the_address_of_the_very_post_is_taken(address: str, *, is_one: bool) -> None:
    """Row 61: not a permalink: refused before anything else is asked."""
    checked = PermalinkChecked(
        permalink=address,
        post_id=POST,
        author_id=UserId("42"),
        is_text_equal=True,
        is_link_equal=True,
        facts={},
    )

    refusal = refusal_of_post(
        checked,
        user_id=UserId("42"),
        since=CLICK - timedelta(seconds=5),
        until=CLICK + timedelta(seconds=5),
        is_forced=False,
        note=None,
    )

    assert (refusal is None) == is_one


def test_the_window_begins_at_the_click_and_looks_back_where_a_post_was_there_before() -> None:
    """What was there already, or was said already, is older than the attempt."""
    now = CLICK + timedelta(hours=1)
    back = now - timedelta(seconds=DEFAULT_POLICY.baseline_horizon_s)
    found = {
        code: window_start(TRIED, code=code, now=now, policy=DEFAULT_POLICY)
        for code in (None, "no_answer", "already_there", "duplicate_exists")
    }

    assert found == {
        None: CLICK - timedelta(seconds=5),
        "no_answer": CLICK - timedelta(seconds=5),
        "already_there": back,
        "duplicate_exists": back,
    }
    assert window_start(None, code=None, now=now, policy=DEFAULT_POLICY) == back
