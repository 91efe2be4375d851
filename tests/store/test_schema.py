from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from agent.store import opening, schema

if TYPE_CHECKING:
    from pathlib import Path


def described(path: Path) -> dict[tuple[str, str], list[str]]:
    """Return each table, index and trigger with its definitions, whatever their order."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        stamps = [
            str(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("application_id", "user_version")
        ]
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        head = connection.execute("SELECT * FROM audit_head").fetchall()
    found = {(kind, name): sorted(parts_of(sql)) for kind, name, sql in rows}
    return found | {("stamp", "all"): [*stamps, str(revision), str(head)]}


def parts_of(sql: str | None) -> list[str]:
    """Split a definition at its lines, without what is only layout."""
    lines = (sql or "").splitlines()
    return [re.sub(r"\s+", " ", line).strip(" ,") for line in lines if line.strip()]


def test_a_migrated_database_equals_a_fresh_one(tmp_path: Path) -> None:
    """Tables, checks, indexes, triggers, stamps and the first rows: all the same."""
    fresh, migrated = tmp_path / "fresh.db", tmp_path / "migrated.db"
    schema.create(fresh, busy_timeout_ms=1000)
    opening.create_file(migrated)

    schema.migrate(migrated, busy_timeout_ms=1000)

    assert described(migrated) == described(fresh)
    opening.examine(migrated)


def test_migrating_the_newest_schema_changes_nothing(tmp_path: Path) -> None:
    """Saying it twice is saying it once."""
    path = tmp_path / "state.db"
    schema.create(path, busy_timeout_ms=1000)
    before = described(path)

    schema.migrate(path, busy_timeout_ms=1000)

    assert described(path) == before
