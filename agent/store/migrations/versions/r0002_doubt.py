"""The schema of doubt: looks, readings, decisions, permissions, and what jobs know of them.

Revision 0002, after 0001; frozen. Columns are added in place, so that nothing that is kept is
copied; the rules that a new column brings stand beside it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from agent.store.migrations.second_tables import create
from agent.store.migrations.second_triggers import REPLACED, TRIGGERS

revision = "0002"
down_revision = "0001"

JOB_COLUMNS = {
    "look_asked_by TEXT CONSTRAINT ck_job_asked": "look_asked_by IS NULL OR look_at IS NOT NULL",
    "waits_for TEXT CONSTRAINT ck_job_waits": "waits_for IS NULL OR state = 'prepared'",
    "authorisation_id TEXT CONSTRAINT ck_job_manual": "state <> 'needs_manual' OR code IS NOT NULL",
    "read_at {whole} CONSTRAINT ck_job_read_at": "read_at IS NULL OR state = 'confirmed'",
    "vanished_at {whole} CONSTRAINT ck_job_vanished": "vanished_at IS NULL OR state = 'confirmed'",
}
INDEXES = (
    (
        "ix_job_waiting",
        ["account_id", "due_at", "id"],
        "state = 'prepared' AND held_code IS NULL AND waits_for IS NULL",
    ),
    (
        "ix_job_look",
        ["account_id", "look_at", "id"],
        "state IN ('needs_manual', 'unknown') AND look_at IS NOT NULL",
    ),
    (
        "ix_job_read",
        ["account_id", "read_at", "id"],
        "state = 'confirmed' AND read_at IS NOT NULL",
    ),
    ("ix_job_waits_for", ["waits_for"], "waits_for IS NOT NULL"),
    (
        "ix_job_tried",
        ["account_id", "id"],
        "state = 'prepared' AND authorisation_id IS NOT NULL",
    ),
)


def upgrade() -> None:
    """Make the new tables, columns, indexes and triggers; rows keep their meaning."""
    create()
    whole = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
    for column, rule in JOB_COLUMNS.items():
        op.execute(f"ALTER TABLE job ADD COLUMN {column.format(whole=whole)} CHECK ({rule})")
    op.execute("ALTER TABLE job ADD COLUMN alarm TEXT")
    op.execute("ALTER TABLE evidence ADD COLUMN look_id TEXT REFERENCES look (id)")
    op.execute("ALTER TABLE evidence ADD COLUMN reading_id TEXT REFERENCES reading (id)")
    op.drop_index("ix_job_waiting", "job")
    for name, columns, where in INDEXES:
        condition = sa.text(where)
        op.create_index(name, "job", columns, sqlite_where=condition, postgresql_where=condition)
    for name in REPLACED:
        op.execute(f"DROP TRIGGER {name}")
    for trigger in TRIGGERS:
        op.execute(trigger)
