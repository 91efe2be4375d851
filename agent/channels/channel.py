"""What a channel is: it carries one order out, looks, reads, and reports facts.

A channel never judges: whether the facts mean sent, not sent or unknown is decided by
`agent.domain.classification`, which post is ours by `agent.domain.matching`. It never retries a
send. Called by `agent.work`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from agent.domain.breaker import BreakerKind
    from agent.domain.facts import (
        AttemptFacts,
        Expected,
        Phase,
        PostSeen,
        RequestSeen,
    )
    from agent.domain.ids import AccountId, PostId, UserId
    from agent.domain.matching.terms import SeenPost


class AttemptStopped(Exception):  # noqa: N818 - it says what happened, it is not always an error
    """Raised by a journal: the attempt must not go on. Carries the stop code and the reason."""

    def __init__(self, code: str, detail: str) -> None:
        """Keeps code and detail for the facts."""
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Journal(Protocol):
    """The durable record of one attempt; every call returns only when it is on disk.

    Raising ends the attempt: nothing further is done outside.
    """

    async def reached(self, phase: Phase) -> None:
        """Records a phase below the click or above the release."""

    async def baseline(self, newest_id: PostId | None, posts: Sequence[PostSeen]) -> None:
        """Records the newest own posts; raises when the post is there already."""

    async def clicked(self) -> None:
        """Records `clicked_at`; awaited before the click."""

    async def held(self) -> None:
        """Told when the request waits and says what was ordered; nothing need be recorded."""

    async def released(self, request: RequestSeen) -> None:
        """Records `released_at` under the fence; awaited before a byte may leave."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What to post and as whom.

    `evidence_dir` is made by the channel. `rehearse` does everything up to the armed gate and then
    clears the composer.
    """

    account_id: AccountId
    expected: Expected
    evidence_dir: Path
    rehearse: bool


@dataclass(frozen=True, kw_only=True)
class Captured:
    """A file of evidence that the channel wrote, or the record that taking it failed."""

    kind: str
    path: Path | None
    sha256: str | None
    size_bytes: int | None
    taken_at: datetime
    failure: str | None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What an attempt saw, and the files it left."""

    facts: AttemptFacts
    captures: tuple[Captured, ...]


@dataclass(frozen=True, kw_only=True)
class LookOrder:
    """Whose profile to read, as its owner, and how far back.

    Args:
        since_id: ids up to this one lie before the window; one of them must be reached.
        known_id: a post known to be there; a profile that ends before it is stale.
        is_candidate: tells which posts are worth a picture and, when cut, worth opening.
        evidence_dir: made by the channel.
    """

    account_id: AccountId
    user_id: UserId
    handle: str
    since_id: PostId
    known_id: PostId | None
    is_candidate: Callable[[SeenPost], bool]
    evidence_dir: Path


@dataclass(frozen=True, kw_only=True)
class ReadOrder:
    """Which post's own page to open, and as whom."""

    account_id: AccountId
    user_id: UserId
    handle: str
    post_id: PostId
    evidence_dir: Path


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """Why a reading says nothing: a code, a sentence, and what it shows the account to suffer."""

    code: str
    detail: str
    breaker: BreakerKind | None


@dataclass(frozen=True, kw_only=True)
class Sight:
    """What a look saw of the own profile.

    `trouble` is None when both tabs were read in good health. `has_reached_start` tells whether
    each tab showed an id at or below `since_id`; `has_reached_end` whether each showed its last
    post. `reached_id` is the oldest id read, of the tab that was read the least far. `facts` are
    kept with the look as they are.
    """

    trouble: Trouble | None
    posts: tuple[SeenPost, ...]
    has_reached_start: bool
    has_reached_end: bool
    reached_id: PostId | None
    page_loads: int
    facts: Mapping[str, Any]
    captures: tuple[Captured, ...]


@dataclass(frozen=True, kw_only=True)
class PageSight:
    """What a post's own page showed: the post, that it is gone (and how), or trouble."""

    post: SeenPost | None
    gone: str | None
    trouble: Trouble | None
    captures: tuple[Captured, ...]


class Channel(Protocol):
    """A way out. One conformance suite holds for all of them."""

    async def deliver(self, order: Order, journal: Journal) -> Delivery:
        """Carries an order out, once. Facts come back also when it ended early."""

    async def look(self, order: LookOrder) -> Sight:
        """Reads the account's own profile; trouble comes back, it is not raised."""

    async def read(self, order: ReadOrder) -> PageSight:
        """Opens one post's page; trouble comes back, it is not raised."""

    async def rest(self) -> None:
        """Closes what has been idle for long; called now and then."""

    async def close(self) -> None:
        """Closes everything; what is still under way can no longer reach the outside."""
