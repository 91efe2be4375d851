"""From an outcome to the job's next state: shared by the lane that finishes and by the sweep.

The attempt is closed first, with its outcome and proof, and the job is moved after it: the
database lets a job go back only if its attempt carries the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, assert_never

from sqlalchemy import select, update

from agent.domain.breaker import BREAKERS
from agent.domain.doubt import first_look_at
from agent.domain.moves import Carry, Event, State, Who
from agent.domain.outcome import NotSent, Outcome, Sent, Unknown
from agent.domain.policy import backoff_s
from agent.store import authorisations, breakers, confirming, moves, outbox
from agent.store.engine import one_row
from agent.store.errors import FenceLost
from agent.store.tables import ATTEMPT

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
    owner = confirming.owner_of(tx, job.job_id, outcome.post_id)
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
    posted = confirming.Posted(
        post_id=sent.post_id, permalink=sent.permalink, is_read_back=sent.is_read_back
    )
    confirming.confirm(
        tx,
        job,
        posted,
        event=Event.CONFIRMED,
        who=hand.who,
        actor=hand.actor,
        carried=_fence(hand),
    )


def _go_back(tx: Transaction, job: Standing, not_sent: NotSent, hand: Hand) -> None:
    failures = job.failures + int(not_sent.is_counted)
    carried = {Carry.NOT_SENT_PROOF: not_sent.proof, Carry.CODE: not_sent.code}
    values = {"failures": failures, "code": not_sent.code, "detail": not_sent.detail}
    may_go_on = not_sent.is_retryable and failures < tx.policy.attempts_max
    event, after = Event.REFUSED, State.NOT_SENT
    if may_go_on or job.authorisation_id is not None:
        event, after = Event.RETRIED, State.PREPARED
        values["not_before_at"] = _not_before(tx, not_sent, failures, hand)
    _move(tx, job, hand, event=event, after=after, carried=carried, values=values)
    if after is State.PREPARED and not (
        may_go_on and authorisations.is_live(tx, job.authorisation_id)
    ):
        _back_to_person(tx, job, not_sent, hand)


def _back_to_person(tx: Transaction, job: Standing, not_sent: NotSent, hand: Hand) -> None:
    """Put a job before a person again: this try left nothing, but an earlier one may be out."""
    authorisations.give_back_to_person(
        tx,
        moves.standing_of(tx, job.job_id),
        code=not_sent.code,
        detail=f"the try that was allowed left nothing ({not_sent.detail}); an earlier one may be "
        "out",
        who=hand.who,
        actor=hand.actor,
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
            "look_at": first_look_at(
                _started_at(tx, job), now=tx.now, policy=tx.policy, draw=tx.draw
            ),
            "looked_at": None,
        },
    )


def _started_at(tx: Transaction, job: Standing) -> datetime:
    """Return the click of the job's attempt, or its start when it never clicked."""
    attempt = tx.connection.execute(
        select(ATTEMPT.c.clicked_at, ATTEMPT.c.claimed_at).where(ATTEMPT.c.id == job.attempt_id)
    ).one()
    started_at: datetime = attempt.clicked_at or attempt.claimed_at
    return started_at


def _fence(hand: Hand) -> dict[Carry, Any]:
    return {} if hand.fence is None else {Carry.FENCE: hand.fence}


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
    moves.move_job(
        tx,
        job,
        event=event,
        after=after,
        who=hand.who,
        actor=hand.actor,
        carried={**carried, **_fence(hand)},
        values=values,
    )
    code = carried.get(Carry.CODE)
    body = {} if code is None else {"code": code}
    outbox.put(tx, f"job.{after}", account_id=job.account_id, job_id=job.job_id, body=body)
