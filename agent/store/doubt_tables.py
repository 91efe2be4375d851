"""The tables of doubt: looks, readings, decisions and authorisations.

As in `tables`: what the database can hold by itself stands here. Looks and readings are closed
once and never change afterwards; decisions are append-only (`triggers`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Final

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field, SQLModel

from agent.domain.decisions import DecisionKind
from agent.domain.doubt import LookResult
from agent.domain.matching.terms import Outcome
from agent.domain.watch import ReadPurpose, ReadResult
from agent.store import columns
from agent.store.tables import STRICT, one_of


class LookRow(SQLModel, table=True):
    """One look at the own profile for a job in doubt, with everything it was judged by."""

    __tablename__: ClassVar[Any] = "look"
    __table_args__ = (
        CheckConstraint(f"result IS NULL OR {one_of('result', LookResult)}", name="ck_look_result"),
        CheckConstraint(f"outcome IS NULL OR {one_of('outcome', Outcome)}", name="ck_look_outcome"),
        CheckConstraint("(result IS NULL) = (ended_at IS NULL)", name="ck_look_ended"),
        CheckConstraint("(result IS NULL) = (code IS NULL)", name="ck_look_code"),
        CheckConstraint(
            "(outcome IS NULL) = (COALESCE(result, 'void') = 'void')", name="ck_look_void"
        ),
        CheckConstraint(
            "(COALESCE(outcome, '') = 'none') = (COALESCE(result, '') = 'absent')",
            name="ck_look_absent",
        ),
        CheckConstraint(
            "(COALESCE(outcome, '') = 'unique') = (post_id IS NOT NULL)", name="ck_look_unique"
        ),
        Index("uq_look_number", "job_id", "number", unique=True),
        Index("uq_look_fence", "account_id", "fence", unique=True),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    job_id: str = Field(sa_column=columns.refers_to("job.id"))
    account_id: str = Field(sa_column=columns.refers_to("account.id"))
    attempt_id: str = Field(sa_column=columns.refers_to("attempt.id"))
    number: int = Field(sa_column=columns.number())
    fence: int = Field(sa_column=columns.number())
    worker: str = Field(sa_column=columns.word())
    asked_by: str | None = Field(sa_column=columns.word(optional=True))
    claimed_at: datetime = Field(sa_column=columns.instant())
    ended_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    result: str | None = Field(sa_column=columns.word(optional=True))
    code: str | None = Field(sa_column=columns.word(optional=True))
    why: str | None = Field(sa_column=columns.word(optional=True))
    outcome: str | None = Field(sa_column=columns.word(optional=True))
    post_id: str | None = Field(sa_column=columns.word(optional=True))
    reached_id: str | None = Field(sa_column=columns.word(optional=True))
    page_loads: int | None = Field(sa_column=columns.number(optional=True))
    posts_read: int | None = Field(sa_column=columns.number(optional=True))
    verdict: str | None = Field(sa_column=columns.word(optional=True))
    wanted: str | None = Field(sa_column=columns.word(optional=True))
    posts: str | None = Field(sa_column=columns.word(optional=True))
    facts: str | None = Field(sa_column=columns.word(optional=True))
    policy: str | None = Field(sa_column=columns.word(optional=True))


class ReadingRow(SQLModel, table=True):
    """One reading of a confirmed post's own page."""

    __tablename__: ClassVar[Any] = "reading"
    __table_args__ = (
        CheckConstraint(one_of("purpose", ReadPurpose), name="ck_reading_purpose"),
        CheckConstraint(
            f"result IS NULL OR {one_of('result', ReadResult)}", name="ck_reading_result"
        ),
        CheckConstraint("(result IS NULL) = (ended_at IS NULL)", name="ck_reading_ended"),
        CheckConstraint("(result IS NULL) = (code IS NULL)", name="ck_reading_code"),
        Index("uq_reading_number", "job_id", "number", unique=True),
        Index("uq_reading_fence", "account_id", "fence", unique=True),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    job_id: str = Field(sa_column=columns.refers_to("job.id"))
    account_id: str = Field(sa_column=columns.refers_to("account.id"))
    attempt_id: str = Field(sa_column=columns.refers_to("attempt.id"))
    purpose: str = Field(sa_column=columns.word())
    number: int = Field(sa_column=columns.number())
    fence: int = Field(sa_column=columns.number())
    worker: str = Field(sa_column=columns.word())
    claimed_at: datetime = Field(sa_column=columns.instant())
    ended_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    result: str | None = Field(sa_column=columns.word(optional=True))
    code: str | None = Field(sa_column=columns.word(optional=True))
    why: str | None = Field(sa_column=columns.word(optional=True))
    facts: str | None = Field(sa_column=columns.word(optional=True))


class DecisionRow(SQLModel, table=True):
    """What a person decided about a job, on which version of it; append-only by trigger."""

    __tablename__: ClassVar[Any] = "decision"
    __table_args__ = (
        CheckConstraint(one_of("kind", DecisionKind), name="ck_decision_kind"),
        CheckConstraint("(kind = 'confirm') = (permalink IS NOT NULL)", name="ck_decision_post"),
        CheckConstraint("(permalink IS NULL) = (post_id IS NULL)", name="ck_decision_post_id"),
        CheckConstraint(
            "note IS NOT NULL OR (kind = 'confirm' AND NOT is_forced)", name="ck_decision_note"
        ),
        CheckConstraint(
            "kind <> 'absent' OR (look_id IS NOT NULL AND authorisation_id IS NOT NULL)",
            name="ck_decision_absent",
        ),
        Index("uq_decision_version", "job_id", "version", unique=True),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    job_id: str = Field(sa_column=columns.refers_to("job.id"))
    kind: str = Field(sa_column=columns.word())
    version: int = Field(sa_column=columns.number())
    actor: str = Field(sa_column=columns.word())
    note: str | None = Field(sa_column=columns.word(optional=True))
    permalink: str | None = Field(sa_column=columns.word(optional=True))
    post_id: str | None = Field(sa_column=columns.word(optional=True))
    is_forced: bool = Field(sa_column=columns.flag())
    look_id: str | None = Field(sa_column=columns.refers_to("look.id", optional=True))
    authorisation_id: str | None = Field(
        sa_column=columns.refers_to("authorisation.id", optional=True)
    )
    facts: str = Field(sa_column=columns.word())
    decided_at: datetime = Field(sa_column=columns.instant())


class AuthorisationRow(SQLModel, table=True):
    """A person's permission for one more release of a job; frozen, and used at most once."""

    __tablename__: ClassVar[Any] = "authorisation"
    __table_args__ = (
        CheckConstraint("expires_at > granted_at", name="ck_authorisation_time"),
        CheckConstraint("length(trim(note)) > 0", name="ck_authorisation_note"),
        CheckConstraint(
            "(consumed_at IS NULL) = (attempt_id IS NULL)", name="ck_authorisation_consumed"
        ),
        CheckConstraint("(ended_at IS NULL) = (ended_code IS NULL)", name="ck_authorisation_ended"),
        Index("ix_authorisation_job", "job_id", "id"),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    job_id: str = Field(sa_column=columns.refers_to("job.id"))
    actor: str = Field(sa_column=columns.word())
    note: str = Field(sa_column=columns.word())
    digest: str = Field(sa_column=columns.word())
    attempt_number: int = Field(sa_column=columns.number())
    dismissed: str = Field(sa_column=columns.word())
    granted_at: datetime = Field(sa_column=columns.instant())
    expires_at: datetime = Field(sa_column=columns.instant())
    consumed_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    attempt_id: str | None = Field(sa_column=columns.refers_to("attempt.id", optional=True))
    ended_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    ended_code: str | None = Field(sa_column=columns.word(optional=True))


LOOK: Final = SQLModel.metadata.tables["look"]
READING: Final = SQLModel.metadata.tables["reading"]
DECISION: Final = SQLModel.metadata.tables["decision"]
AUTHORISATION: Final = SQLModel.metadata.tables["authorisation"]
