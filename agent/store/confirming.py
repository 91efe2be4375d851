"""The one way into `confirmed`, whoever finds the post: attempt, look or person.

The permalink and the post's id are written with the state, the first reading is scheduled, and a
post that confirms another job already is seen before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from agent.domain.ids import JobId
from agent.domain.moves import Carry, State
from agent.domain.watch import first_reading_at
from agent.store import moves, outbox
from agent.store.tables import JOB, SEGMENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent.domain.ids import PostId
    from agent.domain.moves import Event, Who
    from agent.store.engine import Transaction
    from agent.store.moves import Standing


@dataclass(frozen=True, kw_only=True)
class Posted:
    """A post that is the job's; `is_read_back` tells whether its own page was read and agreed."""

    post_id: PostId
    permalink: str
    is_read_back: bool


def confirm(
    tx: Transaction,
    job: Standing,
    posted: Posted,
    *,
    event: Event,
    who: Who,
    actor: str,
    carried: Mapping[Carry, Any],
) -> None:
    """Confirm a job by a post that no other job has."""
    address = {"permalink": posted.permalink, "remote_id": posted.post_id}
    is_owed = not posted.is_read_back
    moves.move_job(
        tx,
        job,
        event=event,
        after=State.CONFIRMED,
        who=who,
        actor=actor,
        carried={Carry.PERMALINK: posted.permalink, **carried},
        values={
            **address,
            "read_back_owed": is_owed,
            "read_at": first_reading_at(tx.now, is_owed=is_owed, policy=tx.policy),
            "code": None,
            "detail": None,
            "look_at": None,
            "look_asked_by": None,
        },
    )
    tx.connection.execute(
        update(SEGMENT)
        .where(SEGMENT.c.job_id == job.job_id, SEGMENT.c.position == 1)
        .values(address)
    )
    outbox.put(tx, f"job.{State.CONFIRMED}", account_id=job.account_id, job_id=job.job_id)


def owner_of(tx: Transaction, job_id: JobId, post_id: PostId) -> JobId | None:
    """Return the other job of the same channel that a post confirms already, or None."""
    channel = select(JOB.c.channel).where(JOB.c.id == job_id).scalar_subquery()
    owner = tx.connection.execute(
        select(JOB.c.id).where(JOB.c.channel == channel, JOB.c.remote_id == post_id)
    ).scalar_one_or_none()
    return None if owner in (None, job_id) else JobId(owner)
