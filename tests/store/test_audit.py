from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent.domain.facts import Phase
from tests.store.scene import sent

if TYPE_CHECKING:
    from tests.store.scene import Scene


def test_a_whole_history_is_whole(scene: Scene) -> None:
    """Every verb appends to the chain, and the chain holds."""
    scene.store.finish(scene.claimed_at(Phase.PERMALINK), sent(), facts=None)
    scene.prepare("two")
    scene.store.pause_account(scene.writer.id, note="stop", actor="ann")

    verdict = scene.store.verify_audit()

    assert verdict.is_whole
    assert verdict.events == 7


def test_the_moves_of_a_job_are_told_in_order(scene: Scene) -> None:
    """Who did what, from where to where, carrying what."""
    ticket = scene.claimed_at(Phase.PERMALINK)
    scene.store.finish(ticket, sent(), facts=None)

    events = scene.show(ticket.job_id).events

    assert [(one.event, one.before, one.after) for one in events] == [
        ("prepared", None, "prepared"),
        ("claimed", "prepared", "sending"),
        ("released", None, None),
        ("confirmed", "sending", "confirmed"),
    ]
    assert events[-1].carried["permalink"] == sent().permalink


TAMPERED = {
    "an event changed": ("UPDATE audit_event SET actor = 'eve' WHERE seq = 3", 3),
    "an instant changed": ("UPDATE audit_event SET at = at + 1 WHERE seq = 2", 2),
    "what it carried changed": ("UPDATE audit_event SET carried = '{}' WHERE seq = 2", 2),
    "an event removed": ("DELETE FROM audit_event WHERE seq = 3", 3),
    "the last event removed": ("DELETE FROM audit_event WHERE seq = 5", 5),
    "all events removed": ("DELETE FROM audit_event", 1),
    "two events exchanged": (
        "UPDATE audit_event SET seq = CASE seq WHEN 2 THEN 30 ELSE 2 END WHERE seq IN (2, 3)",
        2,
    ),
    "a hash changed": ("UPDATE audit_event SET hash = previous WHERE seq = 4", 4),
    "the head changed": ("UPDATE audit_head SET hash = 'x'", 6),
    "the head removed": ("DELETE FROM audit_head", 6),
    "a state changed": (
        "UPDATE job SET state = 'prepared', permalink = NULL, remote_id = NULL, read_at = NULL",
        6,
    ),
}


@pytest.mark.parametrize(("statement", "seq"), TAMPERED.values(), ids=TAMPERED)
def test_a_history_that_was_touched_is_not_whole(scene: Scene, statement: str, seq: int) -> None:
    """Changed, removed, exchanged, cut off: seen, with the first event that is wrong."""
    scene.store.finish(scene.claimed_at(Phase.PERMALINK), sent(), facts=None)
    scene.tamper(statement)

    verdict = scene.store.verify_audit()

    assert not verdict.is_whole
    assert verdict.first_bad_seq == seq
    assert verdict.why


def test_nothing_is_appended_to_a_history_without_its_head(scene: Scene) -> None:
    """A verb that cannot tell what it does, does nothing."""
    scene.tamper("DELETE FROM audit_head")

    with pytest.raises(Exception, match="audit verify"):
        scene.prepare()

    assert scene.rows("SELECT count(*) FROM job") == [(0,)]
