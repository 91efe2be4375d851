"""What every verb of the store works in: one engine, one clock, one policy, one transaction each.

The base of the store's facade; verbs are in `ledger` and `doubt_verbs`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from agent.domain.clock import whole_ms
from agent.domain.policy import DEFAULT_POLICY, Policy
from agent.store import opening, schema
from agent.store.engine import Transaction, open_engine, transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType

    from sqlalchemy import Engine

    from agent.domain.clock import Clock
    from agent.domain.ids import IdFactory


class Workbench:
    """An opened database, and the transactions on it.

    Args:
        engine: an engine on an examined file.
        path: the file, for messages.
        clock: what time it is.
        ids: makes new ids.
        policy: the bounds in force.
        draw: a source of numbers from 0 up to 1, for jitter.
    """

    def __init__(
        self,
        *,
        engine: Engine,
        path: Path,
        clock: Clock,
        ids: IdFactory,
        policy: Policy,
        draw: Callable[[], float],
    ) -> None:
        self._engine = engine
        self._path = path
        self._clock = clock
        self._ids = ids
        self._draw = draw
        self.policy = policy

    @staticmethod
    def create(path: Path, *, policy: Policy = DEFAULT_POLICY) -> None:
        """Make an empty database where there is none; see `schema.create`."""
        schema.create(path, busy_timeout_ms=policy.busy_timeout_ms)

    @staticmethod
    def upgrade(path: Path, *, policy: Policy = DEFAULT_POLICY) -> None:
        """Bring a database of an earlier schema to this one, whole or not at all.

        Nobody else may use it meanwhile: hold the daemon's lock. The newest schema stays as it is.

        Raises:
            StoreRefused: it is no whole database of ours; the file is untouched.
        """
        opening.examine(path, may_be_older=True)
        schema.migrate(path, busy_timeout_ms=policy.busy_timeout_ms)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        clock: Clock,
        ids: IdFactory,
        draw: Callable[[], float],
        policy: Policy = DEFAULT_POLICY,
    ) -> Self:
        """Open a database that is there and whole.

        Raises:
            StoreRefused: with the way out; the file is untouched.
        """
        opening.examine(path)
        engine = open_engine(path, busy_timeout_ms=policy.busy_timeout_ms)
        return cls(engine=engine, path=path, clock=clock, ids=ids, policy=policy, draw=draw)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _write(self) -> AbstractContextManager[Transaction]:
        return self._transaction(is_write=True)

    def _read(self) -> AbstractContextManager[Transaction]:
        return self._transaction(is_write=False)

    @contextmanager
    def _transaction(self, *, is_write: bool) -> Iterator[Transaction]:
        with transaction(self._engine, path=self._path, is_write=is_write) as connection:
            # The instant is read inside, so that waiting for one's turn does not age it.
            yield Transaction(
                connection=connection,
                now=whole_ms(self._clock.now()),
                ids=self._ids,
                policy=self.policy,
                draw=self._draw,
            )
