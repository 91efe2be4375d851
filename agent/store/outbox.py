"""Side work to do after a commit: written in the transaction of what it follows from.

Telling people, measuring and watching go through here, so that none of them can make an attempt
fail or run twice. A message is handed out until it is said to be done.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from agent.domain.payload import canonical_json
from agent.store.side_records import MessageRecord
from agent.store.tables import OUTBOX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent.domain.ids import AccountId, JobId
    from agent.store.engine import Transaction


def put(
    tx: Transaction,
    topic: str,
    *,
    account_id: AccountId | None = None,
    job_id: JobId | None = None,
    body: Mapping[str, Any] | None = None,
) -> None:
    """Put a message into the outbox, in the caller's transaction."""
    tx.connection.execute(
        insert(OUTBOX).values(
            id=tx.ids.new("msg"),
            topic=topic,
            account_id=account_id,
            job_id=job_id,
            body=canonical_json(dict(body or {})),
            created_at=tx.now,
            done_at=None,
        )
    )


def pending(tx: Transaction, *, limit: int) -> tuple[MessageRecord, ...]:
    """Return the oldest messages that are not done."""
    rows = tx.connection.execute(
        select(OUTBOX).where(OUTBOX.c.done_at.is_(None)).order_by(OUTBOX.c.id).limit(limit)
    )
    return tuple(
        MessageRecord(
            id=row.id,
            topic=row.topic,
            account_id=row.account_id,
            job_id=row.job_id,
            body=json.loads(row.body),
            created_at=row.created_at,
        )
        for row in rows
    )


def done(tx: Transaction, message_id: str) -> None:
    """Set a message aside; saying it twice changes nothing."""
    tx.connection.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id == message_id, OUTBOX.c.done_at.is_(None))
        .values(done_at=tx.now)
    )
