from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agent.domain.facts import Phase
from agent.domain.moves import State
from agent.domain.policy import DEFAULT_POLICY
from agent.store.errors import StoreBusy, StoreUnwritable
from tests.store.scene import REQUEST, open_store, sent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.store.scene import Scene

HASTY = replace(DEFAULT_POLICY, busy_timeout_ms=20)


@contextmanager
def locked(scene: Scene) -> Iterator[None]:
    """Another program that holds the database."""
    with closing(sqlite3.connect(scene.path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def test_row_72_a_locked_store_says_so_and_goes_on_afterwards(scene: Scene) -> None:
    """Row 72: nothing lost; the same call works when the lock is gone."""
    ticket = scene.claimed_at(Phase.PERMALINK)
    with open_store(scene.path, scene.clock, HASTY) as store:
        with locked(scene), pytest.raises(StoreBusy, match="try again"):
            store.finish(ticket, sent(), facts=None)

        job = store.finish(ticket, sent(), facts=None)

    assert job.state is State.CONFIRMED


def test_row_25_a_store_that_cannot_write_refuses_the_release(scene: Scene) -> None:
    """Row 25, in the store: locked at the release: an error, and no release on record."""
    ticket = scene.claimed_at(Phase.CLICKED)
    with (
        open_store(scene.path, scene.clock, HASTY) as store,
        locked(scene),
        pytest.raises(StoreBusy),
    ):
        store.released(ticket, REQUEST)

    assert scene.show(ticket.job_id).attempts[0].phase is Phase.CLICKED


def test_reading_goes_on_while_another_program_writes(scene: Scene) -> None:
    """A long write elsewhere does not stop anybody from asking."""
    prepared = scene.prepare()

    with locked(scene):
        assert scene.job(prepared.job_id).state is State.PREPARED


def test_row_25_a_full_disk_refuses_a_write_whole_and_loses_nothing(scene: Scene) -> None:
    """Row 25, in the store: no room: a write is refused whole, and the record stays whole."""
    ticket = scene.claimed_at(Phase.CLICKED)
    with scene.store._write() as tx:
        pages = tx.connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        tx.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StoreUnwritable, match="make room"):
        scene.store.pause_account(scene.writer.id, note="x" * 40_000, actor="ann")

    assert not scene.store.account("writer").is_held
    assert scene.show(ticket.job_id).attempts[0].phase is Phase.CLICKED
    assert scene.store.verify_audit().is_whole
