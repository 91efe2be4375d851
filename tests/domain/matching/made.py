"""Values for the matcher's tests: a job and a post that is its own, unless told otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from agent.domain.ids import PostId, UserId
from agent.domain.matching.terms import AttemptTimes, SeenLink, SeenPost, Wanted, WantedSegment
from agent.domain.snowflake import floor_id

LINK = "https://blog.example.com/a/long/path"
SHORT = "https://t.co/Abcdefghij"
CLICKED_AT = datetime(2026, 11, 30, 10, tzinfo=UTC)


def link(**changes: Any) -> SeenLink:  # noqa: ANN401 - fields of SeenLink
    """Return our link as an answer tells it."""
    return replace(
        SeenLink(shown="blog.example.com/a/long/p…", href=SHORT, expanded=LINK), **changes
    )


def post(**changes: Any) -> SeenPost:  # noqa: ANN401 - fields of SeenPost
    """Return our post as an answer tells it."""
    plain = SeenPost(
        id=PostId(floor_id(CLICKED_AT + timedelta(seconds=2))),
        author_id=UserId("42"),
        author_handle="acme",
        source="answer",
        kind="post",
        text=f"Slow software: 3 ways out {SHORT}",
        links=(link(),),
        card_domain=None,
        pinned=False,
        truncated=False,
        edited=False,
        media_count=0,
    )
    return replace(plain, **changes)


def wanted(**changes: Any) -> Wanted:  # noqa: ANN401 - fields of Wanted
    """Return our job."""
    plain = Wanted(
        user_id=UserId("42"),
        handle="acme",
        kind="post",
        segments=(segment(),),
        attempt=AttemptTimes(
            clicked_at=CLICKED_AT, released_at=CLICKED_AT, baseline_id=PostId("1")
        ),
        now=CLICKED_AT + timedelta(minutes=10),
        taken_ids=frozenset(),
        open_siblings=(),
    )
    return replace(plain, **changes)


def segment(**changes: Any) -> WantedSegment:  # noqa: ANN401 - fields of WantedSegment
    """Return what was frozen."""
    plain = WantedSegment(text=f"Slow software: 3 ways out {LINK}", link=LINK, media_count=0)
    return replace(plain, **changes)
