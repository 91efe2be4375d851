from __future__ import annotations

import re
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from agent.domain.moves import State
from agent.store import opening, schema
from agent.store.errors import StoreRefused
from agent.store.lane import Work
from agent.store.ledger import Store
from tests.store.scene import HeldClock, open_store

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


def test_a_database_of_the_first_schema_keeps_what_it_holds(tmp_path: Path) -> None:
    """Jobs, history and rules come along; the store opens it and goes on."""
    path = tmp_path / "state.db"
    opening.create_file(path)
    with of_revision(path, "0001") as connection:
        connection.executescript(FIRST_ROWS)
        connection.execute(f"PRAGMA application_id = {opening.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
    with pytest.raises(StoreRefused, match="schema 1"):
        opening.examine(path)

    Store.upgrade(path)

    with open_store(path, HeldClock()) as store:
        (job,) = store.jobs()
        assert (job.state, job.code, job.waits_for) == (State.UNKNOWN, "no_answer", None)
        assert store.lanes_with_due_work({Work.LOOK}) == (job.account_id,)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@contextmanager
def of_revision(path: Path, revision: str) -> Iterator[sqlite3.Connection]:
    """Make the schema of a revision, and hand out a connection to fill it."""
    engine = create_engine(f"sqlite:///{path}")
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with closing(sqlite3.connect(path)) as plain:
        yield plain


FIRST_ROWS = """
INSERT INTO account VALUES ('acc_1', 'default', 'Writer', 'writer', '42', 'basic', NULL, 1, 1);
INSERT INTO lane VALUES ('acc_1', 1, NULL, NULL, NULL, 1);
INSERT INTO intent VALUES ('int_1', 'default', 'a', '1', 'x_web', 'acc_1', 'announce', 'k', 'd',
    's', '{}', 1, 0, 0);
INSERT INTO job VALUES ('job_1', 'int_1', 'acc_1', 'x_web', 'prepared', 1, 1, 1, 'UTC', 'w', 60,
    NULL, NULL, 1, 0, 'att_1', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1);
INSERT INTO attempt (id, job_id, account_id, number, fence, worker, claimed_at, clicked_at,
    released_at, outcome, code, ended_at)
    VALUES ('att_1', 'job_1', 'acc_1', 1, 1, 'w', 1, 1, 1, 'unknown', 'no_answer', 2);
INSERT INTO evidence VALUES ('evi_1', 'job_1', 'att_1', 'page', 'p', 's', 1, 1, NULL);
UPDATE job SET state = 'sending';
UPDATE job SET state = 'unknown', code = 'no_answer', look_at = 2;
"""
