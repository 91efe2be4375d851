"""The only writer of a job's state.

Every change is one row of the domain's table, one guarded UPDATE whose row count is checked, and
one event of the history in the same transaction. A test reads the syntax tree of every module for
another writer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, insert, select, update

from agent.domain.moves import IN_DOUBT, Carry, Event, MoveRefused, State, Who, move
from agent.store import audit
from agent.store.engine import one_row
from agent.store.errors import FenceLost, MoveConflict, NotFound
from agent.store.tables import JOB, LANE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Row

    from agent.domain.ids import AccountId, IntentId, JobId
    from agent.store.engine import Transaction


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What a move depends on: the job as it was read in this transaction."""

    job_id: JobId
    intent_id: IntentId
    account_id: AccountId
    attempt_id: str | None
    state: State
    version: int
    failures: int
    authorisation_id: str | None


def begin_job(tx: Transaction, values: Mapping[str, Any], *, actor: str) -> None:
    """Write a new job, prepared, and the first event of its history."""
    tx.connection.execute(
        insert(JOB).values(state=State.PREPARED, state_at=tx.now, version=1, **values)
    )
    audit.append(
        tx,
        event=State.PREPARED,
        who=Who.CALLER,
        actor=actor,
        subjects={
            "account_id": values["account_id"],
            "intent_id": values["intent_id"],
            "job_id": values["id"],
        },
        after=State.PREPARED,
        carried={"due_at": values["due_at"].isoformat(), "zone": values["zone"]},
    )


def standing_of(tx: Transaction, job_id: JobId) -> Standing:
    """Read and, where the engine can, lock what a move of the job depends on.

    Raises:
        NotFound: there is no such job.
    """
    row = tx.connection.execute(
        select(JOB).where(JOB.c.id == job_id).with_for_update()
    ).one_or_none()
    if row is None:
        raise NotFound(f"there is no job {job_id}; see: postproof list")
    return standing(row)


def standing(row: Row[Any], *, attempt_id: str | None = None) -> Standing:
    """Return what a move depends on, from a row of jobs read in this transaction.

    `attempt_id` names the attempt that the move begins.
    """
    return Standing(
        job_id=row.id,
        intent_id=row.intent_id,
        account_id=row.account_id,
        attempt_id=attempt_id or row.attempt_id,
        state=State(row.state),
        version=row.version,
        failures=row.failures,
        authorisation_id=row.authorisation_id,
    )


def move_job(
    tx: Transaction,
    job: Standing,
    *,
    event: Event,
    after: State,
    who: Who,
    actor: str,
    carried: Mapping[Carry, Any],
    values: Mapping[str, Any] | None = None,
) -> None:
    """Change a job's state by one row of the table, guarded, with its event.

    A move that settles a doubt frees the jobs that waited for it.

    Args:
        tx: the transaction that read `job`.
        job: the job as it was read.
        event: what happened.
        after: the new state.
        who: the kind of actor.
        actor: the person, worker or program.
        carried: what the move must carry, and more that the history should keep.
        values: other columns that change with the state.

    Raises:
        MoveConflict: the table has no such move, or the job has changed meanwhile.
        FenceLost: the move names a fence that is no longer the lane's.
    """
    try:
        move(state=job.state, event=event, after=after, who=who, carried=frozenset(carried))
    except MoveRefused as error:
        raise MoveConflict(f"{job.job_id}: {error}; see: postproof show") from error
    guard = [
        JOB.c.id == job.job_id,
        JOB.c.state == job.state,
        JOB.c.version == job.version,
    ]
    if Carry.FENCE in carried:
        guard.append(
            exists().where(
                LANE.c.account_id == job.account_id, LANE.c.epoch == carried[Carry.FENCE]
            )
        )
    moved = tx.connection.execute(
        update(JOB)
        .where(*guard)
        .values(
            state=after,
            state_at=tx.now,
            version=job.version + 1,
            **({"waits_for": None} | dict(values or {})),
        )
    )
    if not one_row(moved):
        lost = FenceLost if Carry.FENCE in carried else MoveConflict
        raise lost(f"{job.job_id} is no longer {job.state}; nothing was changed")
    if job.state in IN_DOUBT and after not in IN_DOUBT:
        _free_those_that_waited(tx, job.job_id)
    _tell(tx, job, event=event, after=after, who=who, actor=actor, carried=carried)


def _free_those_that_waited(tx: Transaction, doubt_id: JobId) -> None:
    tx.connection.execute(update(JOB).where(JOB.c.waits_for == doubt_id).values(waits_for=None))


def _tell(
    tx: Transaction,
    job: Standing,
    *,
    event: Event,
    after: State,
    who: Who,
    actor: str,
    carried: Mapping[Carry, Any],
) -> None:
    audit.append(
        tx,
        event=event,
        who=who,
        actor=actor,
        subjects={
            "account_id": job.account_id,
            "intent_id": job.intent_id,
            "job_id": job.job_id,
            "attempt_id": job.attempt_id,
        },
        before=job.state,
        after=after,
        carried={str(name): value for name, value in carried.items()},
    )
