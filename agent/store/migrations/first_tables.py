"""The tables of the first schema, frozen beside its step.

Not the tables of today: later schemas are later steps.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def create() -> None:
    """Make every table and index."""
    _account()
    _audit_event()
    _audit_head()
    _outbox()
    _breaker()
    _intent()
    _lane()
    _job()
    _attempt()
    _segment()
    _evidence()


def _account() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("handle_key", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("spacing_s", WHOLE, autoincrement=False, nullable=True),
        sa.Column("added_at", WHOLE, nullable=False),
        sa.Column("identified_at", WHOLE, nullable=True),
        sa.CheckConstraint("tier IN ('basic', 'premium')", name="ck_account_tier"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("uq_account_handle", "account", ["tenant", "handle_key"], unique=True)
    op.create_index("uq_account_user", "account", ["tenant", "user_id"], unique=True)


def _audit_event() -> None:
    op.create_table(
        "audit_event",
        sa.Column("seq", WHOLE, autoincrement=False, nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=True),
        sa.Column("intent_id", sa.Text(), nullable=True),
        sa.Column("job_id", sa.Text(), nullable=True),
        sa.Column("attempt_id", sa.Text(), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("carried", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sqlite_strict=True,
    )
    op.create_index("ix_audit_job", "audit_event", ["job_id", "seq"])


def _audit_head() -> None:
    op.create_table(
        "audit_head",
        sa.Column("id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("seq", WHOLE, autoincrement=False, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.CheckConstraint("id = 1", name="ck_audit_head_one"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=True),
        sa.Column("job_id", sa.Text(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("done_at", WHOLE, nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_outbox_pending",
        "outbox",
        ["id"],
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )


def _breaker() -> None:
    op.create_table(
        "breaker",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("opened_at", WHOLE, nullable=False),
        sa.Column("until_at", WHOLE, nullable=True),
        sa.Column("closed_at", WHOLE, nullable=True),
        sa.Column("closed_by", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.CheckConstraint("(closed_at IS NULL) = (closed_by IS NULL)", name="ck_breaker_closed"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index(
        "uq_breaker_open",
        "breaker",
        ["account_id", "kind"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )


def _intent() -> None:
    op.create_table(
        "intent",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("article", sa.Text(), nullable=False),
        sa.Column("revision", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("seal", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("replays", WHOLE, autoincrement=False, nullable=False),
        sa.Column("conflicts", WHOLE, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index(
        "uq_intent_identity",
        "intent",
        ["tenant", "article", "revision", "channel", "account_id", "operation"],
        unique=True,
    )
    op.create_index("uq_intent_key", "intent", ["tenant", "key"], unique=True)


def _lane() -> None:
    op.create_table(
        "lane",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("epoch", WHOLE, autoincrement=False, nullable=False),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column("lease_until", WHOLE, nullable=True),
        sa.Column("in_flight", sa.Text(), nullable=True),
        sa.Column("last_release_at", WHOLE, nullable=True),
        sa.CheckConstraint("(lease_until IS NULL) = (holder IS NULL)", name="ck_lane_holder"),
        sa.CheckConstraint("(lease_until IS NULL) = (in_flight IS NULL)", name="ck_lane_lease"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("account_id"),
        sqlite_strict=True,
    )
    op.create_index("ix_lane_lease", "lane", ["lease_until"])


def _job() -> None:
    op.create_table(
        "job", *_job_columns(), *_job_rules(), sa.PrimaryKeyConstraint("id"), sqlite_strict=True
    )
    op.create_index("ix_job_account", "job", ["account_id", "state", "id"])
    op.create_index("ix_job_state", "job", ["state", "id"])
    op.create_index(
        "ix_job_waiting",
        "job",
        ["account_id", "due_at", "id"],
        sqlite_where=sa.text("state = 'prepared' AND held_code IS NULL"),
        postgresql_where=sa.text("state = 'prepared' AND held_code IS NULL"),
    )
    op.create_index(
        "uq_job_at_browser",
        "job",
        ["account_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('reconciling', 'sending')"),
        postgresql_where=sa.text("state IN ('reconciling', 'sending')"),
    )
    op.create_index("uq_job_intent", "job", ["intent_id", "channel"], unique=True)
    op.create_index("uq_job_remote_id", "job", ["channel", "remote_id"], unique=True)


def _job_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("intent_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("state_at", WHOLE, nullable=False),
        sa.Column("version", WHOLE, autoincrement=False, nullable=False),
        sa.Column("due_at", WHOLE, nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("wall", sa.Text(), nullable=False),
        sa.Column("late_s_max", WHOLE, autoincrement=False, nullable=False),
        sa.Column("not_before_at", WHOLE, nullable=True),
        sa.Column("held_code", sa.Text(), nullable=True),
        sa.Column("attempts", WHOLE, autoincrement=False, nullable=False),
        sa.Column("failures", WHOLE, autoincrement=False, nullable=False),
        sa.Column("attempt_id", sa.Text(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("look_at", WHOLE, nullable=True),
        sa.Column("looked_at", WHOLE, nullable=True),
        sa.Column("permalink", sa.Text(), nullable=True),
        sa.Column("remote_id", sa.Text(), nullable=True),
        sa.Column("read_back_owed", FLAG, nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
    ]


def _job_rules() -> list[sa.Constraint]:
    return [
        sa.CheckConstraint(
            "(state = 'confirmed') = (permalink IS NOT NULL)", name="ck_job_permalink"
        ),
        sa.CheckConstraint("NOT read_back_owed OR state = 'confirmed'", name="ck_job_read_back"),
        sa.CheckConstraint("permalink LIKE 'https://%'", name="ck_job_permalink_form"),
        sa.CheckConstraint("state <> 'sending' OR attempt_id IS NOT NULL", name="ck_job_sending"),
        sa.CheckConstraint(
            "state IN ('abandoned', 'cancelled', 'confirmed', 'missed', 'needs_manual', "
            "'not_sent', 'prepared', 'reconciling', 'sending', 'unknown')",
            name="ck_job_state",
        ),
        sa.CheckConstraint(
            "state NOT IN ('unknown', 'not_sent', 'missed') OR code IS NOT NULL", name="ck_job_code"
        ),
        sa.CheckConstraint(
            "state NOT IN ('unknown', 'reconciling') OR look_at IS NOT NULL", name="ck_job_look"
        ),
        sa.CheckConstraint("(permalink IS NULL) = (remote_id IS NULL)", name="ck_job_remote_id"),
        sa.CheckConstraint("failures BETWEEN 0 AND attempts", name="ck_job_failures"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["intent_id"], ["intent.id"]),
    ]


def _attempt() -> None:
    op.create_table(
        "attempt",
        *_attempt_columns(),
        *_attempt_rules(),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("uq_attempt_fence", "attempt", ["account_id", "fence"], unique=True)
    op.create_index("uq_attempt_number", "attempt", ["job_id", "number"], unique=True)


def _attempt_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, autoincrement=False, nullable=False),
        sa.Column("fence", WHOLE, autoincrement=False, nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("claimed_at", WHOLE, nullable=False),
        sa.Column("phase", sa.Text(), nullable=True),
        sa.Column("opened_at", WHOLE, nullable=True),
        sa.Column("signed_in_at", WHOLE, nullable=True),
        sa.Column("composed_at", WHOLE, nullable=True),
        sa.Column("armed_at", WHOLE, nullable=True),
        sa.Column("clicked_at", WHOLE, nullable=True),
        sa.Column("released_at", WHOLE, nullable=True),
        sa.Column("acknowledged_at", WHOLE, nullable=True),
        sa.Column("permalink_at", WHOLE, nullable=True),
        sa.Column("baseline_id", sa.Text(), nullable=True),
        sa.Column("baseline", sa.Text(), nullable=True),
        sa.Column("request", sa.Text(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("proof", sa.Text(), nullable=True),
        sa.Column("post_id", sa.Text(), nullable=True),
        sa.Column("ended_at", WHOLE, nullable=True),
    ]


def _attempt_rules() -> list[sa.Constraint]:
    return [
        sa.CheckConstraint(
            "(COALESCE(outcome, '') = 'not_sent') = (proof IS NOT NULL)", name="ck_attempt_proof"
        ),
        sa.CheckConstraint(
            "COALESCE(outcome, '') <> 'sent' OR (released_at IS NOT NULL AND post_id IS NOT NULL)",
            name="ck_attempt_sent",
        ),
        sa.CheckConstraint(
            "COALESCE(proof, '') <> 'not_released' OR released_at IS NULL",
            name="ck_attempt_not_released",
        ),
        sa.CheckConstraint(
            "outcome IS NULL OR outcome IN ('not_sent', 'sent', 'unknown')",
            name="ck_attempt_outcome",
        ),
        sa.CheckConstraint(
            "phase IS NULL OR phase IN ('acknowledged', 'armed', 'clicked', 'composed', "
            "'opened', 'permalink', 'released', 'signed_in')",
            name="ck_attempt_phase",
        ),
        sa.CheckConstraint(
            "proof IS NULL OR proof IN ('not_released', 'refused_by_x')",
            name="ck_attempt_proof_word",
        ),
        sa.CheckConstraint("(outcome IS NULL) = (ended_at IS NULL)", name="ck_attempt_ended"),
        sa.CheckConstraint(
            "released_at IS NULL OR clicked_at IS NOT NULL", name="ck_attempt_order"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"]),
    ]


def _segment() -> None:
    op.create_table(
        "segment",
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("position", WHOLE, autoincrement=False, nullable=False),
        sa.Column("permalink", sa.Text(), nullable=True),
        sa.Column("remote_id", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(permalink IS NULL) = (remote_id IS NULL)", name="ck_segment_remote_id"
        ),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"]),
        sa.PrimaryKeyConstraint("job_id", "position"),
        sqlite_strict=True,
    )


def _evidence() -> None:
    op.create_table(
        "evidence",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("attempt_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("sha256", sa.Text(), nullable=True),
        sa.Column("size_bytes", WHOLE, autoincrement=False, nullable=True),
        sa.Column("taken_at", WHOLE, nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.CheckConstraint("(failure IS NULL) = (sha256 IS NOT NULL)", name="ck_evidence_failure"),
        sa.CheckConstraint("(sha256 IS NULL) = (path IS NULL)", name="ck_evidence_path"),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"]),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("ix_evidence_job", "evidence", ["job_id", "id"])
