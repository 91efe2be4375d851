from __future__ import annotations

import hashlib
import sqlite3
import stat
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from agent.store import opening
from agent.store.errors import StoreRefused
from agent.store.glance import glance
from agent.store.ledger import Store
from tests.store.scene import HeldClock, begin, open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with forty jobs in it, closed."""
    scene = begin(tmp_path / "state.db")
    for number in range(40):
        scene.prepare(f"Post {number}")
    scene.store.close()
    return scene.path


def pragma(path: Path, statement: str) -> None:
    """Change a database's header."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)


def flip(path: Path, offset: int) -> None:
    """Change a run of bytes inside the file."""
    content = bytearray(path.read_bytes())
    for place in range(offset, offset + 64):
        content[place] ^= 0xFF
    path.write_bytes(content)


def interrupted(path: Path) -> None:
    """Leave what an init leaves that was killed before its transaction ended."""
    path.unlink()
    opening.create_file(path)
    opening.connect(path, busy_timeout_ms=100).close()


def folder(path: Path) -> None:
    """Put a folder in the place."""
    path.unlink()
    path.mkdir()


def another_program(path: Path) -> None:
    """Put another program's database in the place."""
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text)")
        connection.commit()


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing file": (lambda path: path.unlink(), "missing"),
    "empty file": (lambda path: path.write_bytes(b""), "empty"),
    "interrupted init": (interrupted, "empty"),
    "folder in its place": (folder, "not_a_file"),
    "another program's": (another_program, "foreign"),
    "no database at all": (lambda path: path.write_text("hello " * 2000), "damaged"),
    "newer schema": (lambda path: pragma(path, "PRAGMA user_version = 99"), "newer"),
    "older schema": (lambda path: pragma(path, "PRAGMA user_version = 0"), "older"),
    "header gone": (lambda path: flip(path, 0), "damaged"),
    "garbage in the first page": (lambda path: flip(path, 100), "damaged"),
    "garbage in a page": (lambda path: flip(path, 8 * 4096), "damaged"),
    "cut short": (lambda path: path.write_bytes(path.read_bytes()[:6000]), "damaged"),
}


WAYS_OUT = ("postproof init", "--workspace", "update postproof")


def fingerprint(path: Path) -> str | None:
    """Return what a file holds, to see that it was not touched."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


@pytest.mark.parametrize(("damage", "code"), DAMAGE.values(), ids=DAMAGE)
def test_rows_8_and_70_a_wrong_database_is_refused_and_left_as_it_is(
    database: Path, damage: Callable[[Path], object], code: str
) -> None:
    """Rows 8 and 70: refuses to start with the way out; nothing sent; file untouched."""
    damage(database)
    before = fingerprint(database)

    for open_it in (
        lambda: open_store(database, HeldClock()),
        lambda: glance(database, state=None, limit=10),
    ):
        with pytest.raises(StoreRefused) as refused:
            open_it()
        assert refused.value.code == code
        assert any(word in refused.value.message for word in WAYS_OUT)

    assert fingerprint(database) == before


def test_row_70_committed_work_in_the_log_is_not_lost_by_opening(database: Path) -> None:
    """A process that died leaves its last commits in the -wal file; opening finds them."""
    copy = database.with_name("copy.db")
    with open_store(database, HeldClock()) as store:
        store.pause_account(store.account("writer").id, note="just now", actor="ann")
        for end in ("", "-wal", "-shm"):
            copy.with_name(copy.name + end).write_bytes(
                database.with_name(database.name + end).read_bytes()
            )

    with open_store(copy, HeldClock()) as store:
        assert store.account("writer").is_held


def test_init_makes_a_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    """0600 in a folder of 0700."""
    path = tmp_path / "new" / "state.db"

    Store.create(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_init_never_makes_anything_over_an_existing_file(database: Path) -> None:
    """What is there stays as it is, also when it is no database."""
    before = fingerprint(database)

    with pytest.raises(StoreRefused, match="is there already"):
        Store.create(database)

    assert fingerprint(database) == before


def test_init_in_an_impossible_place_is_refused(tmp_path: Path) -> None:
    """A file where a folder should be ends in a sentence, not in a stack trace."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreRefused, match="--workspace"):
        Store.create(tmp_path / "file" / "state.db")


def test_every_connection_keeps_its_promises(database: Path) -> None:
    """WAL and FULL, foreign keys, no trust in what a schema could smuggle in."""
    with closing(opening.connect(database, busy_timeout_ms=100)) as connection:
        found = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in opening.PRAGMAS
        }

    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "trusted_schema": 0,
    }


def test_a_large_file_is_listed_without_reading_all_of_it(database: Path) -> None:
    """The integrity check of a large file is left to those that write."""
    flip(database, 8 * 4096)

    opening.examine(database, deep_bytes_max=1000)

    with pytest.raises(StoreRefused):
        opening.examine(database)
