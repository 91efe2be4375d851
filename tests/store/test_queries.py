from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from agent.domain.facts import Phase
from agent.domain.ids import PostId
from agent.domain.moves import State
from agent.domain.watch import ReadResult
from agent.store.lane import EVERY_WORK
from tests.store.looking import (
    ABSENT,
    before_person,
    claim_look,
    claim_read,
    found,
    id_after,
    in_doubt,
    look,
    read,
    ruled_absent,
)
from tests.store.scene import UNKNOWN, sent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.store.scene import Scene

GROWING = (
    *("job", "intent", "attempt", "segment", "evidence", "audit_event", "outbox"),
    *("look", "reading", "decision", "authorisation"),
)


@contextmanager
def overheard(scene: Scene) -> Iterator[list[tuple[str, Any]]]:
    """Collect every statement that the store sends, with what it binds."""
    said: list[tuple[str, Any]] = []

    def hear(_connection: object, _cursor: object, sql: str, given: object, *_rest: object) -> None:
        if sql.startswith(("SELECT", "UPDATE")):
            said.append((sql, given))

    event.listen(scene.store._engine, "before_cursor_execute", hear)
    yield said
    event.remove(scene.store._engine, "before_cursor_execute", hear)


def plans(scene: Scene, said: list[tuple[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield each step of each statement's plan, beside the statement."""
    with scene.store._read() as tx:
        for sql, given in said:
            for step in tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given):
                yield step[3], sql


def the_main_job(scene: Scene) -> None:
    """Prepare, replay, claim, write every phase, finish."""
    scene.store.finish(scene.claimed_at(Phase.PERMALINK), sent(), facts=None)
    scene.prepare()


def a_doubt(scene: Scene) -> None:
    """A claim that is lost, and what the next one asks."""
    scene.claimed_at(Phase.RELEASED)
    scene.store.sweep(live_leases_too=True)
    scene.store.claim_next(scene.writer.id, worker="w")


def the_bell(scene: Scene) -> None:
    """What a daemon asks again and again."""
    scene.prepare(slot=scene.due_in(60))
    scene.store.lanes_with_due_work(EVERY_WORK)
    scene.store.next_due_at(kinds=EVERY_WORK)
    scene.store.pending_messages()
    scene.store.sweep()


def a_person(scene: Scene) -> None:
    """What a person asks at the terminal."""
    ticket = scene.claimed_at(Phase.RELEASED)
    scene.store.finish(ticket, UNKNOWN, facts=None)
    scene.store.resolve(ticket.job_id[:20])
    scene.show(ticket.job_id)
    scene.store.jobs()
    scene.store.jobs(state=State.UNKNOWN)
    scene.store.account_counts(scene.writer.id)
    scene.store.taken_ids("x_web", [PostId("1")])


def looks(scene: Scene) -> None:
    """What looking asks: claims, ends, siblings, the sweep, and another job that waits."""
    in_doubt(scene)
    look(scene, ABSENT)
    scene.prepare("Hello", revision="2")
    scene.store.claim_next(scene.writer.id, worker="w")
    claim_look(scene)
    scene.store.sweep(live_leases_too=True)
    look(scene, found(id_after(scene)))


def decisions(scene: Scene) -> None:
    """What a person decides, and the try that follows."""
    other = before_person(scene, "quite another matter")
    job = ruled_absent(scene)
    scene.store.in_review()
    scene.store.give_up(other.id, version=other.version, note="why", actor="ann")
    scene.carry(scene.claim().ticket, Phase.RELEASED)
    scene.store.sweep(live_leases_too=True)
    scene.show(job.id)


def readings(scene: Scene) -> None:
    """What is read again."""
    ticket = scene.claimed_at(Phase.PERMALINK)
    scene.store.finish(ticket, sent(is_read_back=False), facts=None)
    read(scene, ticket.job_id, ReadResult.EQUAL)
    claim_read(scene, ticket.job_id)
    scene.store.sweep(live_leases_too=True)


STORIES = [the_main_job, a_doubt, the_bell, a_person, looks, decisions, readings]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_no_question_reads_a_growing_table_from_end_to_end(
    scene: Scene, story: Callable[[Scene], None]
) -> None:
    """Every statement the store really sends is served by an index, without sorting."""
    with overheard(scene) as said:
        story(scene)

    slow = [
        (step, sql)
        for step, sql in plans(scene, said)
        if any(step.startswith(f"SCAN {table}") and "INDEX" not in step for table in GROWING)
        or ("TEMP B-TREE" in step and "FROM breaker" not in sql)
    ]
    assert said
    assert slow == []
