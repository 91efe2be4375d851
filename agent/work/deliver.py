"""One attempt of a job: the channel works, the lease is kept, the facts become an outcome.

The order of events is the channel's; the judgement is the domain's table; the move is the store's.
Never tries twice: whether there is another try is decided by the store's move, from the outcome.
Called by `lane`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agent.channels.channel import Delivery, Order
from agent.domain.classification import classify
from agent.domain.facts import AttemptFacts, Expected
from agent.store.errors import FenceLost
from agent.work.evidence import folder_of, kept
from agent.work.journal import AttemptJournal
from agent.work.lease import is_told_to_leave, under_lease

if TYPE_CHECKING:
    from agent.store.records import Claim, JobRecord, Ticket
    from agent.work.means import Means


async def deliver(claim: Claim, means: Means) -> JobRecord | None:
    """Makes one attempt and writes down how it ended.

    Args:
        claim: What the lane holds.
        means: What it works with.

    Returns:
        The job as it is now, or None when the claim was lost to another holder meanwhile.

    Raises:
        asyncio.CancelledError: Told to leave; the outcome is written first.
        StoreError: The outcome could not be written; the sweep settles the job by its record.
    """
    expected = _expected(claim)
    journal = AttemptJournal(claim, expected, means)
    order = Order(
        account_id=claim.account.id,
        expected=expected,
        evidence_dir=folder_of(claim.account.handle, claim.job.id, claim.ticket.attempt_id, means),
        rehearse=means.rehearse,
    )
    delivery = await _carry_out(order, journal, claim.ticket, means)
    job = await asyncio.shield(_finish(claim.ticket, delivery, means))
    if is_told_to_leave():
        raise asyncio.CancelledError
    return job


async def _carry_out(
    order: Order, journal: AttemptJournal, ticket: Ticket, means: Means
) -> Delivery:
    try:
        return await under_lease(means.channel.deliver(order, journal), ticket, means)
    except asyncio.CancelledError:
        return _by_record(order, journal, "cancelled", "the attempt was called off")
    except Exception as error:  # noqa: BLE001 - the record decides, whatever the error is
        means.tell(f"{ticket.job_id} channel failed: {type(error).__name__}: {error}")
        return _by_record(order, journal, "channel_failed", f"{type(error).__name__}: {error}")


def _by_record(order: Order, journal: AttemptJournal, code: str, detail: str) -> Delivery:
    """The facts of an attempt that ended without a report: what is on disk, and nothing else."""
    facts = AttemptFacts(
        expected=order.expected,
        phase=journal.phase,
        stop_code=code,
        stop_detail=detail,
        answer=None,
        toast=None,
        read_back=None,
    )
    return Delivery(facts=facts, captures=())


async def _finish(ticket: Ticket, delivery: Delivery, means: Means) -> JobRecord | None:
    store, door = means.store, means.door
    outcome = classify(delivery.facts)
    try:
        job = await door.call(store.finish, ticket, outcome, facts=delivery.facts)
    except FenceLost:
        means.tell(f"{ticket.job_id} claim lost; the record decides")
        return None
    finally:
        await door.call(store.add_evidence, ticket, kept(delivery.captures, means))
    means.tell(f"{job.id} {job.state.value} {job.permalink or job.code or ''}".rstrip())
    return job


def _expected(claim: Claim) -> Expected:
    account, payload = claim.account, claim.payload
    if account.user_id is None:
        raise ValueError(f"{account.id} was claimed for, but nobody has signed in as it yet")
    return Expected(
        user_id=account.user_id, handle=account.handle, text=payload.text, link=payload.link
    )
