"""Opening the database file: every check before anything is written, with `sqlite3` alone.

A file that is missing, empty, damaged, another program's or newer than this program is refused
with the way out, and stays untouched; only `create_file` makes one, and only where none is. The
file is never opened but through SQLite, since closing it elsewhere would drop SQLite's locks.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from agent.store.errors import StoreRefused
from agent.store.trouble import RESTORE, signalled

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION_ID: Final = 0x50504631  # "PPF1": written into the header, so that `file` can tell
SCHEMA_VERSION: Final = 2

# journal_mode and synchronous: WAL with FULL lost none of 1,686 power-cut images, Python's
# default lost the acknowledged row in 26 % of them. Source: decision 0006.
PRAGMAS: Final = {
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "trusted_schema": 0,
}


def examine(path: Path, *, deep_bytes_max: int | None = None, may_be_older: bool = False) -> None:
    """Refuse a database that this program must not use; read-only.

    Args:
        path: the database file.
        deep_bytes_max: skip the integrity check of a file larger than this; None: never skip.
        may_be_older: an earlier schema is no reason, since it is about to be brought up.

    Raises:
        StoreRefused: with the way out.
    """
    _examine_file(path)
    try:
        with closing(_connect(path, mode="ro", busy_timeout_ms=2000)) as connection:
            _examine_header(connection, path, may_be_older=may_be_older)
            if deep_bytes_max is None or path.stat().st_size <= deep_bytes_max:
                _examine_pages(connection, path)
    except sqlite3.Error as error:
        raise (signalled(error, path) or _damaged(path, str(error))) from error


def connect(path: Path, *, busy_timeout_ms: int) -> sqlite3.Connection:
    """Open an examined database for reading and writing, with every pragma asserted.

    Raises:
        StoreRefused: a pragma does not hold, as on a network file system without WAL.
    """
    connection = _connect(path, mode="rw", busy_timeout_ms=busy_timeout_ms)
    for name, wanted in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {wanted}")
        (found,) = connection.execute(f"PRAGMA {name}").fetchone()
        if found != wanted:
            connection.close()
            raise StoreRefused(
                "pragma",
                f"{path} does not keep {name} = {wanted} (it says {found}); "
                "move the workspace to a local disk",
            )
    return connection


def read_only(path: Path, *, busy_timeout_ms: int) -> sqlite3.Connection:
    """Open an examined database for reading."""
    return _connect(path, mode="ro", busy_timeout_ms=busy_timeout_ms)


def create_file(path: Path) -> None:
    """Make an empty file, readable by its owner only, where none is; its folder as well.

    Raises:
        StoreRefused: something is there already, or the folder cannot be written.
    """
    try:
        if not path.parent.is_dir():
            path.parent.mkdir(mode=0o700, parents=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError as error:
        raise StoreRefused(
            "exists",
            f"{path} is there already and stays as it is; use it, or choose another folder "
            "with --workspace",
        ) from error
    except OSError as error:
        raise StoreRefused(
            "unopenable", f"{path} cannot be made ({error.strerror}); choose another --workspace"
        ) from error


def stamp(connection: sqlite3.Connection) -> None:
    """Write whose file it is and which schema it holds, inside the caller's transaction."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _connect(path: Path, *, mode: str, busy_timeout_ms: int) -> sqlite3.Connection:
    # isolation_level=None: transactions begin where the engine says so, and nowhere else.
    # check_same_thread=False: the pool hands a connection to one thread at a time.
    return sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=busy_timeout_ms / 1000,
    )


def _examine_file(path: Path) -> None:
    if not path.exists():
        raise StoreRefused(
            "missing", f"there is no database at {path}; make one with: postproof init"
        )
    if not path.is_file():
        raise StoreRefused("not_a_file", f"{path} is not a file; choose another --workspace")
    if path.stat().st_size == 0:
        raise _empty(path)


def _examine_header(connection: sqlite3.Connection, path: Path, *, may_be_older: bool) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == 0 and objects == 0:
        raise _empty(path)
    if application != APPLICATION_ID:
        raise StoreRefused(
            "foreign",
            f"{path} belongs to another program; choose another --workspace, or move it away",
        )
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise StoreRefused(
            "newer",
            f"{path} was written by a newer postproof (schema {version}, this one knows "
            f"{SCHEMA_VERSION}); update postproof",
        )
    if version < SCHEMA_VERSION and not may_be_older:
        raise StoreRefused(
            "older",
            f"{path} has schema {version} and this postproof needs {SCHEMA_VERSION}; {RESTORE}",
        )


def _examine_pages(connection: sqlite3.Connection, path: Path) -> None:
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise _damaged(path, str(verdict))


def _empty(path: Path) -> StoreRefused:
    return StoreRefused(
        "empty",
        f"{path} is empty; if it was never used (an interrupted init), delete it and run: "
        f"postproof init; otherwise {RESTORE}",
    )


def _damaged(path: Path, why: str) -> StoreRefused:
    return StoreRefused("damaged", f"{path} is damaged ({why}); {RESTORE}")
