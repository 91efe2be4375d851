"""From an outcome to the job's next state: shared by the lane that finishes and by the sweep.

The attempt is closed first, with its outcome and proof, and the job is moved after it: the
database lets a job go back only if its attempt carries the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, assert_never

from sqlalchemy import select, update

from agent.domain.breaker import BREAKERS
from agent.domain.moves import Carry, Event, State, Who
from agent.domain.outcome import NotSent, Outcome, Sent, Unknown
from agent.domain.policy import backoff_s
from agent.store import breakers, moves, outbox
from agent.store.engine import one_row
from agent.store.errors import FenceLost
from agent.store.tables import ATTEMPT, JOB, SEGMENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent.domain.ids import Fence
    from agent.store.engine import Transaction
    from agent.store.moves import Standing

_OUTCOME_WORDS = {Sent: "sent", NotSent: "not_sent", Unknown: "unknown"}


@dataclass(frozen=True, kw_only=True)
class Hand:
    """Who settles: a lane names its fence; the sweep, which comes after a lapse, has none."""

    who: Who
    actor: str
    fence: Fence | None
    backoff_base_s: float


def settle(
    tx: Transaction, job: Standing, outcome: Outcome, hand: Hand, *, facts: str | None
) -> None:
    """Close the job's current attempt with an outcome and make the move that follows from it.

    Raises:
        FenceLost: the attempt is closed already, or the lane has another claim.
    """
    outcome = _not_taken(tx, job, outcome)
    _close_attempt(tx, job, outcome, facts)
    match outcome:
        case Sent():
            _confirm(tx, job, outcome, hand)
        case NotSent():
            _go_back(tx, job, outcome, hand)
        case Unknown():
            _doubt(tx, job, outcome, hand)
        case _:
            assert_never(outcome)
    if not isinstance(outcome, Sent) and outcome.breaker is not None:
        breakers.open_one(
            tx,
            job.account_id,
            outcome.breaker,
            detail=outcome.detail,
            who=hand.who,
            actor=hand.actor,
        )


def word_of(outcome: Outcome) -> str:
    """Return the word by which an attempt's outcome is kept."""
    return _OUTCOME_WORDS[type(outcome)]


def _not_taken(tx: Transaction, job: Standing, outcome: Outcome) -> Outcome:
    """Turn a post that confirms another job into a doubt: one permalink, one job."""
    if not isinstance(outcome, Sent):
        return outcome
    channel = select(JOB.c.channel).where(JOB.c.id == job.job_id).scalar_subquery()
    owner = tx.connection.execute(
        select(JOB.c.id).where(JOB.c.channel == channel, JOB.c.remote_id == outcome.post_id)
    ).scalar_one_or_none()
    if owner is None:
        return outcome
    detail = f"post {outcome.post_id} confirms {owner} already"
    return Unknown(code="post_taken", detail=detail, breaker=None)


def _close_attempt(tx: Transaction, job: Standing, outcome: Outcome, facts: str | None) -> None:
    values: dict[str, Any] = {"outcome": word_of(outcome), "facts": facts, "ended_at": tx.now}
    match outcome:
        case Sent():
            values |= {"post_id": outcome.post_id}
        case NotSent():
            values |= {"code": outcome.code, "detail": outcome.detail, "proof": outcome.proof}
        case Unknown():
            values |= {"code": outcome.code, "detail": outcome.detail}
        case _:
            assert_never(outcome)
    closed = tx.connection.execute(
        update(ATTEMPT)
        .where(ATTEMPT.c.id == job.attempt_id, ATTEMPT.c.ended_at.is_(None))
        .values(**values)
    )
    if not one_row(closed):
        raise FenceLost(f"the attempt of {job.job_id} is closed already; nothing was changed")


def _confirm(tx: Transaction, job: Standing, sent: Sent, hand: Hand) -> None:
    posted = {"permalink": sent.permalink, "remote_id": sent.post_id}
    _move(
        tx,
        job,
        hand,
        event=Event.CONFIRMED,
        after=State.CONFIRMED,
        carried={Carry.PERMALINK: sent.permalink},
        values={
            **posted,
            "read_back_owed": not sent.is_read_back,
            "code": None,
            "detail": None,
        },
    )
    tx.connection.execute(
        update(SEGMENT)
        .where(SEGMENT.c.job_id == job.job_id, SEGMENT.c.position == 1)
        .values(posted)
    )


def _go_back(tx: Transaction, job: Standing, not_sent: NotSent, hand: Hand) -> None:
    failures = job.failures + int(not_sent.is_counted)
    carried = {Carry.NOT_SENT_PROOF: not_sent.proof, Carry.CODE: not_sent.code}
    values = {"failures": failures, "code": not_sent.code, "detail": not_sent.detail}
    if not_sent.is_retryable and failures < tx.policy.attempts_max:
        values["not_before_at"] = _not_before(tx, not_sent, failures, hand)
        _move(
            tx, job, hand, event=Event.RETRIED, after=State.PREPARED, carried=carried, values=values
        )
    else:
        _move(
            tx, job, hand, event=Event.REFUSED, after=State.NOT_SENT, carried=carried, values=values
        )


def _not_before(tx: Transaction, not_sent: NotSent, failures: int, hand: Hand) -> Any:  # noqa: ANN401 - an instant or nothing, among a row's values
    """Return when to try again; what a breaker or a person bounds needs no wait of its own."""
    is_bounded = not_sent.breaker is not None and BREAKERS[not_sent.breaker].lasts_s is not None
    if not not_sent.is_counted or is_bounded:
        return None
    wait_s = backoff_s(
        failures=failures,
        base_s=hand.backoff_base_s,
        cap_s=tx.policy.backoff_cap_s,
        draw=tx.draw,
    )
    return tx.now + timedelta(seconds=wait_s)


def _doubt(tx: Transaction, job: Standing, unknown: Unknown, hand: Hand) -> None:
    _move(
        tx,
        job,
        hand,
        event=Event.DOUBTED,
        after=State.UNKNOWN,
        carried={Carry.CODE: unknown.code},
        values={
            "code": unknown.code,
            "detail": unknown.detail,
            "look_at": tx.now + timedelta(seconds=tx.policy.look_after_s[0]),
            "looked_at": None,
        },
    )


def _move(
    tx: Transaction,
    job: Standing,
    hand: Hand,
    *,
    event: Event,
    after: State,
    carried: Mapping[Carry, Any],
    values: Mapping[str, Any],
) -> None:
    fence = {} if hand.fence is None else {Carry.FENCE: hand.fence}
    moves.move_job(
        tx,
        job,
        event=event,
        after=after,
        who=hand.who,
        actor=hand.actor,
        carried={**carried, **fence},
        values=values,
    )
    code = carried.get(Carry.CODE)
    body = {} if code is None else {"code": code}
    outbox.put(tx, f"job.{after}", account_id=job.account_id, job_id=job.job_id, body=body)
