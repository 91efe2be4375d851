"""The table that turns SQLite's result codes into the errors of this package.

Used at both edges: by the plain `sqlite3` checks and readings, and by the engine. What is not in
the table is a mistake of ours and passes through as it is.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from agent.store.errors import StoreBusy, StoreError, StoreRefused, StoreUnwritable

if TYPE_CHECKING:
    from pathlib import Path

RESTORE: Final = (
    "stop every postproof, move the file away with its -wal and -shm, put your last backup in its "
    "place, or start anew with: postproof init"
)
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNWRITABLE: Final = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}
)


def signalled(error: BaseException | None, path: Path) -> StoreError | None:
    """Return what an error of SQLite means for the caller; None when it is a mistake of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in _DAMAGED:
        return StoreRefused("damaged", f"{path} is damaged ({error}); {RESTORE}")
    if primary in _BUSY:
        return StoreBusy(f"{path} is in use by another program; try again in a moment")
    if primary in _UNWRITABLE:
        return StoreUnwritable(
            f"{path} cannot be written ({error}); make room, or mend the disk or the permissions, "
            "and start again"
        )
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StoreRefused(
            "unopenable",
            f"{path} cannot be opened; look at the permissions of the file and its folder",
        )
    return None
