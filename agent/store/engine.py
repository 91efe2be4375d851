"""The engine, and the two kinds of transactions on it.

A writing transaction begins with BEGIN IMMEDIATE, so that it waits for its turn at the start and
never fails half-way for having read too early. Each transaction has one instant, `now`.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import QueuePool, create_engine, event
from sqlalchemy.exc import DBAPIError

from agent.store import opening
from agent.store.trouble import signalled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection, Engine

    from agent.domain.ids import IdFactory
    from agent.domain.policy import Policy


@dataclass(frozen=True, kw_only=True)
class Transaction:
    """One transaction: its connection, its instant, and what rules and makes ids in it.

    `draw` is a source of numbers from 0 up to 1, for jitter.
    """

    connection: Connection
    now: datetime
    ids: IdFactory
    policy: Policy
    draw: Callable[[], float]


def open_engine(path: Path, *, busy_timeout_ms: int) -> Engine:
    """Return an engine on an examined file; each connection asserts its pragmas."""
    engine = create_engine(
        "sqlite://",
        creator=lambda: opening.connect(path, busy_timeout_ms=busy_timeout_ms),
        poolclass=QueuePool,
        pool_size=2,
        max_overflow=2,
    )
    event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def transaction(engine: Engine, *, path: Path, is_write: bool) -> Iterator[Connection]:
    """Open a transaction, commit it at the end, roll it back on any error.

    Raises:
        StoreError: what SQLite signalled, in our words.
    """
    try:
        with engine.execution_options(is_write=is_write).begin() as connection:
            yield connection
    except DBAPIError as error:
        if (known := signalled(error.orig, path)) is not None:
            raise known from error
        raise


def one_row(result: Any) -> bool:  # noqa: ANN401 - any kind of statement's result
    """Tell whether a guarded statement touched exactly one row."""
    return bool(result.rowcount == 1)


def _begin(connection: Connection) -> None:
    is_write = connection.get_execution_options().get("is_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_write else "BEGIN")
