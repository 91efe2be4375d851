"""The daemon: wakes lanes, sweeps lapsed leases, and leaves in good order.

It holds no truth: whatever it knows it read from the store a moment ago, so killing it at any
point loses nothing. Only one runs on a store (`DaemonLock`); the caller holds that lock.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from agent.store.errors import StoreBusy
from agent.store.lane import EVERY_WORK, Work
from agent.work.bell import Bell
from agent.work.lane import work_lane

if TYPE_CHECKING:
    from agent.domain.ids import AccountId, JobId
    from agent.store.records import JobRecord
    from agent.work.means import Means


class Until(StrEnum):
    """When the daemon leaves by itself."""

    STOPPED = "stopped"  # only when told to
    IDLE = "idle"  # nothing in flight and nothing coming due within the policy's horizon
    ONCE = "once"  # at most one attempt per account, of what is due now


@dataclass(kw_only=True)
class Daemon:
    """Runs the lanes of all accounts, a bounded number at a time."""

    means: Means
    until: Until
    parallel_accounts_max: int
    sweep_every_s: float
    done: dict[JobId, JobRecord] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Prepares the bell; nothing runs yet."""
        self._stopping = asyncio.Event()
        self._awake = asyncio.Event()
        self._slots = asyncio.Semaphore(self.parallel_accounts_max)
        self._lanes: dict[AccountId, asyncio.Task[None]] = {}
        self._seen: set[AccountId] = set()
        self._is_sweep_due = False
        self._bell = Bell(
            ring=self._awake.set, sweep=self._ring_for_sweep, sweep_every_s=self.sweep_every_s
        )

    def stop(self) -> None:
        """Claims nothing further; attempts under way finish, within the policy's bound."""
        self._stopping.set()
        self._awake.set()

    async def run(self) -> None:
        """Works until told to stop, or as `until` says.

        Raises:
            StoreError: The store failed under a lane; nothing is lost, the record decides.
        """
        await self._sweep(at_start=True)
        self._bell.start()
        try:
            while not self._stopping.is_set():
                if await self._look_round():
                    break
                await self._awake.wait()
                self._awake.clear()
        finally:
            self._bell.stop()
            await self._let_lanes_finish()
            await self.means.channel.close()

    async def _look_round(self) -> bool:
        """Takes in what has ended, starts what is due, and says whether it is time to leave."""
        try:
            self._take_in_ended_lanes()
            if self._is_sweep_due:
                self._is_sweep_due = False
                await self._sweep(at_start=False)
                await self.means.channel.rest()
            await self._start_lanes()
            return await self._may_leave()
        except StoreBusy:
            self.means.tell("the store is busy; asked again at the next sweep")
            return False

    def _take_in_ended_lanes(self) -> None:
        for account_id, lane in list(self._lanes.items()):
            if lane.done():
                del self._lanes[account_id]
                if not lane.cancelled():
                    lane.result()

    async def _start_lanes(self) -> None:
        due = await self.means.door.call(self.means.store.lanes_with_due_work, kinds=self._kinds)
        for account_id in due:
            if account_id in self._lanes or self._has_had_its_turn(account_id):
                continue
            self._seen.add(account_id)
            lane = asyncio.create_task(self._work(account_id), name=f"lane {account_id}")
            self._lanes[account_id] = lane
            lane.add_done_callback(lambda _lane: self._awake.set())

    def _has_had_its_turn(self, account_id: AccountId) -> bool:
        return self._is_single_pass and account_id in self._seen

    @property
    def _is_single_pass(self) -> bool:
        return self.until is Until.ONCE or self.means.rehearse

    @property
    def _kinds(self) -> frozenset[Work]:
        """What is worth waking a lane for; a rehearsal only posts."""
        return frozenset({Work.SEND}) if self.means.rehearse else EVERY_WORK

    async def _work(self, account_id: AccountId) -> None:
        async with self._slots:
            await work_lane(
                account_id,
                self.means,
                stopping=self._stopping,
                posts_max=1 if self.until is Until.ONCE else None,
                done=self.done,
            )

    async def _may_leave(self) -> bool:
        """Arms the bell for what comes next, and says whether there is no reason to stay."""
        next_due_at = await self.means.door.call(self.means.store.next_due_at, kinds=self._kinds)
        if self._lanes:
            return False
        if self._is_single_pass:
            return True
        if self.until is Until.IDLE:
            horizon = timedelta(seconds=self.means.policy.idle_horizon_s)
            if next_due_at is None or next_due_at > self.means.clock.now() + horizon:
                return True
        self._bell.ring_at(next_due_at)
        return False

    async def _sweep(self, *, at_start: bool) -> None:
        """Settles what died. At the start nobody else can be alive: the daemon's lock is ours."""
        swept = await self.means.door.call(self.means.store.sweep, live_leases_too=at_start)
        for job_id in (
            *swept.taken_back,
            *swept.given_up,
            *swept.doubted,
            *swept.handed_over,
        ):
            job = (await self.means.door.call(self.means.store.show, job_id)).job
            self.means.tell(f"{job_id} swept to {job.state.value} {job.code or ''}".rstrip())
            self.done[job_id] = job

    async def _let_lanes_finish(self) -> None:
        if not self._lanes:
            return
        _, late = await asyncio.wait(self._lanes.values(), timeout=self.means.policy.shutdown_s)
        for lane in late:
            lane.cancel()
        if late:
            await asyncio.wait(late, timeout=self.means.policy.shutdown_cancel_s)
        self._take_in_ended_lanes()

    def _ring_for_sweep(self) -> None:
        self._is_sweep_due = True
        self._awake.set()
