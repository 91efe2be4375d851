"""The body of `reconcile`: looks made now, at a person's wish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent import review
from agent.cli.daemon import Summary, held_among
from agent.cli.desk import opened_desk
from agent.cli.output import note
from agent.domain.moves import State
from agent.store.errors import DecisionRefused

if TYPE_CHECKING:
    from pathlib import Path

    from agent.cli.desk import Desk
    from agent.domain.ids import JobId
    from agent.store.records import JobRecord


async def look_now(workspace: Path, ref: str | None, *, actor: str) -> Summary:
    """Looks for one job, or for every one that is unknown.

    Raises:
        MoveConflict: The job is not in doubt.
        DecisionRefused: The one job's account cannot be read now.
    """
    async with opened_desk(workspace) as desk:
        store, door = desk.means.store, desk.means.door
        if ref is None:
            unknown = await door.call(store.jobs, state=State.UNKNOWN)
            found = [await _looked(job.id, desk, actor=actor, is_one=False) for job in unknown]
        else:
            job_id = await door.call(store.resolve, ref)
            found = [await _looked(job_id, desk, actor=actor, is_one=True)]
        jobs = tuple(found)
        accounts = await door.call(store.accounts)
        held = held_among(accounts, {job.handle for job in jobs})
        return Summary(jobs=jobs, held_accounts=held, waiting=())


async def _looked(job_id: JobId, desk: Desk, *, actor: str, is_one: bool) -> JobRecord:
    store, door = desk.means.store, desk.means.door
    job = await door.call(store.look_now, job_id, actor=actor)
    if desk.has_daemon:
        note(f"{job_id}: the running daemon looks at its next round")
        return job
    try:
        return await review.look_for(job_id, desk.means)
    except DecisionRefused as refused:
        if is_one:
            raise
        note(f"{job_id}: {refused}")
        return job
