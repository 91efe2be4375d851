"""Whether a frozen payload is, to the byte, the one that was frozen; and what happens if not.

Asked by every claim: what was altered is neither sent nor looked for, the account stops, and a
person is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from agent.domain.breaker import BreakerKind
from agent.domain.moves import Who
from agent.domain.payload import payload_from_json
from agent.store import audit, breakers, outbox
from agent.store.enqueue import seal_of
from agent.store.tables import INTENT, JOB

if TYPE_CHECKING:
    from sqlalchemy import Row, Select

    from agent.domain.payload import Payload
    from agent.store.engine import Transaction

PAYLOAD_ALTERED: Final = "payload_altered"


def jobs_with_payload() -> Select[Any]:
    """Return the statement whose rows `intact` reads."""
    return select(JOB, INTENT.c.payload, INTENT.c.digest, INTENT.c.seal).join(
        INTENT, INTENT.c.id == JOB.c.intent_id
    )


def intact(row: Row[Any]) -> Payload | None:
    """Return the payload if it is, to the byte, the one that was frozen."""
    if seal_of(row.payload) != row.seal:
        return None
    try:
        payload = payload_from_json(row.payload)
        return payload if payload.digest() == row.digest else None
    except ValueError:
        return None


def raise_alarm(tx: Transaction, row: Row[Any], worker: str) -> str:
    """Stop the account and tell a person; return the sentence."""
    detail = f"the payload of {row.id} is not the one that was frozen"
    subjects = {"account_id": row.account_id, "intent_id": row.intent_id, "job_id": row.id}
    audit.append(tx, event=PAYLOAD_ALTERED, who=Who.LANE, actor=worker, subjects=subjects)
    breakers.open_one(
        tx,
        row.account_id,
        BreakerKind.PAYLOAD_ALTERED,
        detail=detail,
        who=Who.LANE,
        actor=worker,
    )
    outbox.put(
        tx, "alarm", account_id=row.account_id, job_id=row.id, body={"code": PAYLOAD_ALTERED}
    )
    return detail
