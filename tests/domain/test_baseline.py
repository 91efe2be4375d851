from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from agent.domain.baseline import already_there
from agent.domain.ids import UserId
from agent.domain.snowflake import floor_id
from tests.domain.sights import EXPECTED, post

if TYPE_CHECKING:
    from agent.domain.facts import PostSeen

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
RECENT = floor_id(NOW - timedelta(hours=1))
OLD = floor_id(NOW - timedelta(days=40))

THERE = {
    "the same post": post(id=RECENT),
    "the same link, other words": post(id=RECENT, text="Something else https://t.co/abc"),
    "the same words, link on the card": post(id=RECENT, text="Read this now", links=()),
    "known by handle only": post(id=RECENT, author_id=None, author_handle="WRITER"),
    "as a quote": post(id=RECENT, kind="quote"),
}


@pytest.mark.parametrize("seen", THERE.values(), ids=THERE)
def test_a_post_of_ours_with_the_link_or_the_text_is_there_already(seen: PostSeen) -> None:
    """By hand, by another program, or from before a restored backup: never sent over."""
    found = already_there(EXPECTED, [seen], taken=frozenset(), now=NOW, horizon_s=2_592_000)

    assert found == seen


NOT_THERE = {
    "another article": post(id=RECENT, text="Something else", links=()),
    "somebody else's": post(id=RECENT, author_id=UserId("7")),
    "a repost": post(id=RECENT, kind="repost"),
    "long ago": post(id=OLD),
}


@pytest.mark.parametrize("seen", NOT_THERE.values(), ids=NOT_THERE)
def test_what_is_not_ours_or_not_it_does_not_stop_an_attempt(seen: PostSeen) -> None:
    """Only an own, recent post with the link or the text counts."""
    found = already_there(EXPECTED, [seen], taken=frozenset(), now=NOW, horizon_s=2_592_000)

    assert found is None


def test_a_post_that_confirms_a_job_does_not_stop_another() -> None:
    """A second announcement on purpose is not stopped by the first one."""
    seen = post(id=RECENT)

    found = already_there(EXPECTED, [seen], taken={RECENT}, now=NOW, horizon_s=2_592_000)

    assert found is None
