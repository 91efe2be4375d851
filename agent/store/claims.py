"""The claim: one short transaction that makes a job `sending` under a fence and a lease.

It sets late jobs aside as missed, and checks the frozen payload against its digest before it
hands it out. The fence is the lane's epoch; whoever holds an older one can write nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from agent.domain.breaker import BreakerKind
from agent.domain.ids import AttemptId, Fence
from agent.domain.lateness import is_missed
from agent.domain.moves import Carry, Event, State, Who
from agent.domain.payload import payload_from_json
from agent.store import accounts, audit, breakers, lane, moves, outbox, reading
from agent.store.engine import one_row
from agent.store.enqueue import seal_of
from agent.store.errors import FenceLost
from agent.store.records import Claim, Ticket
from agent.store.tables import ATTEMPT, INTENT, JOB, LANE

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from sqlalchemy import Row

    from agent.domain.ids import AccountId, JobId
    from agent.domain.payload import Payload
    from agent.store.engine import Transaction

PAYLOAD_ALTERED = "payload_altered"


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
    view = next(iter(lane.views(tx, account_id)), None)
    if view is None or view.is_stopped or view.ready_at > tx.now:
        return None
    for _ in range(tx.policy.misses_per_claim_max):
        row = _oldest_due(tx, account_id, skip)
        if row is None or (row.not_before_at is not None and row.not_before_at > tx.now):
            return None
        if is_missed(due_at=row.due_at, now=tx.now, late_s_max=row.late_s_max):
            _miss(tx, row, worker)
            continue
        payload = _intact(row)
        if payload is None:
            _hold(tx, row, worker)
            return None
        return _take(tx, row, payload, worker)
    return None


def renew(tx: Transaction, ticket: Ticket) -> datetime:
    """Renew the lease; return until when it holds.

    Raises:
        FenceLost: the lease has lapsed, or the lane has another claim.
    """
    until = tx.now + timedelta(seconds=tx.policy.lease_s)
    renewed = tx.connection.execute(
        update(LANE)
        .where(
            LANE.c.account_id == ticket.account_id,
            LANE.c.epoch == ticket.fence,
            LANE.c.in_flight == ticket.attempt_id,
            LANE.c.lease_until >= tx.now,
        )
        .values(lease_until=until)
    )
    if not one_row(renewed):
        raise FenceLost(f"the claim of {ticket.job_id} is over; stop, and leave it to the sweep")
    return until


def _oldest_due(
    tx: Transaction, account_id: AccountId, skip: AbstractSet[JobId]
) -> Row[Any] | None:
    statement = (
        select(JOB, INTENT.c.payload, INTENT.c.digest, INTENT.c.seal)
        .join(INTENT, INTENT.c.id == JOB.c.intent_id)
        .where(JOB.c.account_id == account_id, lane.WAITING, JOB.c.due_at <= tx.now)
        .order_by(JOB.c.due_at, JOB.c.id)
        .limit(1)
        .with_for_update(of=JOB, skip_locked=True)
    )
    if skip:
        statement = statement.where(JOB.c.id.not_in(skip))
    return tx.connection.execute(statement).one_or_none()


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


def _intact(row: Row[Any]) -> Payload | None:
    """Return the payload if it is, to the byte, the one that was frozen."""
    if seal_of(row.payload) != row.seal:
        return None
    try:
        payload = payload_from_json(row.payload)
        return payload if payload.digest() == row.digest else None
    except ValueError:
        return None


def _hold(tx: Transaction, row: Row[Any], worker: str) -> None:
    """Hold the job and stop the account: somebody changed what was frozen."""
    detail = f"the payload of {row.id} is not the one that was frozen"
    held = tx.connection.execute(
        update(JOB)
        .where(JOB.c.id == row.id, JOB.c.version == row.version)
        .values(held_code=PAYLOAD_ALTERED, detail=detail, version=row.version + 1)
    )
    if not one_row(held):
        return
    subjects = {"account_id": row.account_id, "intent_id": row.intent_id, "job_id": row.id}
    audit.append(tx, event=PAYLOAD_ALTERED, who=Who.LANE, actor=worker, subjects=subjects)
    breakers.open_one(
        tx,
        row.account_id,
        BreakerKind.PAYLOAD_ALTERED,
        detail=detail,
        who=Who.LANE,
        actor=worker,
    )
    outbox.put(
        tx, "alarm", account_id=row.account_id, job_id=row.id, body={"code": PAYLOAD_ALTERED}
    )


def _take(tx: Transaction, row: Row[Any], payload: Payload, worker: str) -> Claim | None:
    attempt_id = AttemptId(tx.ids.new("att"))
    lease_until = tx.now + timedelta(seconds=tx.policy.lease_s)
    fence = _raise_epoch(tx, row.account_id, attempt_id, worker, lease_until)
    if fence is None:
        return None
    tx.connection.execute(
        insert(ATTEMPT).values(
            id=attempt_id,
            job_id=row.id,
            account_id=row.account_id,
            number=row.attempts + 1,
            fence=fence,
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
        carried={Carry.FENCE: fence},
        values={"attempt_id": attempt_id, "attempts": row.attempts + 1, "not_before_at": None},
    )
    return Claim(
        ticket=Ticket(account_id=row.account_id, job_id=row.id, attempt_id=attempt_id, fence=fence),
        job=reading.job(tx, row.id),
        payload=payload,
        account=accounts.by_id(tx, row.account_id),
        attempt_number=row.attempts + 1,
        lease_until=lease_until,
    )


def _raise_epoch(
    tx: Transaction,
    account_id: AccountId,
    attempt_id: AttemptId,
    worker: str,
    lease_until: datetime,
) -> Fence | None:
    epoch = tx.connection.execute(
        select(LANE.c.epoch).where(LANE.c.account_id == account_id).with_for_update()
    ).scalar_one()
    raised = tx.connection.execute(
        update(LANE)
        .where(LANE.c.account_id == account_id, LANE.c.epoch == epoch, LANE.c.in_flight.is_(None))
        .values(epoch=epoch + 1, holder=worker, lease_until=lease_until, in_flight=attempt_id)
    )
    return Fence(epoch + 1) if one_row(raised) else None
