"""The tables, with every rule that the database itself can hold.

CHECK constraints tie columns to states, partial unique indexes hold the serial order and the
permalinks; the triggers (`triggers`) hold the moves. Rows never leave this package: what leaves
are the frozen records of `records`.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final

from sqlalchemy import CheckConstraint, Index, Table, text
from sqlmodel import Field, SQLModel

from agent.domain.facts import PHASES
from agent.domain.moves import AT_THE_BROWSER, State
from agent.domain.outcome import NotSentProof
from agent.domain.text import Tier
from agent.store import columns

if TYPE_CHECKING:
    from collections.abc import Iterable

STRICT: Final[dict[str, Any]] = {"sqlite_strict": True}


def one_of(column: str, values: Iterable[str]) -> str:
    """Return the condition that a column holds one of an enumeration's words."""
    words = sorted(str(value) for value in values)
    return f"{column} IN ({', '.join(repr(word) for word in words)})"


def _partial_index(name: str, *names: str, where: str, unique: bool = False) -> Index:
    return Index(
        name, *names, unique=unique, sqlite_where=text(where), postgresql_where=text(where)
    )


AT_BROWSER_SQL: Final = one_of("state", AT_THE_BROWSER)
WAITING_SQL: Final = "state = 'prepared' AND held_code IS NULL AND waits_for IS NULL"
TO_LOOK_SQL: Final = "state IN ('needs_manual', 'unknown') AND look_at IS NOT NULL"
TRIED_AGAIN_SQL: Final = "state = 'prepared' AND authorisation_id IS NOT NULL"
TO_READ_SQL: Final = "state = 'confirmed' AND read_at IS NOT NULL"
UNSETTLED_SQL: Final = "state IN ('reconciling', 'unknown') AND looked_at IS NULL"


