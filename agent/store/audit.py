"""The history: appended in the transaction of what it tells, chained by hash, never changed.

Each event's hash covers its content and the hash before it; the head says where the chain ends.
So a changed, removed or inserted event is seen, and so is a tail that was cut off.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert, select, update

from agent.domain.clock import to_epoch_ms
from agent.domain.payload import canonical_json
from agent.store.engine import one_row
from agent.store.errors import ChainBroken
from agent.store.side_records import ChainVerdict
from agent.store.tables import AUDIT, AUDIT_HEAD, JOB

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from agent.store.engine import Transaction

GENESIS: Final = "0" * 64
SYSTEM: Final = "postproof"  # the actor where no person asked
_SUBJECTS: Final = ("account_id", "intent_id", "job_id", "attempt_id")


def begin_history(connection: Connection) -> None:
    """Write the head of an empty history; once, when a database is created."""
    connection.execute(insert(AUDIT_HEAD).values(id=1, seq=0, hash=GENESIS))


def append(
    tx: Transaction,
    *,
    event: str,
    who: str,
    actor: str,
    subjects: Mapping[str, str | None],
    before: str | None = None,
    after: str | None = None,
    carried: Mapping[str, Any] | None = None,
) -> None:
    """Append one event to the history, in the caller's transaction.

    Args:
        tx: the transaction of what the event tells.
        event: what happened, in the past tense.
        who: the kind of actor.
        actor: the person, worker or program.
        subjects: the ids of account, intent, job and attempt it is about.
        before: the job's state until now, of a move.
        after: the job's state from now on, of a move.
        carried: what else is to be known: proof, note, code.

    Raises:
        ChainBroken: the head moved or is missing.
    """
    head = tx.connection.execute(
        select(AUDIT_HEAD.c.seq, AUDIT_HEAD.c.hash).where(AUDIT_HEAD.c.id == 1).with_for_update()
    ).one_or_none()
    if head is None:
        raise ChainBroken("the head of the history is missing; run: postproof audit verify")
    row: dict[str, Any] = {
        "seq": head.seq + 1,
        "at": tx.now,
        "event": event,
        "who": who,
        "actor": actor,
        **{name: subjects.get(name) for name in _SUBJECTS},
        "before": before,
        "after": after,
        "carried": canonical_json(dict(carried or {})),
        "previous": head.hash,
    }
    row["hash"] = _hash(row)
    tx.connection.execute(insert(AUDIT).values(**row))
    moved = tx.connection.execute(
        update(AUDIT_HEAD)
        .where(AUDIT_HEAD.c.id == 1, AUDIT_HEAD.c.seq == head.seq)
        .values(seq=row["seq"], hash=row["hash"])
    )
    if not one_row(moved):
        raise ChainBroken("the head of the history moved; run: postproof audit verify")


def verify(connection: Connection) -> ChainVerdict:
    """Check every hash, the order, the head, and each job's state against its last move."""
    previous, seq = GENESIS, 0
    states: dict[str, str] = {}
    for row in connection.execute(select(AUDIT).order_by(AUDIT.c.seq)).mappings():
        if why := _fault(dict(row), seq=seq + 1, previous=previous):
            return ChainVerdict(is_whole=False, events=seq, first_bad_seq=seq + 1, why=why)
        previous, seq = row["hash"], row["seq"]
        if row["after"] is not None:
            states[row["job_id"]] = row["after"]
    why = _head_fault(connection, seq=seq, previous=previous) or _state_fault(connection, states)
    return ChainVerdict(
        is_whole=why is None, events=seq, first_bad_seq=seq + 1 if why else None, why=why
    )


def _hash(row: Mapping[str, Any]) -> str:
    content = {name: value for name, value in row.items() if name != "hash"}
    content["at"] = to_epoch_ms(row["at"])
    return sha256(canonical_json(content).encode()).hexdigest()


def _fault(row: Mapping[str, Any], *, seq: int, previous: str) -> str | None:
    if row["seq"] != seq:
        return f"event {seq} is missing"
    if row["previous"] != previous:
        return f"event {seq} does not follow the one before it"
    if row["hash"] != _hash(row) or not _is_json(row["carried"]):
        return f"event {seq} was changed"
    return None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _head_fault(connection: Connection, *, seq: int, previous: str) -> str | None:
    head = connection.execute(select(AUDIT_HEAD.c.seq, AUDIT_HEAD.c.hash)).one_or_none()
    if head is None:
        return "the head of the history is missing"
    if (head.seq, head.hash) != (seq, previous):
        return f"the history ends at event {seq}, its head says {head.seq}"
    return None


def _state_fault(connection: Connection, states: Mapping[str, str]) -> str | None:
    for job_id, state in connection.execute(select(JOB.c.id, JOB.c.state)):
        if states.get(job_id) != state:
            return f"{job_id} is {state}, but the history says {states.get(job_id)}"
    return None
