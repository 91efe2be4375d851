"""What the browser package tells its caller: frozen facts, never a judgement.

`send` takes an `Order`, tells a `Journal` of each phase before it goes on, and returns a
`SendReport`. Whether that means sent, not sent or unknown is decided elsewhere, by one pure table
(`agent.domain.classification`); nothing in this package knows the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


class Phase(StrEnum):
    """How far an attempt has come, in order. Each is durable before the next begins."""

    OPENED = "opened"
    SIGNED_IN = "signed_in"
    COMPOSED = "composed"
    ARMED = "armed"
    CLICKED = "clicked"
    RELEASED = "released"
    ACKNOWLEDGED = "acknowledged"
    PERMALINK = "permalink"


class StopCode(StrEnum):
    """Why an attempt ended early. A closed list; a test keeps the caller's table in step."""

    SIGNED_OUT = "signed_out"
    WRONG_ACCOUNT = "wrong_account"
    LOCKED = "locked"
    CHALLENGE = "challenge"
    UNKNOWN_PAGE = "unknown_page"
    NEVER_HYDRATED = "never_hydrated"
    OFFLINE = "offline"
    RATE_LIMITED = "rate_limited"
    BASELINE_UNREADABLE = "baseline_unreadable"
    ALREADY_THERE = "already_there"
    COMPOSER_MISSING = "composer_missing"
    TEXT_MISMATCH = "text_mismatch"
    BUTTON_DISABLED = "button_disabled"
    OVER_LIMIT = "over_limit"
    INTERSTITIAL = "interstitial"
    REQUEST_MISMATCH = "request_mismatch"
    NO_REQUEST = "no_request"
    JOURNAL_REFUSED = "journal_refused"
    EVIDENCE_UNWRITABLE = "evidence_unwritable"
    BROWSER_DIED = "browser_died"
    BROWSER_BUSY = "browser_busy"
    BROWSER_MISSING = "browser_missing"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    REHEARSED = "rehearsed"


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who is signed in: the numeric id of the `twid` cookie and the handle of the profile link."""

    user_id: str
    handle: str


@dataclass(frozen=True, kw_only=True)
class Link:
    """A link of a post: as shown, as `href` (t.co), and expanded where known."""

    shown: str
    href: str | None
    expanded: str | None


@dataclass(frozen=True, kw_only=True)
class PostFacts:
    """One post as read from an answer or from the page; what is not known is None.

    `text` is as read: an answer's text as X sends it (HTML-escaped, links as t.co, in a long post
    neither), the page's text with emoji from their images and links in full where the page has
    them. `media_hrefs` are the t.co addresses that stand in `text` for the post's own media.
    """

    id: str
    author_id: str | None
    author_handle: str | None
    source: str  # "answer" | "dom"
    kind: str  # "post" | "repost" | "quote" | "reply"
    text: str
    links: tuple[Link, ...]
    card_domain: str | None
    pinned: bool
    truncated: bool
    edited: bool
    media_count: int | None
    created_at: datetime | None
    media_hrefs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """The newest posts of the own profile before anything is typed."""

    newest_id: str | None
    posts: tuple[PostFacts, ...]


@dataclass(frozen=True, kw_only=True)
class RequestFacts:
    """The posting request the page made, as it waits at the gate."""

    operation: str
    text: str
    media_count: int
    reply_to: str | None
    quote_of: str | None
    body_sha256: str


@dataclass(frozen=True, kw_only=True)
class AnswerFacts:
    """What the site answered to that request. `codes` are X's error codes, in order."""

    status: int | None
    post_id: str | None
    author_id: str | None
    codes: tuple[str, ...]
    messages: tuple[str, ...]
    empty_result: bool
    failure: str | None  # the browser's own word when no answer came (net::ERR_...)


@dataclass(frozen=True, kw_only=True)
class ToastFacts:
    """A toast that appeared after the click."""

    text: str
    href: str | None
    handle: str | None
    post_id: str | None


@dataclass(frozen=True, kw_only=True)
class ReadBack:
    """The post's own page, opened after the answer. `post` is None when it could not be read."""

    permalink: str
    post: PostFacts | None
    trouble: str | None


@dataclass(frozen=True, kw_only=True)
class Capture:
    """A file of evidence, or the record that taking it failed."""

    kind: str
    path: Path | None
    sha256: str | None
    size_bytes: int | None
    taken_at: datetime
    failure: str | None


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Why and where an attempt ended early; `detail` ends with what a person can do next."""

    code: StopCode
    detail: str


@dataclass(frozen=True, kw_only=True)
class Order:
    """What to post and as whom. `text` holds the link where it is to stand; NFC, LF."""

    identity: Identity
    text: str
    rehearse: bool


@dataclass(frozen=True, kw_only=True)
class SendReport:
    """Everything an attempt saw. `phase` is None when not even the page opened."""

    phase: Phase | None
    stop: Stop | None
    identity: Identity | None
    baseline: Baseline | None
    request: RequestFacts | None
    answer: AnswerFacts | None
    toast: ToastFacts | None
    read_back: ReadBack | None
    captures: tuple[Capture, ...]


class Journal(Protocol):
    """The caller's durable record. Each call returns only when it is on disk.

    Raising `browser.errors.Stopped` (or anything else) ends the attempt: nothing further is done,
    and a gate that is armed dies. `released` returns before a byte of the post may leave.
    """

    async def reached(self, phase: Phase) -> None:
        """Record a phase below the click, or above the release."""

    async def baseline(self, baseline: Baseline) -> None:
        """Record the baseline; raise `Stopped(ALREADY_THERE)` when the post is there already."""

    async def clicked(self) -> None:
        """Record `clicked_at`; awaited before the click."""

    async def held(self, request: RequestFacts) -> None:
        """The request waits at the gate and says what was ordered; nothing need be recorded."""

    async def released(self, request: RequestFacts) -> None:
        """Record `released_at` under the fence; awaited before the gate opens."""
