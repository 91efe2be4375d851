"""The words of matching: what is wanted, what was seen, and what is made of it.

Frozen values only. What is not known is None, in every field that may be unknown, and what is
unknown confirms nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from agent.domain.ids import PostId, UserId

ANSWER: Final = "answer"  # the source of a post read from X's answer; the other one is "dom"
DOM: Final = "dom"


class Grade(StrEnum):
    """How alike two texts are.

    Attributes:
        EXACT: the normal forms are equal.
        LETTERS: their letters and digits are.
        NEAR: RapidFuzz finds them alike; it ranks, it confirms nothing.
        OTHER: neither.
    """

    EXACT = "exact"
    LETTERS = "letters"
    NEAR = "near"
    OTHER = "other"


class Gate(StrEnum):
    """What a post must pass to be ours, in the order in which it is asked.

    Attributes:
        AUTHOR: the account wrote it, by user id.
        KIND: a post, reply or quote as ours is; never a repost.
        BASELINE: its id is above the newest one seen before the attempt.
        WINDOW: the time in its id lies between the click and now.
        NOT_TAKEN: it confirms no other job.
        ONE_READING: where one source read it twice, both say the same.
        LINK: its links are ours, known in full.
        LINK_PLACE: they stand where ours stand.
        NUMBERS: the same numbers.
        SIGNS: the same signs that carry meaning: emoji, currency, per cent, hash, question mark.
        WHOLE: the text is not cut by "Show more".
        MEDIA: as many pictures, where an answer counts them.
        NO_SIBLING: no other open job of the account is fitted as well.
        NO_COMPETITOR: no other post in the window is nearly the same.
    """

    AUTHOR = "author"
    KIND = "kind"
    BASELINE = "baseline"
    WINDOW = "window"
    NOT_TAKEN = "not_taken"
    ONE_READING = "one_reading"
    LINK = "link"
    LINK_PLACE = "link_place"
    NUMBERS = "numbers"
    SIGNS = "signs"
    WHOLE = "whole"
    MEDIA = "media"
    NO_SIBLING = "no_sibling"
    NO_COMPETITOR = "no_competitor"


# A post that fails one of these is not ours, whatever it says.
EXCLUDING: Final = (Gate.AUTHOR, Gate.KIND, Gate.BASELINE, Gate.WINDOW, Gate.NOT_TAKEN)


class Outcome(StrEnum):
    """What a look comes to: one post that is ours, nothing like it, or a person's decision."""

    UNIQUE = "unique"
    NONE = "none"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, kw_only=True)
class WantedSegment:
    """One post of a job: its frozen text with the final link where it was posted, and that link."""

    text: str
    link: str | None
    media_count: int | None


@dataclass(frozen=True, kw_only=True)
class AttemptTimes:
    """When an attempt clicked and released, and the newest id seen before it.

    `baseline_id` of a profile seen to be empty is "0"; None means that it is not known.
    """

    clicked_at: datetime | None
    released_at: datetime | None
    baseline_id: PostId | None


@dataclass(frozen=True, kw_only=True)
class Sibling:
    """Another open job of the account. Without an attempt it is not known when it was tried."""

    segments: tuple[WantedSegment, ...]
    attempt: AttemptTimes | None


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """The job in doubt: its frozen payload, its attempt, and what else is open or settled.

    Attributes:
        marker: the one query parameter of the link that is unique to the intent, as `name=value`.
    """

    user_id: UserId
    handle: str
    kind: str
    segments: tuple[WantedSegment, ...]
    attempt: AttemptTimes
    now: datetime
    taken_ids: frozenset[PostId]
    open_siblings: tuple[Sibling, ...]
    marker: str | None = None


@dataclass(frozen=True, kw_only=True)
class SeenLink:
    """A link of a post: as shown, its `href` (t.co), and expanded."""

    shown: str | None
    href: str | None
    expanded: str | None


@dataclass(frozen=True, kw_only=True)
class SeenPost:
    """One post as a look read it. `text` is as read: an answer's is HTML-escaped."""

    id: PostId | None
    author_id: UserId | None
    author_handle: str | None
    source: str
    kind: str | None
    text: str | None
    links: tuple[SeenLink, ...] | None
    card_domain: str | None
    pinned: bool | None
    truncated: bool | None
    edited: bool | None
    media_count: int | None


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """What the matcher makes of one post.

    Attributes:
        grade: None where the text was not compared since a gate had excluded the post before.
        gates: each gate that was asked: passed, failed, or None where that is not known.
        scores: RapidFuzz, 0 to 100: `ratio`, and `token_sort_ratio`, by which a person's list is
            ranked.
        reasons: a sentence for each gate that was not passed, and for what a person should know.
    """

    id: PostId | None
    grade: Grade | None
    gates: Mapping[Gate, bool | None]
    scores: Mapping[str, float]
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a look comes to, and why, with every post it read, the likeliest first."""

    outcome: Outcome
    id: PostId | None
    reasons: tuple[str, ...]
    candidates: tuple[Assessment, ...]
