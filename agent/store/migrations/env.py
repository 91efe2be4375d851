"""Runs the steps on the connection that `schema.migrate` hands over.

Alembic loads this file by its place; nothing imports it.
"""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=None)
with context.begin_transaction():
    context.run_migrations()
