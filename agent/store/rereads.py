"""Reading confirmed posts again: the claim and the end of a reading.

Nothing here moves a job. What a reading owes, when the next is due, and what a person must be told
follows from the domain (`watch.after_reading`); the alarm stays on the job and goes to the outbox.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update

from agent.domain.breaker import BreakerKind
from agent.domain.moves import State, Who
from agent.domain.payload import canonical_json
from agent.domain.watch import (
    UNREADABLE,
    VANISHED,
    AfterReading,
    ReadPurpose,
    ReadResult,
    ReadSeen,
    Watching,
    after_reading,
)
from agent.store import accounts, audit, breakers, lane, leases, outbox, reading, sealed
from agent.store.doubt_tables import READING
from agent.store.engine import one_row
from agent.store.errors import FenceLost
from agent.store.lane import Work
from agent.store.records import ReadClaim, ReadTicket
from agent.store.tables import JOB

if TYPE_CHECKING:
    from sqlalchemy import Row

    from agent.domain.ids import AccountId
    from agent.domain.payload import Payload
    from agent.store.engine import Transaction
    from agent.store.leases import Lease
    from agent.store.records import JobRecord

_IN_A_ROW_MAX = 32  # more readings than any schedule makes of one post in a row


def claim_read(tx: Transaction, account_id: AccountId, *, worker: str) -> ReadClaim | None:
    """Claim the reading of an account that is due the longest; None when there is none now."""
    view = lane.view_of(tx, account_id)
    if view is None or not view.is_due(Work.READ, tx.now):
        return None
    row = tx.connection.execute(
        sealed.jobs_with_payload()
        .where(JOB.c.account_id == account_id, lane.TO_READ, JOB.c.read_at <= tx.now)
        .order_by(JOB.c.read_at, JOB.c.id)
        .limit(1)
        .with_for_update(of=JOB, skip_locked=True)
    ).one_or_none()
    if row is None:
        return None
    payload = sealed.intact(row)
    if payload is None:
        _give_up_altered(tx, row, worker)
        return None
    reading_id = tx.ids.new("read")
    lease = leases.take(tx, account_id, reading_id, worker=worker)
    return None if lease is None else _begin(tx, row, payload, reading_id, lease, worker=worker)


def finish_read(tx: Transaction, ticket: ReadTicket, seen: ReadSeen) -> JobRecord:
    """Keep what a reading saw, and say when the next is due; return the job as it is then.

    Raises:
        FenceLost: the claim is over; the reading counts for nothing.
    """
    row = tx.connection.execute(
        select(READING).where(READING.c.id == ticket.reading_id).with_for_update()
    ).one()
    if row.ended_at is not None:
        if (row.result, row.code) != (seen.result, seen.code):
            raise FenceLost(f"the reading of {ticket.job_id} is over; it was ended without it")
        return reading.job(tx, ticket.job_id)
    leases.give_back(tx, ticket)
    end(tx, row, seen, who=Who.LANE)
    return reading.job(tx, ticket.job_id)


def end(tx: Transaction, row: Row[Any], seen: ReadSeen, *, who: Who) -> None:
    """Close a reading and write down what follows from it; its lane is free already.

    Raises:
        FenceLost: it is closed already.
    """
    closed = tx.connection.execute(
        update(READING)
        .where(READING.c.id == row.id, READING.c.ended_at.is_(None))
        .values(
            ended_at=tx.now,
            result=seen.result,
            code=seen.code,
            why=seen.why,
            facts=canonical_json(dict(seen.facts)),
        )
    )
    if not one_row(closed):
        raise FenceLost(f"reading {row.id} is closed already; nothing was changed")
    if seen.breaker is not None:
        breakers.open_one(
            tx, row.account_id, seen.breaker, detail=seen.why, who=who, actor=row.worker
        )
    _follow(tx, row, seen, who=who)


def _begin(
    tx: Transaction,
    row: Row[Any],
    payload: Payload,
    reading_id: str,
    lease: Lease,
    *,
    worker: str,
) -> ReadClaim:
    purpose = ReadPurpose.READ_BACK if row.read_back_owed else ReadPurpose.WATCH
    before = tx.connection.execute(
        select(func.count()).select_from(READING).where(READING.c.job_id == row.id)
    ).scalar_one()
    tx.connection.execute(
        insert(READING).values(
            id=reading_id,
            job_id=row.id,
            account_id=row.account_id,
            attempt_id=row.attempt_id,
            purpose=purpose,
            number=before + 1,
            fence=lease.fence,
            worker=worker,
            claimed_at=tx.now,
        )
    )
    return ReadClaim(
        ticket=ReadTicket(
            account_id=row.account_id,
            job_id=row.id,
            attempt_id=row.attempt_id,
            fence=lease.fence,
            reading_id=reading_id,
        ),
        job=reading.job(tx, row.id),
        payload=payload,
        account=accounts.by_id(tx, row.account_id),
        purpose=purpose,
        number=before + 1,
        lease_until=lease.until,
    )


def _give_up_altered(tx: Transaction, row: Row[Any], worker: str) -> None:
    """Read no more what cannot be compared with anything."""
    tx.connection.execute(
        update(JOB).where(JOB.c.id == row.id).values(read_at=None, alarm=sealed.PAYLOAD_ALTERED)
    )
    sealed.raise_alarm(tx, row, worker)


def _follow(tx: Transaction, row: Row[Any], seen: ReadSeen, *, who: Who) -> None:
    job = tx.connection.execute(select(JOB).where(JOB.c.id == row.job_id).with_for_update()).one()
    if job.state != State.CONFIRMED:
        return
    after = after_reading(seen.result, _watching(tx, job), now=tx.now, policy=tx.policy)
    is_news = after.alarm is not None and after.alarm != job.alarm
    tx.connection.execute(
        update(JOB)
        .where(JOB.c.id == job.id)
        .values(
            read_back_owed=after.is_owed,
            read_at=after.read_at,
            alarm=_alarm(job.alarm, after, seen.result),
            vanished_at=tx.now if after.alarm == VANISHED else job.vanished_at,
        )
    )
    audit.append(
        tx,
        event="reading_finished",
        who=who,
        actor=row.worker,
        subjects={"account_id": job.account_id, "intent_id": job.intent_id, "job_id": job.id},
        carried={"result": seen.result, "code": seen.code, "alarm": after.alarm},
    )
    if is_news:
        _tell(tx, job, after, seen, who=who, actor=row.worker)


def _watching(tx: Transaction, job: Row[Any]) -> Watching:
    """Return how far the readings have come; the latest ones in a row are counted by result."""
    latest = tx.connection.execute(
        select(READING.c.result)
        .where(READING.c.job_id == job.id, READING.c.result.is_not(None))
        .order_by(READING.c.number.desc())
        .limit(_IN_A_ROW_MAX)
    ).scalars()
    results = list(latest)
    return Watching(
        confirmed_at=job.state_at,
        is_owed=job.read_back_owed,
        troubles=_in_a_row(results, ReadResult.TROUBLE),
        gone=_in_a_row(results, ReadResult.GONE),
    )


def _in_a_row(results: list[str], wanted: ReadResult) -> int:
    return sum(1 for _ in takewhile(lambda result: result == wanted, results))


def _alarm(kept: str | None, after: AfterReading, result: ReadResult) -> str | None:
    """Keep an alarm until a person has seen to it; only "could not be read" is over when it was."""
    if after.alarm is not None:
        return after.alarm
    return None if kept == UNREADABLE and result is ReadResult.EQUAL else kept


def _tell(
    tx: Transaction, job: Row[Any], after: AfterReading, seen: ReadSeen, *, who: Who, actor: str
) -> None:
    body = {"code": after.alarm, "why": seen.why, "permalink": job.permalink}
    outbox.put(tx, "alarm", account_id=job.account_id, job_id=job.id, body=body)
    if after.alarm == VANISHED:
        breakers.open_one(
            tx,
            job.account_id,
            BreakerKind.VANISHED,
            detail=f"{job.permalink} is gone: {seen.why}",
            who=who,
            actor=actor,
        )
