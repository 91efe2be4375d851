"""A list of jobs, read with `sqlite3` alone: quick to start, and it can change nothing.

It asks the same questions before it reads as every other opening; only the integrity check of a
large file is left to those that write.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from agent.domain.clock import from_epoch_ms
from agent.domain.ids import JobId
from agent.domain.moves import State
from agent.store import opening
from agent.store.trouble import signalled

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

DEEP_BYTES_MAX: Final = 33_554_432  # 32 MiB are checked in about 20 ms
BUSY_TIMEOUT_MS: Final = 2000

_COLUMNS: Final = (
    "SELECT job.id, job.state, account.handle, job.due_at, job.zone, job.wall, job.held_code, "
    "job.code, job.permalink, job.attempts, intent.article, intent.payload FROM job "
    "JOIN account ON account.id = job.account_id JOIN intent ON intent.id = job.intent_id "
)
_ALL: Final = _COLUMNS + "ORDER BY job.id DESC LIMIT ?"
_OF_STATE: Final = _COLUMNS + "WHERE job.state = ? ORDER BY job.id DESC LIMIT ?"


@dataclass(frozen=True, kw_only=True)
class Glimpse:
    """A line of the list."""

    job_id: JobId
    state: State
    handle: str
    due_at: datetime
    zone: str
    wall: str
    held_code: str | None
    code: str | None
    permalink: str | None
    attempts: int
    article: str
    text: str


def glance(path: Path, *, state: State | None, limit: int) -> tuple[Glimpse, ...]:
    """Return jobs, newest first.

    Args:
        path: the database file.
        state: only jobs in this state; None: all.
        limit: at most so many.

    Raises:
        StoreRefused: the database cannot be used as it is, with the way out.
    """
    opening.examine(path, deep_bytes_max=DEEP_BYTES_MAX)
    statement, given = (_ALL, (limit,)) if state is None else (_OF_STATE, (state, limit))
    try:
        with closing(opening.read_only(path, busy_timeout_ms=BUSY_TIMEOUT_MS)) as connection:
            return tuple(_glimpse(row) for row in connection.execute(statement, given))
    except sqlite3.Error as error:
        if (known := signalled(error, path)) is not None:
            raise known from error
        raise


def _glimpse(row: tuple[Any, ...]) -> Glimpse:
    job_id, state, handle, due_at, zone, wall, held, code, permalink, attempts, article, kept = row
    return Glimpse(
        job_id=JobId(job_id),
        state=State(state),
        handle=handle,
        due_at=from_epoch_ms(due_at),
        zone=zone,
        wall=wall,
        held_code=held,
        code=code,
        permalink=permalink,
        attempts=attempts,
        article=article,
        text=_text_of(kept),
    )


def _text_of(kept: str) -> str:
    try:
        return str(json.loads(kept)["segments"][0]["text"])
    except (ValueError, KeyError, IndexError, TypeError):
        return ""  # an altered payload stops its job at the claim, not this list
