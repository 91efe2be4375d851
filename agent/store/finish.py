"""The end of an attempt, written by the lane that holds it.

Asking again with the same ticket and the same outcome changes nothing and returns the job, so
that a commit whose answer was lost is safely repeated. Once the sweep has taken the claim away,
the fence moves nothing.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from agent.domain.moves import State, Who
from agent.domain.outcome import Outcome, Sent, agreed_with_record
from agent.domain.payload import canonical_json
from agent.store import leases, moves, reading
from agent.store.errors import FenceLost
from agent.store.settle import Hand, settle, word_of
from agent.store.tables import ATTEMPT

if TYPE_CHECKING:
    from sqlalchemy import Row

    from agent.domain.facts import AttemptFacts
    from agent.store.engine import Transaction
    from agent.store.records import JobRecord, Ticket


def finish(
    tx: Transaction, ticket: Ticket, outcome: Outcome, *, facts: AttemptFacts | None
) -> JobRecord:
    """Close the attempt and move its job; return the job as it is then.

    Args:
        tx: a writing transaction.
        ticket: the claim.
        outcome: what the facts were judged to be; the durable record may overrule it.
        facts: what was seen, kept with the attempt.

    Raises:
        FenceLost: the claim is over; the attempt was settled without this worker.
    """
    attempt = tx.connection.execute(
        select(ATTEMPT).where(ATTEMPT.c.id == ticket.attempt_id).with_for_update()
    ).one()
    agreed = agreed_with_record(outcome, is_released=attempt.released_at is not None)
    if attempt.ended_at is not None:
        if not _is_the_same(attempt, agreed):
            raise FenceLost(f"the claim of {ticket.job_id} is over; it was settled without it")
        return reading.job(tx, ticket.job_id)
    job = moves.standing_of(tx, ticket.job_id)
    if job.state is not State.SENDING or job.attempt_id != ticket.attempt_id:
        raise FenceLost(f"{ticket.job_id} is {job.state}; this attempt is not its current one")
    hand = Hand(
        who=Who.LANE,
        actor=attempt.worker,
        fence=ticket.fence,
        backoff_base_s=tx.policy.backoff_base_s,
    )
    settle(tx, job, agreed, hand, facts=_kept(facts))
    leases.give_back(tx, ticket)
    return reading.job(tx, ticket.job_id)


def _is_the_same(attempt: Row[Any], outcome: Outcome) -> bool:
    if attempt.outcome != word_of(outcome):
        return False
    if isinstance(outcome, Sent):
        return bool(attempt.post_id == outcome.post_id)
    return bool(attempt.code == outcome.code)


def _kept(facts: AttemptFacts | None) -> str | None:
    """Return the facts as JSON, without the frozen text, which the payload holds already."""
    if facts is None:
        return None
    seen = asdict(facts)
    del seen["expected"]
    return canonical_json(seen)
