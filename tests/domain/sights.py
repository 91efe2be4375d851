"""Facts for the tests of the domain: one expected post, and what an attempt may have seen of it."""

from __future__ import annotations

from typing import Any

from agent.domain.facts import (
    AnswerSeen,
    AttemptFacts,
    Expected,
    LinkSeen,
    Phase,
    PostSeen,
    ReadBackSeen,
)
from agent.domain.ids import PostId, UserId
from agent.domain.links import link_of

OURS = UserId("42")
POST = PostId("2000000000000000001")
LINK = "https://example.com/a"
EXPECTED = Expected(
    user_id=OURS, handle="Writer", text=f"Read “this” now: {LINK}", link=link_of(LINK)
)


def post(**changes: Any) -> PostSeen:  # noqa: ANN401 - any field of a post
    """Return the expected post as an answer of X shows it, with changes."""
    seen: dict[str, Any] = {
        "id": POST,
        "author_id": OURS,
        "author_handle": "writer",
        "source": "answer",
        "kind": "post",
        "text": "Read “this” now: https://t.co/abc",
        "links": (LinkSeen(shown="example.com/a", href="https://t.co/abc", expanded=LINK),),
        "is_truncated": False,
    }
    return PostSeen(**(seen | changes))


def answer(**changes: Any) -> AnswerSeen:  # noqa: ANN401 - any field of an answer
    """Return an answer that names no post, with changes."""
    seen: dict[str, Any] = {
        "status": 200,
        "post_id": None,
        "author_id": None,
        "codes": (),
        "empty_result": False,
        "failure": None,
    }
    return AnswerSeen(**(seen | changes))


def facts(phase: Phase | None, **changes: Any) -> AttemptFacts:  # noqa: ANN401 - any fact
    """Return the facts of an attempt that saw nothing but its phase, with changes."""
    seen: dict[str, Any] = {
        "expected": EXPECTED,
        "phase": phase,
        "stop_code": None,
        "stop_detail": "",
        "answer": None,
        "toast": None,
        "read_back": None,
    }
    return AttemptFacts(**(seen | changes))


def read_back(seen: PostSeen | None, trouble: str | None = None) -> ReadBackSeen:
    """Return what the post's own page showed."""
    return ReadBackSeen(post=seen, trouble=trouble)
