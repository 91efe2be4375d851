"""The tables of the second schema, frozen beside its step: looks, readings, decisions, permissions.

Not the tables of today: later schemas are later steps.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def create() -> None:
    """Make every new table and its indexes."""
    _look()
    _reading()
    _authorisation()
    _decision()


def _look() -> None:
    op.create_table(
        "look",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("attempt_id", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, autoincrement=False, nullable=False),
        sa.Column("fence", WHOLE, autoincrement=False, nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=True),
        sa.Column("claimed_at", WHOLE, nullable=False),
        sa.Column("ended_at", WHOLE, nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("post_id", sa.Text(), nullable=True),
        sa.Column("reached_id", sa.Text(), nullable=True),
        sa.Column("page_loads", WHOLE, autoincrement=False, nullable=True),
        sa.Column("posts_read", WHOLE, autoincrement=False, nullable=True),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("wanted", sa.Text(), nullable=True),
        sa.Column("posts", sa.Text(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=True),
        sa.Column("policy", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.CheckConstraint(
            "result IS NULL OR result IN ('absent', 'found', 'void')", name="ck_look_result"
        ),
        sa.CheckConstraint(
            "outcome IS NULL OR outcome IN ('ambiguous', 'none', 'unique')", name="ck_look_outcome"
        ),
        sa.CheckConstraint("(result IS NULL) = (ended_at IS NULL)", name="ck_look_ended"),
        sa.CheckConstraint("(result IS NULL) = (code IS NULL)", name="ck_look_code"),
        sa.CheckConstraint(
            "(outcome IS NULL) = (COALESCE(result, 'void') = 'void')", name="ck_look_void"
        ),
        sa.CheckConstraint(
            "(COALESCE(outcome, '') = 'none') = (COALESCE(result, '') = 'absent')",
            name="ck_look_absent",
        ),
        sa.CheckConstraint(
            "(COALESCE(outcome, '') = 'unique') = (post_id IS NOT NULL)", name="ck_look_unique"
        ),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"]),
        sqlite_strict=True,
    )
    op.create_index("uq_look_fence", "look", ["account_id", "fence"], unique=True)
    op.create_index("uq_look_number", "look", ["job_id", "number"], unique=True)


def _reading() -> None:
    op.create_table(
        "reading",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("attempt_id", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, autoincrement=False, nullable=False),
        sa.Column("fence", WHOLE, autoincrement=False, nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("claimed_at", WHOLE, nullable=False),
        sa.Column("ended_at", WHOLE, nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.CheckConstraint("purpose IN ('read_back', 'watch')", name="ck_reading_purpose"),
        sa.CheckConstraint(
            "result IS NULL OR result IN ('differs', 'equal', 'gone', 'trouble')",
            name="ck_reading_result",
        ),
        sa.CheckConstraint("(result IS NULL) = (ended_at IS NULL)", name="ck_reading_ended"),
        sa.CheckConstraint("(result IS NULL) = (code IS NULL)", name="ck_reading_code"),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"]),
        sqlite_strict=True,
    )
    op.create_index("uq_reading_fence", "reading", ["account_id", "fence"], unique=True)
    op.create_index("uq_reading_number", "reading", ["job_id", "number"], unique=True)


def _authorisation() -> None:
    op.create_table(
        "authorisation",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("attempt_number", WHOLE, autoincrement=False, nullable=False),
        sa.Column("dismissed", sa.Text(), nullable=False),
        sa.Column("granted_at", WHOLE, nullable=False),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.Column("consumed_at", WHOLE, nullable=True),
        sa.Column("attempt_id", sa.Text(), nullable=True),
        sa.Column("ended_at", WHOLE, nullable=True),
        sa.Column("ended_code", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.CheckConstraint("expires_at > granted_at", name="ck_authorisation_time"),
        sa.CheckConstraint("length(trim(note)) > 0", name="ck_authorisation_note"),
        sa.CheckConstraint(
            "(consumed_at IS NULL) = (attempt_id IS NULL)", name="ck_authorisation_consumed"
        ),
        sa.CheckConstraint(
            "(ended_at IS NULL) = (ended_code IS NULL)", name="ck_authorisation_ended"
        ),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"]),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"]),
        sqlite_strict=True,
    )
    op.create_index("ix_authorisation_job", "authorisation", ["job_id", "id"])


def _decision() -> None:
    op.create_table(
        "decision",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", WHOLE, autoincrement=False, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("permalink", sa.Text(), nullable=True),
        sa.Column("post_id", sa.Text(), nullable=True),
        sa.Column("is_forced", FLAG, nullable=False),
        sa.Column("look_id", sa.Text(), nullable=True),
        sa.Column("authorisation_id", sa.Text(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("decided_at", WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.CheckConstraint(
            "kind IN ('absent', 'confirm', 'give_up', 'withdraw')", name="ck_decision_kind"
        ),
        sa.CheckConstraint("(kind = 'confirm') = (permalink IS NOT NULL)", name="ck_decision_post"),
        sa.CheckConstraint("(permalink IS NULL) = (post_id IS NULL)", name="ck_decision_post_id"),
        sa.CheckConstraint(
            "note IS NOT NULL OR (kind = 'confirm' AND NOT is_forced)", name="ck_decision_note"
        ),
        sa.CheckConstraint(
            "kind <> 'absent' OR (look_id IS NOT NULL AND authorisation_id IS NOT NULL)",
            name="ck_decision_absent",
        ),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"]),
        sa.ForeignKeyConstraint(["look_id"], ["look.id"]),
        sa.ForeignKeyConstraint(["authorisation_id"], ["authorisation.id"]),
        sqlite_strict=True,
    )
    op.create_index("uq_decision_version", "decision", ["job_id", "version"], unique=True)
