"""What a look at the own profile, and the reading of one post, tell their caller: frozen facts.

`browser.look` and `browser.read_post` make these; whether a post of ours is there, is absent, or
cannot be told is decided elsewhere. A void look says nothing at all about what is on the profile.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from browser.facts import Stop, StopCode

if TYPE_CHECKING:
    from datetime import datetime

    from browser.facts import Capture, Identity, PostFacts


class LookEnd(StrEnum):
    """How a look ended."""

    READ = "read"
    """Both tabs were healthy and were read down to the window's start, or to their bottom."""

    VOID = "void"
    """Something was not as it should be; `VoidReason` says what."""


class VoidReason(StrEnum):
    """Why a look is void, or a post was not read. Those that `StopCode` has too mean the same."""

    SIGNED_OUT = "signed_out"
    WRONG_ACCOUNT = "wrong_account"
    LOCKED = "locked"
    CHALLENGE = "challenge"
    SUSPENDED = "suspended"
    ERROR_STATE = "error_state"
    EMPTY_STATE = "empty_state"
    RATE_LIMITED = "rate_limited"
    PARTIAL_LOAD = "partial_load"
    STALE = "stale"
    OUT_OF_ORDER = "out_of_order"
    DISAGREEMENT = "disagreement"
    BOUND_REACHED = "bound_reached"
    UNKNOWN_PAGE = "unknown_page"
    NEVER_HYDRATED = "never_hydrated"
    INTERSTITIAL = "interstitial"
    OFFLINE = "offline"
    BROWSER_DIED = "browser_died"
    BROWSER_BUSY = "browser_busy"
    BROWSER_MISSING = "browser_missing"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, kw_only=True)
class Void:
    """Why a look says nothing; `detail` ends with what a person can do next."""

    reason: VoidReason
    detail: str

    @property
    def stop(self) -> Stop | None:
        """The same as the stop of an attempt, where an attempt would have stopped for it."""
        codes = {code.value: code for code in StopCode}
        code = codes.get(self.reason.value)
        return None if code is None else Stop(code=code, detail=self.detail)


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """Something that the page and its own answers say differently, or only one of them says."""

    tab: str
    post_id: str
    what: str  # "text" | "links" | "author" | "presence" | "answers"
    answer: str | None
    page: str | None


@dataclass(frozen=True, kw_only=True)
class TabReading:
    """How far one tab of the profile was read.

    Args:
        name: `posts` or `replies`.
        answers: How many answers of the page's own were read.
        scrolls: How often the list was scrolled.
        newest_id: Of the own posts in it, the pinned one aside; None when there are none.
        oldest_id: As above.
        reaches_start: Whether an own post from before the window was reached, in its place.
        has_ended: Whether the bottom of the timeline was reached.
        unreadable: What X listed without showing it, by X's own word, and how often.
    """

    name: str
    answers: int
    scrolls: int
    newest_id: str | None
    oldest_id: str | None
    reaches_start: bool
    has_ended: bool
    unreadable: tuple[tuple[str, int], ...]


@dataclass(frozen=True, kw_only=True)
class LookReport:
    """Everything a look saw.

    Args:
        end: Whether it is worth anything.
        void: Why it is not, else None.
        identity: Who was signed in, once it was checked.
        since_id: The start of the window, as asked for.
        posts: The own posts from the answers, newest first, each once, as far back as was read.
        shown: The same posts as the page showed them, reposts left out, to fill in what is unknown.
        candidate_ids: The posts that the caller's filter took.
        tabs: How far each tab was read, those that were begun.
        disagreements: Where page and answers differ; with one of them the look is void.
        captures: The files kept, the failed ones included.
        page_loads: How many pages were opened.
        started_at: Aware UTC.
        ended_at: Aware UTC.
    """

    end: LookEnd
    void: Void | None
    identity: Identity | None
    since_id: str
    posts: tuple[PostFacts, ...]
    shown: tuple[PostFacts, ...]
    candidate_ids: tuple[str, ...]
    tabs: tuple[TabReading, ...]
    disagreements: tuple[Disagreement, ...]
    captures: tuple[Capture, ...]
    page_loads: int
    started_at: datetime
    ended_at: datetime

    @property
    def reaches_back(self) -> bool:
        """Whether it was read, and an own post from before the window was reached in each tab.

        An account younger than the window has none: its look ends at the bottom instead.
        """
        return self.end is LookEnd.READ and all(tab.reaches_start for tab in self.tabs)


class PostState(StrEnum):
    """What became of the reading of one post."""

    READ = "read"
    GONE = "gone"
    TROUBLE = "trouble"


class Gone(StrEnum):
    """How X says that a post is not there; only ever said by its answer and its page together."""

    MISSING = "missing"
    TOMBSTONE = "tombstone"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, kw_only=True)
class PostReading:
    """One post's own page: `post` from the answer, `shown` from the page."""

    permalink: str
    state: PostState
    post: PostFacts | None
    shown: PostFacts | None
    gone: Gone | None
    void: Void | None
    captures: tuple[Capture, ...]
