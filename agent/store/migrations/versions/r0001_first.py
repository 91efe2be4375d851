"""The first schema.

Revision 0001, after nothing; frozen, since later schemas are later steps.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from agent.store.migrations.first_tables import create
from agent.store.migrations.first_triggers import TRIGGERS

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table, index and trigger, and the head of an empty history."""
    create()
    for trigger in TRIGGERS:
        op.execute(trigger)
    head = sa.table("audit_head", sa.column("id"), sa.column("seq"), sa.column("hash"))
    op.bulk_insert(head, [{"id": 1, "seq": 0, "hash": "0" * 64}])
