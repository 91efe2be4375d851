"""The durable record of one attempt: every phase is written under the attempt's fence.

A write that fails raises, and the channel goes no further; so what the record says is the most
that can have happened. Made by `deliver`, handed to the channel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.channels.channel import AttemptStopped
from agent.domain.baseline import already_there
from agent.domain.facts import Phase
from agent.domain.ids import PostId
from agent.work.halt import HaltPoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent.domain.facts import Expected, PostSeen, RequestSeen
    from agent.store.records import Claim
    from agent.work.means import Means


class AttemptJournal:
    """Writes what an attempt has reached; `phase` is the last that is on disk."""

    def __init__(self, claim: Claim, expected: Expected, means: Means) -> None:
        """Begins below the first phase."""
        self._claim = claim
        self._expected = expected
        self._means = means
        self.phase: Phase | None = None

    async def reached(self, phase: Phase) -> None:
        """Records a phase. See `Journal`."""
        await self._means.door.call(self._means.store.reached, self._claim.ticket, phase)
        self._now_at(phase)

    async def baseline(self, newest_id: PostId | None, posts: Sequence[PostSeen]) -> None:
        """Records the newest own posts, and stops the attempt when ours is among them.

        A post that a person has ruled not to be ours, when another try was allowed, is none.

        Raises:
            AttemptStopped: `already_there`; somebody posted it, and no job of ours owns it.
        """
        store, door = self._means.store, self._means.door
        ids = tuple(post.id for post in posts)
        await door.call(
            store.record_baseline, self._claim.ticket, newest_id=newest_id, post_ids=ids
        )
        taken = await door.call(store.taken_ids, self._claim.job.channel, ids)
        allowed = self._claim.authorisation
        dismissed = allowed.dismissed_ids if allowed else frozenset[PostId]()
        twin = already_there(
            self._expected,
            posts,
            taken=taken | dismissed,
            now=self._means.clock.now(),
            horizon_s=self._means.policy.baseline_horizon_s,
        )
        if twin is not None:
            raise AttemptStopped(
                "already_there",
                f"post {twin.id} of this account has the same link or text and belongs to no job; "
                "look at it before anything is sent",
            )

    async def clicked(self) -> None:
        """Records `clicked_at`. See `Journal`."""
        await self._means.door.call(self._means.store.reached, self._claim.ticket, Phase.CLICKED)
        self._now_at(Phase.CLICKED)

    async def held(self) -> None:
        """The request waits; a place to be halted at, and nothing to write."""
        self._means.halt.at(HaltPoint.HELD)

    async def released(self, request: RequestSeen) -> None:
        """Records `released_at` under the fence; only then may the gate open."""
        await self._means.door.call(self._means.store.released, self._claim.ticket, request)
        self._now_at(Phase.RELEASED)

    def _now_at(self, phase: Phase) -> None:
        self.phase = phase
        self._means.tell(f"{self._claim.job.id} {phase.value}")
        self._means.halt.at(HaltPoint(phase.value))
