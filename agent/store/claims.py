"""The claim: one short transaction that makes a job `sending` under a fence and a lease.

It sets late jobs aside as missed, lets those wait that are like one in doubt, and checks the
frozen payload against its digest before it hands it out. A look that is due comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, update

from agent.domain.ids import AttemptId
from agent.domain.lateness import is_missed
from agent.domain.moves import Carry, Event, State, Who
from agent.store import (
    accounts,
    authorisations,
    lane,
    leases,
    moves,
    outbox,
    reading,
    sealed,
    twins,
)
from agent.store.engine import one_row
from agent.store.lane import Work
from agent.store.records import Claim, Ticket
from agent.store.tables import ATTEMPT, JOB

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from sqlalchemy import Row

    from agent.domain.ids import AccountId, JobId
    from agent.domain.payload import Payload
    from agent.store.engine import Transaction


def claim_next(
    tx: Transaction, account_id: AccountId, *, worker: str, skip: AbstractSet[JobId]
) -> Claim | None:
    """Claim the oldest due job of a lane that is free; None when there is nothing to do now.

    Args:
        tx: a writing transaction.
        account_id: whose lane.
        worker: who will do it, for the history.
        skip: jobs to leave alone, such as those rehearsed already.
    """
    view = lane.view_of(tx, account_id)
    if view is None or view.is_due(Work.LOOK, tx.now) or not view.is_due(Work.SEND, tx.now):
        return None
    for _ in range(tx.policy.misses_per_claim_max):
        row = _oldest_due(tx, account_id, skip)
        if row is None or (row.not_before_at is not None and row.not_before_at > tx.now):
            return None
        if _is_missed(tx, row):
            _miss(tx, row, worker)
            continue
        payload = sealed.intact(row)
        if payload is None:
            _hold(tx, row, worker)
            return None
        if not _pass_over(tx, row, payload, worker):
            return _take(tx, row, payload, worker)
    return None


def _oldest_due(
    tx: Transaction, account_id: AccountId, skip: AbstractSet[JobId]
) -> Row[Any] | None:
    statement = (
        sealed.jobs_with_payload()
        .where(JOB.c.account_id == account_id, lane.WAITING, JOB.c.due_at <= tx.now)
        .order_by(JOB.c.due_at, JOB.c.id)
        .limit(1)
        .with_for_update(of=JOB, skip_locked=True)
    )
    if skip:
        statement = statement.where(JOB.c.id.not_in(skip))
    return tx.connection.execute(statement).one_or_none()


def _is_missed(tx: Transaction, row: Row[Any]) -> bool:
    """Tell whether it is too late; what a person allowed once more ends with the permission."""
    return row.authorisation_id is None and is_missed(
        due_at=row.due_at, now=tx.now, late_s_max=row.late_s_max
    )


def _miss(tx: Transaction, row: Row[Any], worker: str) -> None:
    late_s = int((tx.now - row.due_at).total_seconds())
    moves.move_job(
        tx,
        moves.standing(row),
        event=Event.MISSED,
        after=State.MISSED,
        who=Who.LANE,
        actor=worker,
        carried={Carry.CODE: "late"},
        values={
            "code": "late",
            "detail": f"due {late_s} s ago, and may be late by {row.late_s_max} s; "
            "give it a new time or cancel it",
        },
    )
    outbox.put(tx, "job.missed", account_id=row.account_id, job_id=row.id)


def _hold(tx: Transaction, row: Row[Any], worker: str) -> None:
    """Hold the job and stop the account: somebody changed what was frozen."""
    held = tx.connection.execute(
        update(JOB)
        .where(JOB.c.id == row.id, JOB.c.version == row.version)
        .values(held_code=sealed.PAYLOAD_ALTERED, version=row.version + 1)
    )
    if one_row(held):
        detail = sealed.raise_alarm(tx, row, worker)
        tx.connection.execute(update(JOB).where(JOB.c.id == row.id).values(detail=detail))


def _pass_over(tx: Transaction, row: Row[Any], payload: Payload, worker: str) -> bool:
    """Set a job aside that must not be tried now; tell whether it was."""
    if (code := authorisations.fault_of(tx, row)) is not None:
        authorisations.give_back_to_person(
            tx,
            moves.standing(row),
            code=code,
            detail="the permission to try once more was not used; decide again",
            who=Who.LANE,
            actor=worker,
        )
        return True
    if (doubt_id := twins.doubt_like(tx, row, payload)) is not None:
        twins.wait_for(tx, row, doubt_id, worker=worker)
        return True
    return False


def _take(tx: Transaction, row: Row[Any], payload: Payload, worker: str) -> Claim | None:
    attempt_id = AttemptId(tx.ids.new("att"))
    lease = leases.take(tx, row.account_id, attempt_id, worker=worker)
    if lease is None:
        return None
    tx.connection.execute(
        insert(ATTEMPT).values(
            id=attempt_id,
            job_id=row.id,
            account_id=row.account_id,
            number=row.attempts + 1,
            fence=lease.fence,
            worker=worker,
            claimed_at=tx.now,
        )
    )
    moves.move_job(
        tx,
        moves.standing(row, attempt_id=attempt_id),
        event=Event.CLAIMED,
        after=State.SENDING,
        who=Who.LANE,
        actor=worker,
        carried={Carry.FENCE: lease.fence},
        values={"attempt_id": attempt_id, "attempts": row.attempts + 1, "not_before_at": None},
    )
    return Claim(
        ticket=Ticket(
            account_id=row.account_id, job_id=row.id, attempt_id=attempt_id, fence=lease.fence
        ),
        job=reading.job(tx, row.id),
        payload=payload,
        account=accounts.by_id(tx, row.account_id),
        attempt_number=row.attempts + 1,
        lease_until=lease.until,
        authorisation=authorisations.by_id(tx, row.authorisation_id)
        if row.authorisation_id
        else None,
    )
