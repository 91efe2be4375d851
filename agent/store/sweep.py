"""The search for claims whose worker is gone, and what the record says about each.

Not released: proven not sent, so it goes back, counted, or is given up at the cap. Released: it
may be out, so it is unknown. The lane's epoch is raised, so that a worker which wakes up later
can write nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select, update

from agent.domain.ids import JobId
from agent.domain.moves import Carry, Event, State, Who
from agent.domain.outcome import NotSent, NotSentProof, Outcome, Unknown
from agent.store import audit, breakers, moves
from agent.store.engine import one_row
from agent.store.lane import AT_BROWSER
from agent.store.records import Swept
from agent.store.settle import Hand, settle
from agent.store.tables import ATTEMPT, JOB, LANE

if TYPE_CHECKING:
    from sqlalchemy import Row

    from agent.store.engine import Transaction

LAPSED = "lease_lapsed"
LOST = "lost_after_release"


def sweep(tx: Transaction, *, live_leases_too: bool) -> Swept:
    """Settle every claim whose lease has lapsed, and write down breakers that time closed.

    Args:
        tx: a writing transaction.
        live_leases_too: also those whose lease still runs.

    Warning:
        `live_leases_too` is for a daemon's start only, while it holds the daemon lock: no other
        worker of this database can be alive then.
    """
    became: dict[State, list[JobId]] = {}
    for row in _lapsed(tx, live_leases_too=live_leases_too):
        if _take_lane(tx, row):
            became.setdefault(_settle(tx, row), []).append(JobId(row.id))
    return Swept(
        taken_back=tuple(became.get(State.PREPARED, ())),
        given_up=tuple(became.get(State.NOT_SENT, ())),
        doubted=tuple(became.get(State.UNKNOWN, ())),
        breakers_closed=breakers.close_expired(tx),
    )


def _lapsed(tx: Transaction, *, live_leases_too: bool) -> list[Row[Any]]:
    statement = (
        select(JOB, LANE.c.epoch, LANE.c.holder)
        .join(LANE, LANE.c.account_id == JOB.c.account_id)
        .where(AT_BROWSER)
    )
    if not live_leases_too:
        lapsed = or_(LANE.c.lease_until.is_(None), LANE.c.lease_until < tx.now)
        statement = statement.where(lapsed)
    return sorted(tx.connection.execute(statement), key=lambda row: str(row.id))


def _take_lane(tx: Transaction, row: Row[Any]) -> bool:
    taken = tx.connection.execute(
        update(LANE)
        .where(LANE.c.account_id == row.account_id, LANE.c.epoch == row.epoch)
        .values(epoch=row.epoch + 1, lease_until=None, holder=None, in_flight=None)
    )
    return one_row(taken)


def _settle(tx: Transaction, row: Row[Any]) -> State:
    job = moves.standing(row)
    if job.state is State.RECONCILING:
        moves.move_job(
            tx,
            job,
            event=Event.LAPSED,
            after=State.UNKNOWN,
            who=Who.SWEEP,
            actor=audit.SYSTEM,
            carried={Carry.CODE: "look_lapsed"},
            values={"look_at": tx.now},
        )
        return State.UNKNOWN
    hand = Hand(
        who=Who.SWEEP,
        actor=audit.SYSTEM,
        fence=None,
        backoff_base_s=tx.policy.lapse_backoff_base_s,
    )
    settle(tx, job, _outcome(tx, row), hand, facts=None)
    return moves.standing_of(tx, job.job_id).state


def _outcome(tx: Transaction, row: Row[Any]) -> Outcome:
    attempt = tx.connection.execute(
        select(ATTEMPT.c.released_at, ATTEMPT.c.phase).where(ATTEMPT.c.id == row.attempt_id)
    ).one()
    worker = row.holder or "a worker"
    if attempt.released_at is not None:
        detail = f"{worker} was lost after the release; the post may be out"
        return Unknown(code=LOST, detail=detail, breaker=None)
    return NotSent(
        proof=NotSentProof.NOT_RELEASED,
        code=LAPSED,
        detail=f"{worker} was lost at {attempt.phase or 'the start'}, before the release",
        is_retryable=True,
        is_counted=True,
        breaker=None,
    )
