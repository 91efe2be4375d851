"""The end of a look: it is kept whole, with the move that follows from it, in one transaction.

Asking again with the same ticket and the same result changes nothing and returns the job. What
follows is the domain's (`doubt.after_look`); that a post confirms one job only is seen here and
held by the database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from sqlalchemy import select, update

from agent.domain.classification import permalink_of
from agent.domain.doubt import (
    Confirm,
    HandOver,
    LookAgain,
    Looking,
    LookResult,
    Step,
    after_look,
)
from agent.domain.moves import Carry, Event, State, Who
from agent.store import audit, breakers, confirming, leases, moves, outbox, reading, tries
from agent.store.confirming import Posted
from agent.store.doubt_tables import LOOK
from agent.store.engine import one_row
from agent.store.errors import FenceLost
from agent.store.look_forms import columns_of
from agent.store.tables import ACCOUNT, ATTEMPT, JOB

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Row

    from agent.domain.doubt import LookSeen
    from agent.domain.ids import PostId
    from agent.store.engine import Transaction
    from agent.store.moves import Standing
    from agent.store.records import JobRecord, LookTicket


def finish_look(tx: Transaction, ticket: LookTicket, seen: LookSeen) -> JobRecord:
    """Keep what a look saw and move its job; return the job as it is then.

    Raises:
        FenceLost: the claim is over; the look counts for nothing.
    """
    look = tx.connection.execute(
        select(LOOK).where(LOOK.c.id == ticket.look_id).with_for_update()
    ).one()
    if look.ended_at is not None:
        if (look.result, look.code, look.post_id) != (seen.result, seen.code, seen.found_id):
            raise FenceLost(f"the look for {ticket.job_id} is over; it was ended without it")
        return reading.job(tx, ticket.job_id)
    leases.give_back(tx, ticket)
    close(tx, ticket.look_id, columns_of(seen, posts_max=tx.policy.look_posts_kept_max))
    job = moves.standing_of(tx, ticket.job_id)
    audit.append(
        tx,
        event="look_finished",
        who=Who.LANE,
        actor=look.worker,
        subjects={"account_id": job.account_id, "intent_id": job.intent_id, "job_id": job.job_id},
        carried={"look": ticket.look_id, "result": seen.result, "code": seen.code},
    )
    if seen.breaker is not None:
        breakers.open_one(
            tx, job.account_id, seen.breaker, detail=seen.why, who=Who.LANE, actor=look.worker
        )
    _follow(tx, job, seen, ticket, actor=look.worker)
    return reading.job(tx, ticket.job_id)


def close(tx: Transaction, look_id: str, values: dict[str, Any]) -> None:
    """Close a look, once.

    Raises:
        FenceLost: it is closed already.
    """
    closed = tx.connection.execute(
        update(LOOK)
        .where(LOOK.c.id == look_id, LOOK.c.ended_at.is_(None))
        .values(ended_at=tx.now, **values)
    )
    if not one_row(closed):
        raise FenceLost(f"look {look_id} is closed already; nothing was changed")


def looking(tx: Transaction, job: Standing) -> Looking:
    """Return how far the looking for a job's latest attempt has come, closed looks counted."""
    attempt = tx.connection.execute(select(ATTEMPT).where(ATTEMPT.c.id == job.attempt_id)).one()
    code = tx.connection.execute(select(JOB.c.code).where(JOB.c.id == job.job_id)).scalar_one()
    looks = [row for row in _looks(tx, job) if row.result is not None]
    absent = [row.ended_at for row in looks if row.result == LookResult.ABSENT]
    void = sum(1 for row in looks if row.result == LookResult.VOID)
    return Looking(
        started_at=attempt.clicked_at or attempt.claimed_at,
        first_at=min((row.claimed_at for row in looks), default=tx.now),
        first_absent_at=min(absent, default=None),
        absent=len(absent),
        void=void,
        code=code,
    )