class AccountRow(SQLModel, table=True):
    """One account of the site; its identity is the numeric user id."""

    __tablename__: ClassVar[Any] = "account"
    __table_args__ = (
        CheckConstraint(one_of("tier", Tier), name="ck_account_tier"),
        Index("uq_account_handle", "tenant", "handle_key", unique=True),
        Index("uq_account_user", "tenant", "user_id", unique=True),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    tenant: str = Field(sa_column=columns.word())
    handle: str = Field(sa_column=columns.word())
    handle_key: str = Field(sa_column=columns.word())
    user_id: str | None = Field(sa_column=columns.word(optional=True))
    tier: str = Field(sa_column=columns.word())
    spacing_s: int | None = Field(sa_column=columns.number(optional=True))
    added_at: datetime = Field(sa_column=columns.instant())
    identified_at: datetime | None = Field(sa_column=columns.instant(optional=True))


class LaneRow(SQLModel, table=True):
    """The serial order of one account: the epoch is the fence of the latest claim."""

    __tablename__: ClassVar[Any] = "lane"
    __table_args__ = (
        CheckConstraint("(lease_until IS NULL) = (in_flight IS NULL)", name="ck_lane_lease"),
        CheckConstraint("(lease_until IS NULL) = (holder IS NULL)", name="ck_lane_holder"),
        Index("ix_lane_lease", "lease_until"),
        STRICT,
    )
    account_id: str = Field(sa_column=columns.refers_to("account.id", primary_key=True))
    epoch: int = Field(sa_column=columns.number())
    holder: str | None = Field(sa_column=columns.word(optional=True))
    lease_until: datetime | None = Field(sa_column=columns.instant(optional=True))
    in_flight: str | None = Field(sa_column=columns.word(optional=True))
    last_release_at: datetime | None = Field(sa_column=columns.instant(optional=True))


class BreakerRow(SQLModel, table=True):
    """A stop of one account; open until `closed_at` is set or `until_at` has passed."""

    __tablename__: ClassVar[Any] = "breaker"
    __table_args__ = (
        CheckConstraint("(closed_at IS NULL) = (closed_by IS NULL)", name="ck_breaker_closed"),
        _partial_index(
            "uq_breaker_open", "account_id", "kind", unique=True, where="closed_at IS NULL"
        ),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    account_id: str = Field(sa_column=columns.refers_to("account.id"))
    kind: str = Field(sa_column=columns.word())
    detail: str = Field(sa_column=columns.word())
    opened_at: datetime = Field(sa_column=columns.instant())
    until_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    closed_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    closed_by: str | None = Field(sa_column=columns.word(optional=True))
    note: str | None = Field(sa_column=columns.word(optional=True))


class IntentRow(SQLModel, table=True):
    """What somebody wants published, with its frozen payload.

    `digest` covers the meaning, `seal` every byte of `payload`; both are checked at the claim.
    """

    __tablename__: ClassVar[Any] = "intent"
    __table_args__ = (
        Index("uq_intent_key", "tenant", "key", unique=True),
        Index(
            "uq_intent_identity",
            "tenant",
            "article",
            "revision",
            "channel",
            "account_id",
            "operation",
            unique=True,
        ),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    tenant: str = Field(sa_column=columns.word())
    article: str = Field(sa_column=columns.word())
    revision: str = Field(sa_column=columns.word())
    channel: str = Field(sa_column=columns.word())
    account_id: str = Field(sa_column=columns.refers_to("account.id"))
    operation: str = Field(sa_column=columns.word())
    key: str = Field(sa_column=columns.word())
    digest: str = Field(sa_column=columns.word())
    seal: str = Field(sa_column=columns.word())
    payload: str = Field(sa_column=columns.word())
    created_at: datetime = Field(sa_column=columns.instant())
    replays: int = Field(sa_column=columns.number())
    conflicts: int = Field(sa_column=columns.number())


class JobRow(SQLModel, table=True):
    """The work of carrying one intent out; holds the state, which only `moves` writes."""

    __tablename__: ClassVar[Any] = "job"
    __table_args__ = (
        CheckConstraint(one_of("state", State), name="ck_job_state"),
        CheckConstraint("(state = 'confirmed') = (permalink IS NOT NULL)", name="ck_job_permalink"),
        CheckConstraint("(permalink IS NULL) = (remote_id IS NULL)", name="ck_job_remote_id"),
        CheckConstraint("permalink LIKE 'https://%'", name="ck_job_permalink_form"),
        CheckConstraint("state <> 'sending' OR attempt_id IS NOT NULL", name="ck_job_sending"),
        CheckConstraint(
            "state NOT IN ('unknown', 'reconciling') OR look_at IS NOT NULL", name="ck_job_look"
        ),
        CheckConstraint(
            "state NOT IN ('unknown', 'not_sent', 'missed') OR code IS NOT NULL",
            name="ck_job_code",
        ),
        CheckConstraint("failures BETWEEN 0 AND attempts", name="ck_job_failures"),
        CheckConstraint("NOT read_back_owed OR state = 'confirmed'", name="ck_job_read_back"),
        CheckConstraint("look_asked_by IS NULL OR look_at IS NOT NULL", name="ck_job_asked"),
        CheckConstraint("waits_for IS NULL OR state = 'prepared'", name="ck_job_waits"),
        CheckConstraint("state <> 'needs_manual' OR code IS NOT NULL", name="ck_job_manual"),
        CheckConstraint("read_at IS NULL OR state = 'confirmed'", name="ck_job_read_at"),
        CheckConstraint("vanished_at IS NULL OR state = 'confirmed'", name="ck_job_vanished"),
        Index("uq_job_intent", "intent_id", "channel", unique=True),
        Index("uq_job_remote_id", "channel", "remote_id", unique=True),
        _partial_index("uq_job_at_browser", "account_id", unique=True, where=AT_BROWSER_SQL),
        _partial_index("ix_job_waiting", "account_id", "due_at", "id", where=WAITING_SQL),
        _partial_index("ix_job_look", "account_id", "look_at", "id", where=TO_LOOK_SQL),
        _partial_index("ix_job_read", "account_id", "read_at", "id", where=TO_READ_SQL),
        _partial_index("ix_job_waits_for", "waits_for", where="waits_for IS NOT NULL"),
        _partial_index("ix_job_tried", "account_id", "id", where=TRIED_AGAIN_SQL),
        Index("ix_job_state", "state", "id"),
        Index("ix_job_account", "account_id", "state", "id"),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    intent_id: str = Field(sa_column=columns.refers_to("intent.id"))
    account_id: str = Field(sa_column=columns.refers_to("account.id"))
    channel: str = Field(sa_column=columns.word())
    state: str = Field(sa_column=columns.word())
    state_at: datetime = Field(sa_column=columns.instant())
    version: int = Field(sa_column=columns.number())
    due_at: datetime = Field(sa_column=columns.instant())
    zone: str = Field(sa_column=columns.word())
    wall: str = Field(sa_column=columns.word())
    late_s_max: int = Field(sa_column=columns.number())
    not_before_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    held_code: str | None = Field(sa_column=columns.word(optional=True))
    attempts: int = Field(sa_column=columns.number())
    failures: int = Field(sa_column=columns.number())
    attempt_id: str | None = Field(sa_column=columns.word(optional=True))
    code: str | None = Field(sa_column=columns.word(optional=True))
    detail: str | None = Field(sa_column=columns.word(optional=True))
    look_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    looked_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    permalink: str | None = Field(sa_column=columns.word(optional=True))
    remote_id: str | None = Field(sa_column=columns.word(optional=True))
    read_back_owed: bool = Field(sa_column=columns.flag())
    created_at: datetime = Field(sa_column=columns.instant())
    look_asked_by: str | None = Field(sa_column=columns.word(optional=True))
    waits_for: str | None = Field(sa_column=columns.word(optional=True))
    authorisation_id: str | None = Field(sa_column=columns.word(optional=True))
    read_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    vanished_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    alarm: str | None = Field(sa_column=columns.word(optional=True))


class SegmentRow(SQLModel, table=True):
    """One post of a job, in its place; its text is in the payload."""

    __tablename__: ClassVar[Any] = "segment"
    __table_args__ = (
        CheckConstraint("(permalink IS NULL) = (remote_id IS NULL)", name="ck_segment_remote_id"),
        STRICT,
    )
    job_id: str = Field(sa_column=columns.refers_to("job.id", primary_key=True))
    position: int = Field(sa_column=columns.number(primary_key=True))
    permalink: str | None = Field(sa_column=columns.word(optional=True))
    remote_id: str | None = Field(sa_column=columns.word(optional=True))


class AttemptRow(SQLModel, table=True):
    """One try of a job: its fence, the time of each phase, and how it ended."""

    __tablename__: ClassVar[Any] = "attempt"
    __table_args__ = (
        CheckConstraint(
            f"phase IS NULL OR {one_of('phase', PHASES)}",
            name="ck_attempt_phase",
        ),
        CheckConstraint(
            f"outcome IS NULL OR {one_of('outcome', ('sent', 'not_sent', 'unknown'))}",
            name="ck_attempt_outcome",
        ),
        CheckConstraint(
            f"proof IS NULL OR {one_of('proof', NotSentProof)}", name="ck_attempt_proof_word"
        ),
        CheckConstraint("(outcome IS NULL) = (ended_at IS NULL)", name="ck_attempt_ended"),
        CheckConstraint(
            "(COALESCE(outcome, '') = 'not_sent') = (proof IS NOT NULL)", name="ck_attempt_proof"
        ),
        CheckConstraint(
            "COALESCE(proof, '') <> 'not_released' OR released_at IS NULL",
            name="ck_attempt_not_released",
        ),
        CheckConstraint(
            "COALESCE(outcome, '') <> 'sent' OR (released_at IS NOT NULL AND post_id IS NOT NULL)",
            name="ck_attempt_sent",
        ),
        CheckConstraint("released_at IS NULL OR clicked_at IS NOT NULL", name="ck_attempt_order"),
        Index("uq_attempt_number", "job_id", "number", unique=True),
        Index("uq_attempt_fence", "account_id", "fence", unique=True),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    job_id: str = Field(sa_column=columns.refers_to("job.id"))
    account_id: str = Field(sa_column=columns.refers_to("account.id"))
    number: int = Field(sa_column=columns.number())
    fence: int = Field(sa_column=columns.number())
    worker: str = Field(sa_column=columns.word())
    claimed_at: datetime = Field(sa_column=columns.instant())
    phase: str | None = Field(sa_column=columns.word(optional=True))
    opened_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    signed_in_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    composed_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    armed_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    clicked_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    released_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    acknowledged_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    permalink_at: datetime | None = Field(sa_column=columns.instant(optional=True))
    baseline_id: str | None = Field(sa_column=columns.word(optional=True))
    baseline: str | None = Field(sa_column=columns.word(optional=True))
    request: str | None = Field(sa_column=columns.word(optional=True))
    facts: str | None = Field(sa_column=columns.word(optional=True))
    outcome: str | None = Field(sa_column=columns.word(optional=True))
    code: str | None = Field(sa_column=columns.word(optional=True))
    detail: str | None = Field(sa_column=columns.word(optional=True))
    proof: str | None = Field(sa_column=columns.word(optional=True))
    post_id: str | None = Field(sa_column=columns.word(optional=True))
    ended_at: datetime | None = Field(sa_column=columns.instant(optional=True))


class EvidenceRow(SQLModel, table=True):
    """One file of evidence, or the record that taking it failed."""

    __tablename__: ClassVar[Any] = "evidence"
    __table_args__ = (
        CheckConstraint("(failure IS NULL) = (sha256 IS NOT NULL)", name="ck_evidence_failure"),
        CheckConstraint("(sha256 IS NULL) = (path IS NULL)", name="ck_evidence_path"),
        Index("ix_evidence_job", "job_id", "id"),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    job_id: str = Field(sa_column=columns.refers_to("job.id"))
    attempt_id: str = Field(sa_column=columns.refers_to("attempt.id"))
    kind: str = Field(sa_column=columns.word())
    path: str | None = Field(sa_column=columns.word(optional=True))
    sha256: str | None = Field(sa_column=columns.word(optional=True))
    size_bytes: int | None = Field(sa_column=columns.number(optional=True))
    taken_at: datetime = Field(sa_column=columns.instant())
    failure: str | None = Field(sa_column=columns.word(optional=True))
    look_id: str | None = Field(sa_column=columns.refers_to("look.id", optional=True))
    reading_id: str | None = Field(sa_column=columns.refers_to("reading.id", optional=True))


class AuditRow(SQLModel, table=True):
    """One event of the history, chained to the one before; append-only by trigger."""

    __tablename__: ClassVar[Any] = "audit_event"
    __table_args__ = (Index("ix_audit_job", "job_id", "seq"), STRICT)
    seq: int = Field(sa_column=columns.number(primary_key=True))
    at: datetime = Field(sa_column=columns.instant())
    event: str = Field(sa_column=columns.word())
    who: str = Field(sa_column=columns.word())
    actor: str = Field(sa_column=columns.word())
    account_id: str | None = Field(sa_column=columns.word(optional=True))
    intent_id: str | None = Field(sa_column=columns.word(optional=True))
    job_id: str | None = Field(sa_column=columns.word(optional=True))
    attempt_id: str | None = Field(sa_column=columns.word(optional=True))
    before: str | None = Field(sa_column=columns.word(optional=True))
    after: str | None = Field(sa_column=columns.word(optional=True))
    carried: str = Field(sa_column=columns.word())
    previous: str = Field(sa_column=columns.word())
    hash: str = Field(sa_column=columns.word())


class AuditHeadRow(SQLModel, table=True):
    """Where the history ends, so that a cut-off tail is seen."""

    __tablename__: ClassVar[Any] = "audit_head"
    __table_args__ = (CheckConstraint("id = 1", name="ck_audit_head_one"), STRICT)
    id: int = Field(sa_column=columns.number(primary_key=True))
    seq: int = Field(sa_column=columns.number())
    hash: str = Field(sa_column=columns.word())


class OutboxRow(SQLModel, table=True):
    """Side work to do after a commit; never part of an attempt."""

    __tablename__: ClassVar[Any] = "outbox"
    __table_args__ = (
        _partial_index("ix_outbox_pending", "id", where="done_at IS NULL"),
        STRICT,
    )
    id: str = Field(sa_column=columns.key())
    topic: str = Field(sa_column=columns.word())
    account_id: str | None = Field(sa_column=columns.word(optional=True))
    job_id: str | None = Field(sa_column=columns.word(optional=True))
    body: str = Field(sa_column=columns.word())
    created_at: datetime = Field(sa_column=columns.instant())
    done_at: datetime | None = Field(sa_column=columns.instant(optional=True))


def _table(name: str) -> Table:
    return SQLModel.metadata.tables[name]


ACCOUNT: Final = _table("account")
LANE: Final = _table("lane")
BREAKER: Final = _table("breaker")
INTENT: Final = _table("intent")
JOB: Final = _table("job")
SEGMENT: Final = _table("segment")
ATTEMPT: Final = _table("attempt")
EVIDENCE: Final = _table("evidence")
AUDIT: Final = _table("audit_event")
AUDIT_HEAD: Final = _table("audit_head")
OUTBOX: Final = _table("outbox")
