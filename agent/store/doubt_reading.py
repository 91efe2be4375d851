"""Rows of looks, readings, decisions and authorisations to records; beside `reading`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from agent.domain.decisions import DecisionKind
from agent.domain.doubt import LookResult
from agent.domain.ids import PostId
from agent.domain.matching.terms import Outcome
from agent.domain.watch import ReadPurpose, ReadResult
from agent.store.doubt_records import AuthorisationRecord, DecisionRecord, LookRecord, ReadRecord
from agent.store.doubt_tables import AUTHORISATION, DECISION, LOOK, READING

if TYPE_CHECKING:
    from sqlalchemy import Row

    from agent.domain.ids import JobId
    from agent.store.engine import Transaction


def looks_of(tx: Transaction, job_id: JobId) -> tuple[LookRecord, ...]:
    """Return the looks of a job, oldest first."""
    rows = tx.connection.execute(
        select(LOOK).where(LOOK.c.job_id == job_id).order_by(LOOK.c.number)
    )
    return tuple(look_record(row) for row in rows)


def readings_of(tx: Transaction, job_id: JobId) -> tuple[ReadRecord, ...]:
    """Return the readings of a job's post, oldest first."""
    rows = tx.connection.execute(
        select(READING).where(READING.c.job_id == job_id).order_by(READING.c.number)
    )
    return tuple(read_record(row) for row in rows)


def decisions_of(tx: Transaction, job_id: JobId) -> tuple[DecisionRecord, ...]:
    """Return what was decided about a job, oldest first."""
    rows = tx.connection.execute(
        select(DECISION).where(DECISION.c.job_id == job_id).order_by(DECISION.c.version)
    )
    return tuple(decision_record(row) for row in rows)


def authorisations_of(tx: Transaction, job_id: JobId) -> tuple[AuthorisationRecord, ...]:
    """Return the permissions for further tries of a job, oldest first."""
    rows = tx.connection.execute(
        select(AUTHORISATION).where(AUTHORISATION.c.job_id == job_id).order_by(AUTHORISATION.c.id)
    )
    return tuple(authorisation_record(row) for row in rows)


def look_record(row: Row[Any]) -> LookRecord:
    """Return the record of a look's row."""
    return LookRecord(
        id=row.id,
        job_id=row.job_id,
        attempt_id=row.attempt_id,
        number=row.number,
        fence=row.fence,
        worker=row.worker,
        asked_by=row.asked_by,
        claimed_at=row.claimed_at,
        ended_at=row.ended_at,
        result=LookResult(row.result) if row.result else None,
        code=row.code,
        why=row.why,
        outcome=Outcome(row.outcome) if row.outcome else None,
        post_id=row.post_id,
        reached_id=row.reached_id,
        page_loads=row.page_loads,
        posts_read=row.posts_read,
        verdict=_read(row.verdict),
        wanted=_read(row.wanted),
        posts=tuple(_read(row.posts) or ()),
        facts=_read(row.facts) or {},
        policy=_read(row.policy) or {},
    )


def read_record(row: Row[Any]) -> ReadRecord:
    """Return the record of a reading's row."""
    return ReadRecord(
        id=row.id,
        job_id=row.job_id,
        purpose=ReadPurpose(row.purpose),
        number=row.number,
        fence=row.fence,
        worker=row.worker,
        claimed_at=row.claimed_at,
        ended_at=row.ended_at,
        result=ReadResult(row.result) if row.result else None,
        code=row.code,
        why=row.why,
        facts=_read(row.facts) or {},
    )


def decision_record(row: Row[Any]) -> DecisionRecord:
    """Return the record of a decision's row."""
    return DecisionRecord(
        id=row.id,
        job_id=row.job_id,
        kind=DecisionKind(row.kind),
        version=row.version,
        actor=row.actor,
        note=row.note,
        permalink=row.permalink,
        post_id=row.post_id,
        is_forced=row.is_forced,
        look_id=row.look_id,
        authorisation_id=row.authorisation_id,
        facts=json.loads(row.facts),
        decided_at=row.decided_at,
    )


def authorisation_record(row: Row[Any]) -> AuthorisationRecord:
    """Return the record of an authorisation's row."""
    return AuthorisationRecord(
        id=row.id,
        job_id=row.job_id,
        actor=row.actor,
        note=row.note,
        digest=row.digest,
        attempt_number=row.attempt_number,
        dismissed_ids=frozenset(PostId(one) for one in json.loads(row.dismissed)),
        granted_at=row.granted_at,
        expires_at=row.expires_at,
        consumed_at=row.consumed_at,
        attempt_id=row.attempt_id,
        ended_at=row.ended_at,
        ended_code=row.ended_code,
    )


def _read(kept: str | None) -> Any:  # noqa: ANN401 - whatever was kept as JSON
    return json.loads(kept) if kept else None
