"""The claim of a look, one at a time for each account, under the fence and lease of its lane.

A job that is unknown is looked for by the schedule; one before a person only when somebody asked,
and then nothing but the post itself moves it. Looks come before posts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update

from agent.domain.moves import Carry, Event, State, Who
from agent.store import (
    accounts,
    audit,
    lane,
    leases,
    moves,
    outbox,
    reading,
    sealed,
    tries,
)
from agent.store.doubt_reading import looks_of
from agent.store.doubt_tables import LOOK
from agent.store.engine import one_row
from agent.store.errors import MoveConflict
from agent.store.lane import Work
from agent.store.records import LookClaim, LookTicket
from agent.store.tables import ATTEMPT, JOB

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from sqlalchemy import Row

    from agent.domain.ids import AccountId, JobId
    from agent.domain.payload import Payload
    from agent.store.engine import Transaction
    from agent.store.leases import Lease
    from agent.store.records import JobRecord


def claim_look(
    tx: Transaction, account_id: AccountId, *, worker: str, skip: AbstractSet[JobId]
) -> LookClaim | None:
    """Claim the look of an account that is due the longest; None when there is none now.

    Args:
        tx: a writing transaction.
        account_id: whose lane.
        worker: who will look, for the history.
        skip: jobs to leave alone.
    """
    view = lane.view_of(tx, account_id)
    if view is None or not view.is_due(Work.LOOK, tx.now):
        return None
    row = _longest_due(tx, account_id, skip)
    if row is None:
        return None
    look_id = tx.ids.new("look")
    lease = leases.take(tx, account_id, look_id, worker=worker)
    if lease is None:
        return None
    ticket = LookTicket(
        account_id=account_id,
        job_id=row.id,
        attempt_id=row.attempt_id,
        fence=lease.fence,
        look_id=look_id,
    )
    payload = sealed.intact(row)
    if payload is None:
        _hand_over_altered(tx, row, ticket, worker)
        return None
    number = _begin(tx, row, ticket, worker)
    if row.state == State.UNKNOWN:
        _move(tx, row, ticket, worker, event=Event.LOOKED, after=State.RECONCILING)
    return _claim(tx, row, payload, ticket, lease, number=number)


def look_now(tx: Transaction, job_id: JobId, *, actor: str) -> JobRecord:
    """Make a look due at once, because somebody asks; as `reconcile` and a ruling need it.

    Raises:
        NotFound: there is no such job.
        MoveConflict: the job is not in doubt, or a look at it is under way.
    """
    job = moves.standing_of(tx, job_id)
    asked = tx.connection.execute(
        update(JOB)
        .where(JOB.c.id == job_id, JOB.c.state.in_((State.UNKNOWN, State.NEEDS_MANUAL)))
        .values(look_at=tx.now, look_asked_by=actor)
    )
    if not one_row(asked):
        raise MoveConflict(
            f"{job_id} is {job.state}: there is nothing to look for; see: postproof show {job_id}"
        )
    audit.append(
        tx,
        event="look_asked",
        who=Who.OPERATOR,
        actor=actor,
        subjects={"account_id": job.account_id, "intent_id": job.intent_id, "job_id": job_id},
    )
    return reading.job(tx, job_id)


def _longest_due(
    tx: Transaction, account_id: AccountId, skip: AbstractSet[JobId]
) -> Row[Any] | None:
    statement = (
        sealed.jobs_with_payload()
        .where(JOB.c.account_id == account_id, lane.TO_LOOK, JOB.c.look_at <= tx.now)
        .order_by(JOB.c.look_at, JOB.c.id)
        .limit(1)
        .with_for_update(of=JOB, skip_locked=True)
    )
    if skip:
        statement = statement.where(JOB.c.id.not_in(skip))
    return tx.connection.execute(statement).one_or_none()


def _begin(tx: Transaction, row: Row[Any], ticket: LookTicket, worker: str) -> int:
    before = tx.connection.execute(
        select(func.count()).select_from(LOOK).where(LOOK.c.job_id == row.id)
    ).scalar_one()
    tx.connection.execute(
        insert(LOOK).values(
            id=ticket.look_id,
            job_id=row.id,
            account_id=row.account_id,
            attempt_id=row.attempt_id,
            number=before + 1,
            fence=ticket.fence,
            worker=worker,
            asked_by=row.look_asked_by,
            claimed_at=tx.now,
        )
    )
    return int(before) + 1


def _claim(
    tx: Transaction,
    row: Row[Any],
    payload: Payload,
    ticket: LookTicket,
    lease: Lease,
    *,
    number: int,
) -> LookClaim:
    attempts = tuple(
        reading.attempt_record(one)
        for one in tx.connection.execute(
            select(ATTEMPT).where(ATTEMPT.c.job_id == row.id).order_by(ATTEMPT.c.number)
        )
    )
    return LookClaim(
        ticket=ticket,
        job=reading.job(tx, row.id),
        payload=payload,
        account=accounts.by_id(tx, row.account_id),
        number=number,
        asked_by=row.look_asked_by,
        attempt=next(one for one in attempts if one.id == row.attempt_id),
        attempts=attempts,
        tried=tries.tried(tx, ticket.job_id),
        since=tries.since(tx, ticket.job_id),
        since_for_person=tries.since_for_person(tx, ticket.job_id),
        open_siblings=tries.open_siblings(tx, row),
        looks=tuple(one for one in looks_of(tx, ticket.job_id) if one.id != ticket.look_id),
        lease_until=lease.until,
    )


def _hand_over_altered(tx: Transaction, row: Row[Any], ticket: LookTicket, worker: str) -> None:
    """Nobody can look for what was altered: a person decides, and learns of it."""
    detail = sealed.raise_alarm(tx, row, worker)
    quiet = {"look_at": None, "look_asked_by": None}
    if row.state == State.UNKNOWN:
        _move(tx, row, ticket, worker, event=Event.LOOKED, after=State.RECONCILING)
        moves.move_job(
            tx,
            moves.standing_of(tx, ticket.job_id),
            event=Event.HANDED_OVER,
            after=State.NEEDS_MANUAL,
            who=Who.LANE,
            actor=worker,
            carried={Carry.FENCE: ticket.fence, Carry.CODE: sealed.PAYLOAD_ALTERED},
            values={"code": sealed.PAYLOAD_ALTERED, "detail": detail, **quiet},
        )
        outbox.put(tx, "job.needs_manual", account_id=row.account_id, job_id=row.id)
    else:
        tx.connection.execute(update(JOB).where(JOB.c.id == row.id).values(**quiet))
    leases.give_back(tx, ticket)


def _move(
    tx: Transaction, row: Row[Any], ticket: LookTicket, worker: str, *, event: Event, after: State
) -> None:
    moves.move_job(
        tx,
        moves.standing(row),
        event=event,
        after=after,
        who=Who.LANE,
        actor=worker,
        carried={Carry.FENCE: ticket.fence},
        values={"look_asked_by": None},
    )
