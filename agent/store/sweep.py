"""The search for claims whose worker is gone, and what the record says about each.

Not released: proven not sent, so it goes back, counted, or is given up at the cap. Released: it
may be out, so it is unknown. A look or a reading that was lost says nothing and is made again,
within its bounds. The lane's epoch is raised, so that a worker which wakes up later can write
nothing. A doubt that nobody can look at for too long is put before a person.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, or_, select, update

from agent.domain.doubt import COULD_NOT_LOOK, HandOver, LookAgain, LookResult, LookSeen, after_look
from agent.domain.ids import JobId
from agent.domain.moves import Carry, Event, State, Who
from agent.domain.outcome import NotSent, NotSentProof, Outcome, Unknown
from agent.domain.watch import ReadResult, ReadSeen
from agent.store import audit, breakers, look_finish, moves, rereads, tries
from agent.store.doubt_tables import LOOK, READING
from agent.store.engine import one_row
from agent.store.lane import AT_BROWSER, STOPS_READING
from agent.store.look_forms import columns_of
from agent.store.records import Swept
from agent.store.settle import Hand, settle
from agent.store.tables import ACCOUNT, ATTEMPT, BREAKER, JOB, LANE

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Row

    from agent.store.engine import Transaction
    from agent.store.moves import Standing

LAPSED = "lease_lapsed"
LOST = "lost_after_release"
LOOK_LAPSED = "look_lapsed"
READING_LAPSED = "reading_lapsed"


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
    reads_lapsed = _take_reads_back(tx, live_leases_too=live_leases_too)
    closed = breakers.close_expired(tx)
    handed_over = [*became.get(State.NEEDS_MANUAL, ()), *_hand_over_unreadable(tx)]
    return Swept(
        taken_back=tuple(became.get(State.PREPARED, ())),
        given_up=tuple(became.get(State.NOT_SENT, ())),
        doubted=tuple(became.get(State.UNKNOWN, ())),
        handed_over=tuple(handed_over),
        reads_lapsed=reads_lapsed,
        breakers_closed=closed,
    )


def _lapsed(tx: Transaction, *, live_leases_too: bool) -> list[Row[Any]]:
    statement = (
        select(JOB, LANE.c.epoch, LANE.c.holder)
        .join(LANE, LANE.c.account_id == JOB.c.account_id)
        .where(AT_BROWSER)
    )
    if not live_leases_too:
        statement = statement.where(or_(LANE.c.lease_until.is_(None), _has_lapsed(tx)))
    return sorted(tx.connection.execute(statement), key=lambda row: str(row.id))


def _has_lapsed(tx: Transaction) -> ColumnElement[bool]:
    return LANE.c.lease_until < tx.now


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
        return _take_look_back(tx, job, row)
    hand = Hand(
        who=Who.SWEEP,
        actor=audit.SYSTEM,
        fence=None,
        backoff_base_s=tx.policy.lapse_backoff_base_s,
    )
    settle(tx, job, _outcome(tx, row), hand, facts=None)
    return moves.standing_of(tx, job.job_id).state


def _take_look_back(tx: Transaction, job: Standing, row: Row[Any]) -> State:
    """Keep the lost look as void, and look again by its schedule, or hand over at its bounds."""
    seen = _lost_look(row.holder)
    _close_looks(tx, job, seen)
    step = after_look(
        seen,
        look_finish.looking(tx, job),
        tried=tries.tried(tx, job.job_id),
        now=tx.now,
        policy=tx.policy,
        draw=tx.draw,
    )
    moves.move_job(
        tx,
        job,
        event=Event.LAPSED,
        after=State.UNKNOWN,
        who=Who.SWEEP,
        actor=audit.SYSTEM,
        carried={Carry.CODE: seen.code},
        values={"look_at": step.at if isinstance(step, LookAgain) else tx.now},
    )
    if isinstance(step, HandOver):
        _hand_over(tx, moves.standing_of(tx, job.job_id), step)
        return State.NEEDS_MANUAL
    return State.UNKNOWN


def _take_reads_back(tx: Transaction, *, live_leases_too: bool) -> int:
    """Free the lanes that a lost reading, or a lost look that a person asked for, still holds."""
    held = LANE.c.lease_until.is_not(None) if live_leases_too else _has_lapsed(tx)
    lanes = tx.connection.execute(select(LANE).where(held)).all()
    for lane in lanes:
        _take_lane(tx, lane)
        _close_asked_look(tx, lane)
        _close_reading(tx, lane)
    return len(lanes)


def _close_asked_look(tx: Transaction, lane: Row[Any]) -> None:
    look = tx.connection.execute(
        select(LOOK).where(LOOK.c.id == lane.in_flight, LOOK.c.ended_at.is_(None))
    ).one_or_none()
    if look is not None:
        seen = _lost_look(lane.holder)
        look_finish.close(tx, look.id, columns_of(seen, posts_max=0))
        tx.connection.execute(
            update(JOB)
            .where(JOB.c.id == look.job_id, JOB.c.state == State.NEEDS_MANUAL)
            .values(look_at=None, look_asked_by=None)
        )


def _close_reading(tx: Transaction, lane: Row[Any]) -> None:
    row = tx.connection.execute(
        select(READING).where(READING.c.id == lane.in_flight, READING.c.ended_at.is_(None))
    ).one_or_none()
    if row is not None:
        seen = ReadSeen(
            result=ReadResult.TROUBLE,
            code=READING_LAPSED,
            why=f"{lane.holder} was lost while it read the post",
            breaker=None,
            facts={},
        )
        rereads.end(tx, row, seen, who=Who.SWEEP)


def _close_looks(tx: Transaction, job: Standing, seen: LookSeen) -> None:
    open_looks = tx.connection.execute(
        select(LOOK.c.id).where(LOOK.c.job_id == job.job_id, LOOK.c.ended_at.is_(None))
    ).scalars()
    for look_id in list(open_looks):
        look_finish.close(tx, look_id, columns_of(seen, posts_max=0))


def _lost_look(holder: str | None) -> LookSeen:
    return LookSeen(
        result=LookResult.VOID,
        code=LOOK_LAPSED,
        why=f"{holder or 'a worker'} was lost while it looked",
        verdict=None,
        wanted=None,
        posts=(),
        reached_id=None,
        page_loads=0,
        is_read_back=False,
        breaker=None,
        facts={},
        policy={},
    )


def _hand_over_unreadable(tx: Transaction) -> list[JobId]:
    """Put doubts before a person whose account has kept everybody from looking for too long."""
    given_up_at = tx.now - timedelta(seconds=tx.policy.look_within_s)
    is_blind = exists().where(
        BREAKER.c.account_id == JOB.c.account_id,
        BREAKER.c.closed_at.is_(None),
        BREAKER.c.until_at.is_(None),
        BREAKER.c.kind.in_(STOPS_READING),
    )
    rows = tx.connection.execute(
        select(JOB)
        .join(ACCOUNT, ACCOUNT.c.id == JOB.c.account_id)
        .where(
            JOB.c.state == State.UNKNOWN,
            JOB.c.state_at < given_up_at,
            or_(is_blind, ACCOUNT.c.user_id.is_(None)),
        )
        .order_by(JOB.c.id)
    ).all()
    why = "the account cannot be looked at; see: postproof account show"
    for row in rows:
        _hand_over(tx, moves.standing(row), HandOver(code=COULD_NOT_LOOK, why=why))
    return [JobId(row.id) for row in rows]


def _hand_over(tx: Transaction, job: Standing, step: HandOver) -> None:
    look_finish.hand_over(tx, job, step, who=Who.SWEEP, actor=audit.SYSTEM, fence=None)


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
