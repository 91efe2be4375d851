"""The lease of a lane: taken with a new fence, renewed, given back.

Whatever is done in an account's browser holds it: an attempt, a look, a reading. The fence is the
lane's epoch; whoever holds an older one can write nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from agent.domain.ids import Fence
from agent.store.engine import one_row
from agent.store.errors import FenceLost
from agent.store.tables import LANE

if TYPE_CHECKING:
    from agent.domain.ids import AccountId
    from agent.store.engine import Transaction
    from agent.store.records import Ticket


@dataclass(frozen=True, kw_only=True)
class Lease:
    """A lane that was taken: its new fence, and until when it is held."""

    fence: Fence
    until: datetime


def take(tx: Transaction, account_id: AccountId, claim_id: str, *, worker: str) -> Lease | None:
    """Take a lane for what `claim_id` names; None when somebody holds it."""
    until = tx.now + timedelta(seconds=tx.policy.lease_s)
    epoch = tx.connection.execute(
        select(LANE.c.epoch).where(LANE.c.account_id == account_id).with_for_update()
    ).scalar_one()
    taken = tx.connection.execute(
        update(LANE)
        .where(LANE.c.account_id == account_id, LANE.c.epoch == epoch, LANE.c.in_flight.is_(None))
        .values(epoch=epoch + 1, holder=worker, lease_until=until, in_flight=claim_id)
    )
    return Lease(fence=Fence(epoch + 1), until=until) if one_row(taken) else None


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
            LANE.c.in_flight == ticket.claim_id,
            LANE.c.lease_until >= tx.now,
        )
        .values(lease_until=until)
    )
    if not one_row(renewed):
        raise FenceLost(f"the claim of {ticket.job_id} is over; stop, and leave it to the sweep")
    return until


def give_back(tx: Transaction, ticket: Ticket) -> None:
    """Free the lane that a ticket holds.

    Raises:
        FenceLost: the lane has another claim.
    """
    freed = tx.connection.execute(
        update(LANE)
        .where(
            LANE.c.account_id == ticket.account_id,
            LANE.c.epoch == ticket.fence,
            LANE.c.in_flight == ticket.claim_id,
        )
        .values(lease_until=None, holder=None, in_flight=None)
    )
    if not one_row(freed):
        raise FenceLost(f"the claim of {ticket.job_id} is over; nothing was changed")
