"""Jobs that must wait since one like them is in doubt.

If both went out, nobody could tell later which post is whose, and the doubt could not be settled.
A job is like another of its account when the links are the same in canonical form, or the texts
nearly the same (`domain.likeness.are_twins`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from agent.domain.ids import JobId
from agent.domain.likeness import are_twins
from agent.domain.moves import IN_DOUBT, Who
from agent.store import audit
from agent.store.reading import payload_of
from agent.store.tables import INTENT, JOB

if TYPE_CHECKING:
    from sqlalchemy import Row

    from agent.domain.payload import Payload
    from agent.store.engine import Transaction


def doubt_like(tx: Transaction, row: Row[Any], payload: Payload) -> JobId | None:
    """Return a job in doubt that a job is too much like, or None."""
    doubts = tx.connection.execute(
        select(JOB.c.id, INTENT.c.payload)
        .join(INTENT, INTENT.c.id == JOB.c.intent_id)
        .where(JOB.c.account_id == row.account_id, JOB.c.state.in_(sorted(IN_DOUBT)))
    )
    for doubt in doubts:
        other = payload_of(doubt.payload)
        if other is None or are_twins(payload, other, pct_min=tx.policy.twin_pct_min):
            return JobId(doubt.id)
    return None


def wait_for(tx: Transaction, row: Row[Any], doubt_id: JobId, *, worker: str) -> None:
    """Let a prepared job wait until a doubt is settled; the move that settles it frees the job."""
    tx.connection.execute(
        update(JOB)
        .where(JOB.c.id == row.id, JOB.c.version == row.version)
        .values(waits_for=doubt_id, version=row.version + 1)
    )
    audit.append(
        tx,
        event="waits_for_doubt",
        who=Who.LANE,
        actor=worker,
        subjects={"account_id": row.account_id, "intent_id": row.intent_id, "job_id": row.id},
        carried={"doubt": doubt_id},
    )
