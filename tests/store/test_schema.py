from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from agent.store import opening, schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


STAMPS = (
    "PRAGMA application_id",
    "PRAGMA user_version",
    "SELECT * FROM alembic_version",
    "SELECT * FROM audit_head",
)
XINFO = "SELECT * FROM pragma_table_xinfo(?)"
REFERENCES = "SELECT * FROM pragma_foreign_key_list(?)"


def described(path: Path) -> dict[str, object]:
    """Return what a database is made of, whatever the order and the wording."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        found: dict[str, object] = {
            statement: connection.execute(statement).fetchall() for statement in STAMPS
        }
        for kind, name, sql in rows:
            words = re.sub(r"\s+", " ", sql or "")
            found[f"{kind} {name}"] = table(connection, name, words) if kind == "table" else words
    return found


def table(connection: sqlite3.Connection, name: str, words: str) -> dict[str, object]:
    """Return a table's columns, rules and references; a column may have been added later."""
    columns = connection.execute(XINFO, (name,)).fetchall()
    references = connection.execute(REFERENCES, (name,)).fetchall()
    return {
        "columns": [column[1:] for column in columns],
        "references": sorted(reference[2:] for reference in references),
        "rules": sorted(rules_of(words)),
        "strict": words.endswith("STRICT"),
    }


def rules_of(words: str) -> Iterator[str]:
    """Yield each CHECK of a table's definition with its name."""
    for found in re.finditer(r"CONSTRAINT (\w+) CHECK \(", words):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(words[end], 0)
            end += 1
        yield words[found.start() : end]


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