def hand_over(
    tx: Transaction, job: Standing, step: HandOver, *, who: Who, actor: str, fence: int | None
) -> None:
    """Put a job in doubt before a person, with the reason."""
    carried: dict[Carry, Any] = {Carry.CODE: step.code}
    moves.move_job(
        tx,
        job,
        event=Event.HANDED_OVER,
        after=State.NEEDS_MANUAL,
        who=who,
        actor=actor,
        carried=carried if fence is None else carried | {Carry.FENCE: fence},
        values={"code": step.code, "detail": step.why, "look_at": None, "look_asked_by": None},
    )
    outbox.put(
        tx,
        "job.needs_manual",
        account_id=job.account_id,
        job_id=job.job_id,
        body={"code": step.code},
    )


def _looks(tx: Transaction, job: Standing) -> list[Row[Any]]:
    # The posts and verdicts of all looks are large; they are not read here.
    columns = [LOOK.c.attempt_id, LOOK.c.result, LOOK.c.claimed_at, LOOK.c.ended_at]
    rows: Iterable[Row[Any]] = tx.connection.execute(
        select(*columns).where(LOOK.c.job_id == job.job_id)
    )
    return [row for row in rows if row.attempt_id == job.attempt_id]


def _follow(
    tx: Transaction, job: Standing, seen: LookSeen, ticket: LookTicket, *, actor: str
) -> None:
    """Make the move that follows; what a person settled meanwhile stays settled."""
    if job.state not in (State.RECONCILING, State.NEEDS_MANUAL):
        return
    step = _step(tx, job, seen)
    if isinstance(step, Confirm):
        _confirm(tx, job, seen, step.post_id, ticket, actor=actor)
    elif job.state is State.NEEDS_MANUAL:
        _say_no_more(tx, job, seen)
    elif isinstance(step, HandOver):
        _note_look(tx, job, seen)
        hand_over(tx, job, step, who=Who.LANE, actor=actor, fence=ticket.fence)
    elif isinstance(step, LookAgain):
        _look_again(tx, job, seen, step.at, ticket, actor=actor)
    else:
        assert_never(step)


def _step(tx: Transaction, job: Standing, seen: LookSeen) -> Step:
    step = after_look(
        seen,
        looking(tx, job),
        tried=tries.tried(tx, job.job_id),
        now=tx.now,
        policy=tx.policy,
        draw=tx.draw,
    )
    if not isinstance(step, Confirm):
        return step
    owner = confirming.owner_of(tx, job.job_id, step.post_id)
    if owner is None:
        return step
    return HandOver(code="post_taken", why=f"post {step.post_id} confirms {owner} already")


def _confirm(
    tx: Transaction,
    job: Standing,
    seen: LookSeen,
    post_id: PostId,
    ticket: LookTicket,
    *,
    actor: str,
) -> None:
    _note_look(tx, job, seen)
    handle = tx.connection.execute(
        select(ACCOUNT.c.handle).where(ACCOUNT.c.id == job.account_id)
    ).scalar_one()
    confirming.confirm(
        tx,
        job,
        Posted(
            post_id=post_id,
            permalink=permalink_of(handle, post_id),
            is_read_back=seen.is_read_back,
        ),
        event=Event.FOUND,
        who=Who.LANE,
        actor=actor,
        carried={Carry.FENCE: ticket.fence},
    )


def _look_again(
    tx: Transaction,
    job: Standing,
    seen: LookSeen,
    at: datetime,
    ticket: LookTicket,
    *,
    actor: str,
) -> None:
    _note_look(tx, job, seen)
    moves.move_job(
        tx,
        job,
        event=Event.NOT_FOUND,
        after=State.UNKNOWN,
        who=Who.LANE,
        actor=actor,
        carried={Carry.FENCE: ticket.fence, Carry.CODE: seen.code},
        values={"look_at": at},
    )


def _note_look(tx: Transaction, job: Standing, seen: LookSeen) -> None:
    """Note that the first valid look is done; from then on the lane is free for other posts."""
    if seen.result is not LookResult.VOID:
        tx.connection.execute(update(JOB).where(JOB.c.id == job.job_id).values(looked_at=tx.now))


def _say_no_more(tx: Transaction, job: Standing, seen: LookSeen) -> None:
    """End a look that a person asked for and that did not settle the doubt: they decide."""
    _note_look(tx, job, seen)
    tx.connection.execute(
        update(JOB).where(JOB.c.id == job.job_id).values(look_at=None, look_asked_by=None)
    )
