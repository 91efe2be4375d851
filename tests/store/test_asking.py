from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from agent.domain.facts import Phase
from agent.domain.moves import State
from agent.store.errors import AmbiguousId, MoveConflict, NotFound, TimePassed
from agent.store.glance import glance
from tests.store.scene import sent

if TYPE_CHECKING:
    from tests.store.scene import Scene


def test_a_job_is_found_by_its_ids_and_their_beginnings(scene: Scene) -> None:
    """Whole ids, the intent's id, a beginning, without the prefix, in capitals."""
    prepared = scene.prepare()
    job_id = prepared.job_id

    for ref in (job_id, prepared.intent_id, job_id[:20], job_id[4:24], job_id.upper()):
        assert scene.store.resolve(ref) == job_id


def test_a_beginning_that_fits_several_names_them(scene: Scene) -> None:
    """Whoever asks sees what to write more of."""
    ids = {scene.prepare(text).job_id for text in ("one", "two")}

    with pytest.raises(AmbiguousId) as refused:
        scene.store.resolve("job_")

    assert set(refused.value.candidates) == ids


@pytest.mark.parametrize("ref", ["", " ", "job_zzzz", "nonsense", "'; DROP TABLE job; --", "%"])
def test_what_fits_nothing_is_refused(scene: Scene, ref: str) -> None:
    """One clear sentence, whatever was typed."""
    scene.prepare()

    with pytest.raises(NotFound, match="postproof list"):
        scene.store.resolve(ref)


def test_jobs_are_listed_newest_first_by_state_and_account(scene: Scene) -> None:
    """At most as many as asked for."""
    texts = ["one", "two", "three"]
    for text in texts:
        scene.prepare(text)
    scene.claim()

    store = scene.store
    assert [job.text for job in store.jobs()] == ["three", "two", "one"]
    assert [job.text for job in store.jobs(state=State.SENDING)] == ["one"]
    assert [job.text for job in store.jobs(account_id=scene.writer.id, limit=1)] == ["three"]


def test_a_glance_sees_what_the_store_sees(scene: Scene) -> None:
    """The quick list is the same list."""
    ticket = scene.claimed_at(Phase.PERMALINK)
    scene.store.finish(ticket, sent(), facts=None)
    scene.prepare("two", slot=scene.due_in(60))

    lines = glance(scene.path, state=None, limit=10)

    assert [(one.job_id, one.state, one.text, one.due_at, one.permalink) for one in lines] == [
        (job.id, job.state, job.text, job.due_at, job.permalink) for job in scene.store.jobs()
    ]
    assert [one.text for one in glance(scene.path, state=State.PREPARED, limit=10)] == ["two"]


def test_a_glance_stays_light() -> None:
    """The list command imports neither SQLModel nor the rest of the store."""
    code = "import sys, agent.store.glance; print([m for m in sys.modules if 'sql' in m])"

    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout

    assert "sqlmodel" not in said
    assert "sqlalchemy" not in said


def test_a_prepared_job_can_be_given_another_time(scene: Scene) -> None:
    """Nothing has been done, so nothing stands in the way; the history tells it."""
    prepared = scene.prepare()
    slot = scene.due_in(3600)

    moved = scene.store.reschedule(prepared.job_id, slot, actor="ann")

    assert (moved.state, moved.due_at) == (State.PREPARED, slot.due_at)
    assert scene.show(prepared.job_id).events[-1].event == "rescheduled"
    assert scene.store.claim_next(scene.writer.id, worker="w") is None


def test_a_job_cannot_be_moved_into_the_past_or_out_of_an_end(scene: Scene) -> None:
    """Refused with the reason, and nothing changes."""
    ticket = scene.claimed_at(Phase.PERMALINK)
    job = scene.store.finish(ticket, sent(), facts=None)

    with pytest.raises(TimePassed):
        scene.store.reschedule(job.id, scene.due_in(-3600), actor="ann")
    with pytest.raises(MoveConflict, match="confirmed"):
        scene.store.reschedule(job.id, scene.due_in(3600), actor="ann")

    assert scene.job(job.id) == job


def test_side_work_is_handed_out_until_it_is_done(scene: Scene) -> None:
    """A message said to be done twice is done once."""
    scene.prepare()
    (message,) = scene.store.pending_messages()

    scene.store.message_done(message.id)
    scene.store.message_done(message.id)

    assert scene.store.pending_messages() == ()
