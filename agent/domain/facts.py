"""What an attempt saw, in the ledger's own words.

A channel fills these from its driver's report; `classification` judges them. The phases are those
of the browser package, which the domain may not import: a test keeps both lists equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from agent.domain.ids import PostId, UserId
    from agent.domain.links import Link


class Phase(StrEnum):
    """How far an attempt has come, in order; each is durable before the next begins.

    Attributes:
        OPENED: the account's page is open.
        SIGNED_IN: the session belongs to the account.
        COMPOSED: the composer holds the text, read back and equal.
        ARMED: the gate lets nothing out to hosts that take posts.
        CLICKED: the click is about to be made; `clicked_at` is on disk.
        RELEASED: the request may leave; `released_at` is on disk.
        ACKNOWLEDGED: an answer or a toast of ours was seen.
        PERMALINK: the post's own page was read.
    """

    OPENED = "opened"
    SIGNED_IN = "signed_in"
    COMPOSED = "composed"
    ARMED = "armed"
    CLICKED = "clicked"
    RELEASED = "released"
    ACKNOWLEDGED = "acknowledged"
    PERMALINK = "permalink"


PHASES: Final[tuple[Phase, ...]] = tuple(Phase)


def is_released(phase: Phase | None) -> bool:
    """Tell whether a phase lies at or behind the release."""
    return phase is not None and PHASES.index(phase) >= PHASES.index(Phase.RELEASED)


@dataclass(frozen=True, kw_only=True)
class LinkSeen:
    """A link of a post: as shown, as `href` (t.co), and expanded where known."""

    shown: str
    href: str | None
    expanded: str | None


@dataclass(frozen=True, kw_only=True)
class PostSeen:
    """One post as read; what is not known is None.

    `source` is `answer` (text HTML-escaped, as X sends it) or `dom`; `kind` is `post`, `repost`,
    `quote` or `reply`.
    """

    id: PostId
    author_id: UserId | None
    author_handle: str | None
    source: str
    kind: str
    text: str
    links: tuple[LinkSeen, ...]
    is_truncated: bool


@dataclass(frozen=True, kw_only=True)
class Expected:
    """Who posts, and what the post must read."""

    user_id: UserId
    handle: str
    text: str
    link: Link | None


@dataclass(frozen=True, kw_only=True)
class RequestSeen:
    """The posting request as it waits at the gate."""

    operation: str
    body_sha256: str


@dataclass(frozen=True, kw_only=True)
class AnswerSeen:
    """What X answered to that request; `failure` is the browser's word when nothing came."""

    status: int | None
    post_id: PostId | None
    author_id: UserId | None
    codes: tuple[str, ...]
    empty_result: bool
    failure: str | None


@dataclass(frozen=True, kw_only=True)
class ToastSeen:
    """A toast after the click whose link names a post."""

    post_id: PostId | None
    handle: str | None


@dataclass(frozen=True, kw_only=True)
class ReadBackSeen:
    """The post's own page, opened after the answer; `post` is None when it could not be read."""

    post: PostSeen | None
    trouble: str | None


@dataclass(frozen=True, kw_only=True)
class AttemptFacts:
    """Everything the table needs to judge an attempt.

    Args:
        expected: who posts, and what.
        phase: the last one reached; None when not even the page opened.
        stop_code: why it ended early, from the closed list; None when it did not.
        stop_detail: what was seen then; ends with what a person can do next.
    """

    expected: Expected
    phase: Phase | None
    stop_code: str | None
    stop_detail: str
    answer: AnswerSeen | None
    toast: ToastSeen | None
    read_back: ReadBackSeen | None
