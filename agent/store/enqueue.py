"""Taking in a request to publish: once, however often and from wherever it is asked.

One transaction writes intent, job, segments, history and outbox, or nothing. The same key with
the same content replays what is known now; the same key with other content, or the same intent
under another key, is a conflict that is counted and changes nothing else. A conflict comes back
as a value, so that its count is committed; the facade raises it afterwards.
"""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sqlalchemy import insert, select, update

from agent.domain.ids import IntentId, JobId
from agent.domain.intent import derived_key, differing_fields, faults_of_names
from agent.domain.moves import State
from agent.domain.payload import PayloadRefused, payload_from_json, payload_to_json
from agent.domain.schedule import slot_now
from agent.store import audit, moves, outbox
from agent.store.errors import IntentConflict, KeyConflict, TimePassed
from agent.store.reading import intent_key
from agent.store.records import Prepared
from agent.store.tables import INTENT, JOB, SEGMENT

if TYPE_CHECKING:
    from sqlalchemy import Row

    from agent.domain.schedule import Slot
    from agent.store.engine import Transaction
    from agent.store.records import Preparation

Answer: TypeAlias = Prepared | KeyConflict | IntentConflict
PAST_TOLERANCE_S: Final = 60  # a time given to the minute may be over before it is written


def prepare(tx: Transaction, asked: Preparation) -> Answer:
    """Take in a request, replay it, or say what it conflicts with.

    Raises:
        TimePassed: a new job's time lies in the past.
        PayloadRefused: a name that the caller chose cannot be kept.
    """
    if faults := faults_of_names(asked.intent, asked.key):
        raise PayloadRefused(faults)
    key = asked.key if asked.key is not None else derived_key(asked.intent)
    if (known := _by_key(tx, asked, key)) is not None:
        return _again(tx, asked, known)
    if (known := _by_intent(tx, asked)) is not None:
        return _known_intent(tx, asked, known)
    return _begin(tx, asked, key)


def seal_of(payload_json: str) -> str:
    """Return the SHA-256 of every byte of a kept payload."""
    return sha256(payload_json.encode()).hexdigest()


def _by_key(tx: Transaction, asked: Preparation, key: str) -> Row[Any] | None:
    return tx.connection.execute(
        select(INTENT).where(INTENT.c.tenant == asked.intent.tenant, INTENT.c.key == key)
    ).one_or_none()


def _by_intent(tx: Transaction, asked: Preparation) -> Row[Any] | None:
    intent = asked.intent
    return tx.connection.execute(
        select(INTENT).where(
            INTENT.c.tenant == intent.tenant,
            INTENT.c.article == intent.article,
            INTENT.c.revision == intent.revision,
            INTENT.c.channel == intent.channel,
            INTENT.c.account_id == intent.account_id,
            INTENT.c.operation == intent.operation,
        )
    ).one_or_none()


def _again(tx: Transaction, asked: Preparation, known: Row[Any]) -> Answer:
    job = _job_of(tx, known.id)
    if asked.payload.digest() == known.digest and asked.intent == intent_key(known):
        _count(tx, known.id, replays=known.replays + 1, conflicts=known.conflicts)
        return _replayed(known, job)
    fields = differing_fields(
        key=asked.intent,
        kept_key=intent_key(known),
        payload=asked.payload,
        kept_payload=payload_from_json(known.payload),
    )
    _refuse(tx, known, job, asked, {"fields": list(fields)})
    return KeyConflict(
        key=known.key, fields=fields, intent_id=known.id, job_id=job.id, state=State(job.state)
    )


def _known_intent(tx: Transaction, asked: Preparation, known: Row[Any]) -> Answer:
    job = _job_of(tx, known.id)
    _refuse(tx, known, job, asked, {"known_under": known.key})
    return IntentConflict(key=known.key, intent_id=known.id, job_id=job.id, state=State(job.state))


def _begin(tx: Transaction, asked: Preparation, key: str) -> Prepared:
    slot = asked.slot if asked.slot is not None else slot_now(tx.now)
    if slot.due_at < tx.now - timedelta(seconds=PAST_TOLERANCE_S):
        raise TimePassed(
            f"{slot.wall} ({slot.zone}) has passed; give a later --at, or none to post at once"
        )
    intent_id = _keep_intent(tx, asked, key)
    job_id = _keep_job(tx, asked, intent_id, slot)
    outbox.put(tx, "job.prepared", account_id=asked.intent.account_id, job_id=job_id)
    return Prepared(
        intent_id=intent_id,
        job_id=job_id,
        state=State.PREPARED,
        replayed=False,
        due_at=slot.due_at,
        digest=asked.payload.digest(),
        key=key,
        permalink=None,
    )


def _keep_intent(tx: Transaction, asked: Preparation, key: str) -> IntentId:
    intent_id = IntentId(tx.ids.new("int"))
    kept = payload_to_json(asked.payload)
    tx.connection.execute(
        insert(INTENT).values(
            id=intent_id,
            tenant=asked.intent.tenant,
            article=asked.intent.article,
            revision=asked.intent.revision,
            channel=asked.intent.channel,
            account_id=asked.intent.account_id,
            operation=asked.intent.operation,
            key=key,
            digest=asked.payload.digest(),
            seal=seal_of(kept),
            payload=kept,
            created_at=tx.now,
            replays=0,
            conflicts=0,
        )
    )
    return intent_id


def _keep_job(tx: Transaction, asked: Preparation, intent_id: IntentId, slot: Slot) -> JobId:
    job_id = JobId(tx.ids.new("job"))
    late_s_max = tx.policy.late_s_max if asked.late_s_max is None else asked.late_s_max
    moves.begin_job(
        tx,
        {
            "id": job_id,
            "intent_id": intent_id,
            "account_id": asked.intent.account_id,
            "channel": asked.intent.channel,
            "due_at": slot.due_at,
            "zone": slot.zone,
            "wall": slot.wall,
            "late_s_max": late_s_max,
            "attempts": 0,
            "failures": 0,
            "read_back_owed": False,
            "created_at": tx.now,
        },
        actor=asked.actor,
    )
    positions = range(1, len(asked.payload.segments) + 1)
    tx.connection.execute(
        insert(SEGMENT), [{"job_id": job_id, "position": position} for position in positions]
    )
    return job_id


def _job_of(tx: Transaction, intent_id: str) -> Row[Any]:
    return tx.connection.execute(select(JOB).where(JOB.c.intent_id == intent_id)).one()


def _count(tx: Transaction, intent_id: str, *, replays: int, conflicts: int) -> None:
    tx.connection.execute(
        update(INTENT).where(INTENT.c.id == intent_id).values(replays=replays, conflicts=conflicts)
    )


def _refuse(
    tx: Transaction,
    known: Row[Any],
    job: Row[Any],
    asked: Preparation,
    carried: dict[str, Any],
) -> None:
    _count(tx, known.id, replays=known.replays, conflicts=known.conflicts + 1)
    audit.append(
        tx,
        event="conflict_refused",
        who="caller",
        actor=asked.actor,
        subjects={"account_id": known.account_id, "intent_id": known.id, "job_id": job.id},
        carried=carried,
    )


def _replayed(known: Row[Any], job: Row[Any]) -> Prepared:
    return Prepared(
        intent_id=known.id,
        job_id=job.id,
        state=State(job.state),
        replayed=True,
        due_at=job.due_at,
        digest=known.digest,
        key=known.key,
        permalink=job.permalink,
    )
