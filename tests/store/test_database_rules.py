from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import product
from typing import TYPE_CHECKING

import pytest

from agent.domain.facts import Phase
from agent.domain.moves import MOVES, State
from tests.store.looking import before_person, ruled_absent
from tests.store.scene import sent

if TYPE_CHECKING:
    from tests.store.scene import Scene

LEGAL = {(row.before, row.after) for row in MOVES}
ILLEGAL = sorted(set(product(State, State)) - LEGAL)


def run(scene: Scene, statement: str, *given: str) -> None:
    """Write to the database as a stray program would, with its rules in force."""
    with closing(sqlite3.connect(scene.path, isolation_level=None)) as connection:
        connection.execute(statement, given)


def put_into(scene: Scene, state: State) -> None:
    """Bring a job into a state behind the store's back, keeping what a state needs."""
    scene.prepare()
    with closing(sqlite3.connect(scene.path, isolation_level=None)) as connection:
        rules = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE name IN ('job_move', 'job_untried')"
        ).fetchall()
        for name, _ in rules:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE job SET code = 'c', look_at = 1, attempt_id = 'att_1'")
        connection.execute(SET_CONFIRMED if state is State.CONFIRMED else SET_OTHER, (state,))
        for _, rule in rules:
            connection.execute(rule)


SET_OTHER = "UPDATE job SET state = ?, code = 'c', permalink = NULL, remote_id = NULL"
SET_CONFIRMED = "UPDATE job SET state = ?, permalink = 'https://x.com/a/status/1', remote_id = '1'"


@pytest.mark.parametrize(("before", "after"), ILLEGAL)
def test_the_database_itself_refuses_every_illegal_move(
    scene: Scene, before: State, after: State
) -> None:
    """Whatever program writes the state: what the table does not have is refused."""
    put_into(scene, before)

    with pytest.raises(sqlite3.IntegrityError, match="no such move"):
        run(scene, SET_CONFIRMED if after is State.CONFIRMED else SET_OTHER, after)


@pytest.mark.parametrize("after", [State.PREPARED, State.NOT_SENT])
def test_the_database_lets_nothing_back_without_the_proof(scene: Scene, after: State) -> None:
    """A released attempt, or one still open, cannot be declared not sent by a bare UPDATE."""
    scene.claimed_at(Phase.RELEASED)

    with pytest.raises(sqlite3.IntegrityError, match="no way back without the proof"):
        run(scene, SET_OTHER, after)


STRAY = {
    "confirm without a permalink": "UPDATE job SET state = 'confirmed'",
    "permalink of another site's form": (
        "UPDATE job SET state = 'confirmed', permalink = 'javascript:', remote_id = '1'"
    ),
    "unknown without a time to look": "UPDATE job SET state = 'unknown', code = 'c'",
    "call a released attempt not released": (
        "UPDATE attempt SET outcome = 'not_sent', ended_at = 1, proof = 'not_released'"
    ),
    "call an attempt not sent without proof": (
        "UPDATE attempt SET outcome = 'not_sent', ended_at = 1"
    ),
    "take a release back": "UPDATE attempt SET released_at = NULL",
    "change a frozen payload": "UPDATE intent SET payload = '{}'",
    "change an intent's identity": "UPDATE intent SET account_id = 'acc_x'",
    "delete a job": "DELETE FROM job",
    "delete an intent": "DELETE FROM intent",
    "change the history": "UPDATE audit_event SET actor = 'nobody'",
    "cut the history": "DELETE FROM audit_event WHERE seq = 2",
    "turn the head back": "UPDATE audit_head SET seq = 1",
    "remove the head": "DELETE FROM audit_head",
    "a text for an instant": "UPDATE job SET due_at = 'tomorrow'",
    "a lease without a holder": "UPDATE lane SET holder = NULL",
}


@pytest.mark.parametrize("statement", STRAY.values(), ids=STRAY)
def test_the_database_holds_its_rules_against_stray_writes(scene: Scene, statement: str) -> None:
    """CHECK constraints and triggers say no where no code of ours is asked."""
    scene.claimed_at(Phase.RELEASED)

    with pytest.raises(sqlite3.IntegrityError):
        run(scene, statement)


def test_an_attempt_that_has_ended_does_not_change(scene: Scene) -> None:
    """The record of how it ended is final."""
    scene.store.finish(scene.claimed_at(Phase.PERMALINK), sent(), facts=None)

    with pytest.raises(sqlite3.IntegrityError, match="has ended"):
        run(scene, "UPDATE attempt SET post_id = '8'")


