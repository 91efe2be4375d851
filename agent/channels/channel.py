"""What a channel is: it carries one order out, tells a journal each phase, and reports facts.

A channel never judges: whether the facts mean sent, not sent or unknown is decided by
`agent.domain.classification`. It never retries a send. Called by `agent.work.deliver`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from agent.domain.facts import (
        AttemptFacts,
        Expected,
        Phase,
        PostSeen,
        RequestSeen,
    )
    from agent.domain.ids import AccountId, PostId


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


class Channel(Protocol):
    """A way out. One conformance suite holds for all of them."""

    async def deliver(self, order: Order, journal: Journal) -> Delivery:
        """Carries an order out, once. Facts come back also when it ended early."""

    async def rest(self) -> None:
        """Closes what has been idle for long; called now and then."""

    async def close(self) -> None:
        """Closes everything; what is still under way can no longer reach the outside."""
