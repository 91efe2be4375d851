"""The serial order of one account: claim the oldest due job, deliver it, and again.

A lane ends when nothing of its account is due; the daemon starts it anew when something is. That
no two lanes of an account run is a fact of the database (a partial unique index), not of this
module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.domain.ids import JobId
from agent.work.deliver import deliver

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
    """Delivers what is due for one account until nothing is.

    Args:
        account_id: Whose lane.
        means: What it works with.
        stopping: Once set, nothing further is claimed.
        posts_max: How many attempts at the most; None for as many as are due.
        done: Takes each job as it was after its last attempt here.
    """
    attempts = 0
    while not stopping.is_set() and attempts != posts_max:
        # a rehearsed job goes back to prepared at once; it is rehearsed once a run
        skip = frozenset(done) if means.rehearse else frozenset[JobId]()
        claim = await means.door.call(
            means.store.claim_next, account_id, worker=means.worker, skip=skip
        )
        if claim is None:
            return
        means.tell(f"{claim.job.id} sending as @{claim.account.handle}")
        job = await deliver(claim, means)
        attempts += 1
        if job is not None:
            done[job.id] = job