TWINS = {
    "two jobs at the browser": (
        "UPDATE job SET state = 'sending', attempt_id = 'att_x' WHERE state = 'prepared'"
    ),
    "two jobs of an intent": (
        "INSERT INTO job SELECT 'job_x', intent_id, account_id, channel, 'prepared', state_at, "
        "version, due_at, zone, wall, late_s_max, NULL, NULL, attempts, 0, NULL, NULL, NULL, NULL, "
        "NULL, NULL, NULL, 0, created_at, NULL, NULL, NULL, NULL, NULL, NULL FROM job "
        "WHERE state = 'prepared'"
    ),
    "two intents under a key": (
        "INSERT INTO intent SELECT 'int_x', tenant, 'other', revision, channel, account_id, "
        "operation, key, digest, seal, payload, created_at, 0, 0 FROM intent LIMIT 1"
    ),
    "one intent twice": (
        "INSERT INTO intent SELECT 'int_x', tenant, article, revision, channel, account_id, "
        "operation, 'k', digest, seal, payload, created_at, 0, 0 FROM intent LIMIT 1"
    ),
    "one user, two accounts": (
        "INSERT INTO account SELECT 'acc_x', tenant, 'x', 'x', user_id, tier, NULL, added_at, NULL "
        "FROM account"
    ),
}


@pytest.mark.parametrize("statement", TWINS.values(), ids=TWINS)
def test_what_is_one_cannot_be_two(scene: Scene, statement: str) -> None:
    """Serial order, one job per intent, one key, one identity: unique indexes hold them."""
    scene.claimed_at(Phase.OPENED)
    scene.prepare("two")

    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        run(scene, statement)


LEFT_OVER: dict[str, tuple[str, str]] = {
    "another try without a permission": (
        "UPDATE job SET state = 'prepared' WHERE state = 'needs_manual'",
        "without a permission",
    ),
    "another try with a permission that is none": (
        "UPDATE job SET authorisation_id = 'aut_x', state = 'prepared' WHERE state <> 'prepared'",
        "without a permission",
    ),
    "forget that it was tried": (
        "UPDATE job SET authorisation_id = NULL WHERE state = 'prepared'",
        "not forgotten",
    ),
    "cancel what may be out": (
        "UPDATE job SET state = 'cancelled' WHERE state = 'prepared'",
        "may be out",
    ),
    "miss what may be out": (
        "UPDATE job SET state = 'missed', code = 'late' WHERE state = 'prepared'",
        "may be out",
    ),
    "doubt what was never tried": (
        "UPDATE job SET state = 'needs_manual', code = 'c' WHERE attempts = 0",
        "nothing of it is in doubt",
    ),
    "lengthen a permission": ("UPDATE authorisation SET expires_at = 9e12", "is frozen"),
    "take a permission away": ("DELETE FROM authorisation", "never deleted"),
    "decide otherwise": ("UPDATE decision SET actor = 'nobody'", "stays"),
    "decide nothing": ("DELETE FROM decision", "stays"),
    "see something else": ("UPDATE look SET post_id = '8'", "does not change"),
    "see nothing": ("DELETE FROM look", "never deleted"),
    "ask without a time": ("UPDATE job SET look_asked_by = 'ann', look_at = NULL", "ck_job_asked"),
    "vanish without being there": ("UPDATE job SET vanished_at = 1", "ck_job_vanished"),
}


@pytest.mark.parametrize(("statement", "why"), LEFT_OVER.values(), ids=LEFT_OVER)
def test_the_database_lets_nobody_around_a_person(scene: Scene, statement: str, why: str) -> None:
    """What may be out is tried again only under a permission, and what was decided stays."""
    before_person(scene, "quite another matter")
    ruled_absent(scene)
    scene.prepare("never tried")

    with pytest.raises(sqlite3.IntegrityError, match=why):
        run(scene, statement)


def test_the_database_lets_nothing_out_a_second_time_under_one_permission(scene: Scene) -> None:
    """The release of a second try is refused where its permission is not used up by it."""
    ruled_absent(scene)
    scene.carry(scene.claim().ticket, Phase.CLICKED)

    with pytest.raises(sqlite3.IntegrityError, match="nobody has permitted"):
        run(scene, "UPDATE attempt SET released_at = 1 WHERE released_at IS NULL")


def test_a_permission_is_used_once(scene: Scene) -> None:
    """Used, it can neither be used again nor ended."""
    ruled_absent(scene)
    scene.carry(scene.claim().ticket, Phase.RELEASED)

    with pytest.raises(sqlite3.IntegrityError, match="used once"):
        run(scene, "UPDATE authorisation SET consumed_at = NULL, attempt_id = NULL")
