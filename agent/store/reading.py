"""Rows to records, and the one statement that reads jobs with what names them to a person.

Read by every module of this package that hands something out; writes nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from agent.domain.facts import PHASES, Phase
from agent.domain.ids import PostId
from agent.domain.intent import IntentKey
from agent.domain.moves import State
from agent.domain.outcome import NotSentProof
from agent.domain.payload import payload_from_json
from agent.store.records import (
    AttemptRecord,
    Capture,
    EventRecord,
    EvidenceRecord,
    IntentRecord,
    JobRecord,
)
from agent.store.tables import ACCOUNT, INTENT, JOB

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Row, Select

    from agent.domain.payload import Payload
    from agent.store.engine import Transaction


EMPTY_PROFILE: Final = PostId("0")


def jobs() -> Select[Any]:
    """Return the statement whose rows `job_record` reads."""
    return (
        select(JOB, ACCOUNT.c.handle, INTENT.c.article, INTENT.c.payload)
        .join(ACCOUNT, ACCOUNT.c.id == JOB.c.account_id)
        .join(INTENT, INTENT.c.id == JOB.c.intent_id)
    )


def job(tx: Transaction, job_id: str) -> JobRecord:
    """Return a job that is known to exist."""
    return job_record(tx.connection.execute(jobs().where(JOB.c.id == job_id)).one())


def job_record(row: Row[Any]) -> JobRecord:
    """Return the record of a row of `jobs`."""
    return JobRecord(
        id=row.id,
        intent_id=row.intent_id,
        account_id=row.account_id,
        handle=row.handle,
        channel=row.channel,
        article=row.article,
        text=text_of(row.payload),
        state=State(row.state),
        state_at=row.state_at,
        version=row.version,
        due_at=row.due_at,
        zone=row.zone,
        wall=row.wall,
        late_s_max=row.late_s_max,
        not_before_at=row.not_before_at,
        held_code=row.held_code,
        attempts=row.attempts,
        failures=row.failures,
        code=row.code,
        detail=row.detail,
        look_at=row.look_at,
        permalink=row.permalink,
        remote_id=row.remote_id,
        is_read_back_owed=row.read_back_owed,
        created_at=row.created_at,
        looked_at=row.looked_at,
        asked_by=row.look_asked_by,
        waits_for=row.waits_for,
        authorisation_id=row.authorisation_id,
        read_at=row.read_at,
        vanished_at=row.vanished_at,
        alarm=row.alarm,
    )


def text_of(payload: str) -> str:
    """Return the first post's text of a kept payload; empty when it cannot be read."""
    read = payload_of(payload)
    return read.text if read is not None else ""


def intent_key(row: Row[Any]) -> IntentKey:
    """Return the key of an intent's row."""
    return IntentKey(
        tenant=row.tenant,
        article=row.article,
        revision=row.revision,
        channel=row.channel,
        account_id=row.account_id,
        operation=row.operation,
    )


def intent_record(row: Row[Any]) -> IntentRecord:
    """Return the record of an intent's row."""
    return IntentRecord(
        id=row.id,
        intent=intent_key(row),
        key=row.key,
        digest=row.digest,
        payload=payload_of(row.payload),
        created_at=row.created_at,
        replays=row.replays,
        conflicts=row.conflicts,
    )


def attempt_record(row: Row[Any]) -> AttemptRecord:
    """Return the record of an attempt's row."""
    instants: dict[Phase, datetime | None] = {
        phase: getattr(row, f"{phase}_at") for phase in PHASES
    }
    return AttemptRecord(
        id=row.id,
        number=row.number,
        fence=row.fence,
        worker=row.worker,
        claimed_at=row.claimed_at,
        phase=Phase(row.phase) if row.phase else None,
        phases={phase: at for phase, at in instants.items() if at is not None},
        baseline_id=baseline_of(row),
        request=json.loads(row.request) if row.request else None,
        facts=json.loads(row.facts) if row.facts else None,
        outcome=row.outcome,
        code=row.code,
        detail=row.detail,
        proof=NotSentProof(row.proof) if row.proof else None,
        post_id=row.post_id,
        ended_at=row.ended_at,
    )


def baseline_of(row: Row[Any]) -> PostId | None:
    """Return the newest post seen before an attempt: "0" of an empty profile, None if not seen."""
    is_empty = row.baseline_id is None and row.baseline is not None
    return EMPTY_PROFILE if is_empty else row.baseline_id


def event_record(row: Row[Any]) -> EventRecord:
    """Return the record of an event's row."""
    return EventRecord(
        seq=row.seq,
        at=row.at,
        event=row.event,
        who=row.who,
        actor=row.actor,
        account_id=row.account_id,
        intent_id=row.intent_id,
        job_id=row.job_id,
        attempt_id=row.attempt_id,
        before=State(row.before) if row.before else None,
        after=State(row.after) if row.after else None,
        carried=json.loads(row.carried),
    )


def evidence_record(row: Row[Any]) -> EvidenceRecord:
    """Return the record of a row of evidence."""
    return EvidenceRecord(
        id=row.id,
        attempt_id=row.attempt_id,
        look_id=row.look_id,
        reading_id=row.reading_id,
        capture=Capture(
            kind=row.kind,
            path=row.path,
            sha256=row.sha256,
            size_bytes=row.size_bytes,
            taken_at=row.taken_at,
            failure=row.failure,
        ),
    )


def payload_of(payload: str) -> Payload | None:
    """Return a kept payload; None when it was altered beyond reading.

    That stops the job at the claim, and must not stop anybody from looking at it.
    """
    try:
        return payload_from_json(payload)
    except ValueError:
        return None
