"""The serial order of one account: settle its doubts by looking, then post, then read again.

Looks come before new posts of the account, since a doubt may hold its lane; readings of what is
confirmed come last. A rehearsal makes neither. A lane ends when nothing of its account is due; the
daemon starts it anew when something is. That no two lanes of an account run is a fact of the
database (a partial unique index), not of this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.domain.ids import JobId
from agent.work.deliver import deliver
from agent.work.reconcile import reconcile
from agent.work.watch import read_again

if TYPE_CHECKING:
    import asyncio

    from agent.domain.ids import AccountId
    from agent.store.records import JobRecord
    from agent.work.means import Means


async def work_lane(
    account_id: AccountId,
    means: Means,
    *,
    stopping: asyncio.Event,
    posts_max: int | None,
    done: dict[JobId, JobRecord],
) -> None:
    """Does what is due for one account until nothing is.

    Args:
        account_id: Whose lane.
        means: What it works with.
        stopping: Once set, nothing further is claimed.
        posts_max: How many attempts at the most; None for as many as are due.
        done: Takes each job as it was when this lane last had to do with it.
    """
    attempts = 0
    while not stopping.is_set() and attempts != posts_max:
        if not means.rehearse and await _looked(account_id, means, done):
            continue
        if await _delivered(account_id, means, done):
            attempts += 1
        elif means.rehearse or not await _read_again(account_id, means, done):
            return


async def _looked(account_id: AccountId, means: Means, done: dict[JobId, JobRecord]) -> bool:
    """Makes the look that is due, if one is."""
    claim = await means.door.call(means.store.claim_look, account_id, worker=means.worker)
    if claim is None:
        return False
    means.tell(f"{claim.job.id} look {claim.number} as @{claim.account.handle}")
    _take_down(await reconcile(claim, means), done)
    return True


async def _delivered(account_id: AccountId, means: Means, done: dict[JobId, JobRecord]) -> bool:
    """Makes the attempt that is due, if one is."""
    # a rehearsed job goes back to prepared at once; it is rehearsed once a run
    skip = frozenset(done) if means.rehearse else frozenset[JobId]()
    claim = await means.door.call(
        means.store.claim_next, account_id, worker=means.worker, skip=skip
    )
    if claim is None:
        return False
    means.tell(f"{claim.job.id} sending as @{claim.account.handle}")
    _take_down(await deliver(claim, means), done)
    return True


async def _read_again(account_id: AccountId, means: Means, done: dict[JobId, JobRecord]) -> bool:
    """Reads the confirmed post that is due, if one is."""
    claim = await means.door.call(means.store.claim_read, account_id, worker=means.worker)
    if claim is None:
        return False
    means.tell(f"{claim.job.id} {claim.purpose.value} as @{claim.account.handle}")
    _take_down(await read_again(claim, means), done)
    return True


def _take_down(job: JobRecord | None, done: dict[JobId, JobRecord]) -> None:
    if job is not None:
        done[job.id] = job
