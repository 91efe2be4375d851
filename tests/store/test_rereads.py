from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from agent.domain.breaker import BREAKERS, BreakerKind
from agent.domain.facts import Phase
from agent.domain.moves import State
from agent.domain.watch import ReadPurpose, ReadResult, ReadSeen
from agent.store.errors import FenceLost
from agent.store.lane import EVERY_WORK, Work
from tests.store.looking import (
    before_person,
    claim_look,
    claim_read,
    found,
    id_after,
    in_doubt,
    look,
    read,
)
from tests.store.scene import NOON, sent

if TYPE_CHECKING:
    from agent.domain.ids import JobId
    from tests.store.scene import Scene

EQUAL, DIFFERS, GONE, TROUBLE = ReadResult


def confirmed(scene: Scene, *, is_read_back: bool) -> JobId:
    """Bring a post out, with its page read or owed."""
    ticket = scene.claimed_at(Phase.PERMALINK)
    scene.store.finish(ticket, sent(is_read_back=is_read_back), facts=None)
    return ticket.job_id


def topics(scene: Scene) -> list[str]:
    """Return what the outbox tells."""
    return [message.topic for message in scene.store.pending_messages()]


def test_row_46_a_page_that_is_owed_is_read_later_and_cleared(scene: Scene) -> None:
    """Row 46: confirmed by the answer's id, its page read on a schedule of its own."""
    job_id = confirmed(scene, is_read_back=False)

    claim = claim_read(scene, job_id)
    job = scene.store.finish_read(
        claim.ticket,
        ReadSeen(result=EQUAL, code="equal", why="the same", breaker=None, facts={}),
    )

    assert claim.purpose is ReadPurpose.READ_BACK
    assert (scene.clock.now() - NOON).total_seconds() == 60
    assert (job.state, job.is_read_back_owed, job.alarm) == (State.CONFIRMED, False, None)


def test_row_46_a_page_that_cannot_be_read_is_tried_again_and_then_a_person_is_told(
    scene: Scene,
) -> None:
    """Row 46: bounded; the reading stays owed, and the watch goes on."""
    job_id = confirmed(scene, is_read_back=False)

    waits = [scene.clock.now()]
    for _ in range(5):
        read(scene, job_id, TROUBLE)
        waits.append(scene.clock.now())

    seconds = [int((after - before).total_seconds()) for before, after in pairwise(waits)]
    job = scene.job(job_id)
    assert seconds == [60, 300, 1800, 7200, 86_400]
    assert (job.alarm, job.is_read_back_owed) == ("read_back_unreadable", True)
    assert topics(scene).count("alarm") == 1


@pytest.mark.parametrize("is_read_back", [True, False], ids=["watched", "owed"])
def test_row_46_another_text_is_an_alarm_and_never_a_resend(
    scene: Scene, *, is_read_back: bool
) -> None:
    """Rows 46 and 57: the flag stays on the job, a person is told, the job stays confirmed."""
    job_id = confirmed(scene, is_read_back=is_read_back)

    job = read(scene, job_id, DIFFERS)

    assert (job.state, job.alarm, job.is_read_back_owed) == (State.CONFIRMED, "differs", False)
    assert topics(scene).count("alarm") == 1
    assert scene.store.claim_next(scene.writer.id, worker="w") is None


@pytest.mark.parametrize("is_read_back", [True, False], ids=["watched", "owed"])
def test_row_57_a_post_that_is_gone_is_believed_at_the_second_reading(
    scene: Scene, *, is_read_back: bool
) -> None:
    """Row 57: deleted: marked vanished, the account stops, a person is told; never sent again."""
    job_id = confirmed(scene, is_read_back=is_read_back)

    once = read(scene, job_id, GONE)
    twice = read(scene, job_id, GONE)

    assert (once.vanished_at, once.alarm) == (None, None)
    assert (twice.state, twice.alarm, twice.vanished_at) == (
        State.CONFIRMED,
        "vanished",
        scene.clock.now(),
    )
    assert [one.kind for one in scene.store.account("writer").breakers] == [BreakerKind.VANISHED]
    assert twice.read_at is None


def test_a_post_that_was_gone_for_a_moment_is_not_vanished(scene: Scene) -> None:
    """One page's bad moment is no alarm."""
    job_id = confirmed(scene, is_read_back=True)

    for result in (GONE, EQUAL, GONE):
        read(scene, job_id, result)

    job = scene.job(job_id)
    assert (job.alarm, job.vanished_at) == (None, None)


def test_a_confirmed_post_is_looked_at_after_ten_minutes_and_a_day(scene: Scene) -> None:
    """Then it is left alone."""
    job_id = confirmed(scene, is_read_back=True)

    times = []
    while scene.job(job_id).read_at is not None:
        read(scene, job_id, EQUAL)
        times.append((scene.clock.now() - NOON).total_seconds())

    assert times == [600, 86_400]
    assert [one.purpose for one in scene.show(job_id).readings] == [ReadPurpose.WATCH] * 2


def test_a_post_found_by_looking_is_watched_as_any_other(scene: Scene) -> None:
    """Or its page is owed, if it was not read with the look."""
    job_id = in_doubt(scene)
    look(scene, found(id_after(scene, 1), is_read_back=False))

    assert claim_read(scene, job_id).purpose is ReadPurpose.READ_BACK


def test_a_reading_holds_the_account_and_waits_for_it(scene: Scene) -> None:
    """One browser, one claim: posts wait for the reading, the reading for the post."""
    job_id = confirmed(scene, is_read_back=True)
    scene.prepare("another")
    claim = claim_read(scene, job_id)

    assert scene.store.claim_next(scene.writer.id, worker="w") is None
    assert scene.store.next_due_at(kinds=EVERY_WORK) is None

    scene.store.finish_read(
        claim.ticket, ReadSeen(result=EQUAL, code="equal", why="", breaker=None, facts={})
    )
    assert scene.store.claim_next(scene.writer.id, worker="w") is not None
    assert scene.store.claim_read(scene.writer.id, worker="w") is None


@pytest.mark.parametrize("kind", BreakerKind)
def test_a_breaker_stops_readings_if_it_concerns_reading(scene: Scene, kind: BreakerKind) -> None:
    """As it does looks."""
    confirmed(scene, is_read_back=False)
    scene.clock.forward(60)
    scene.store.open_breaker(scene.writer.id, kind, detail="seen", actor="w")

    due = scene.store.lanes_with_due_work(frozenset({Work.READ}))

    assert (due == ()) == BREAKERS[kind].stops_reading


def test_a_reader_that_died_leaves_a_reading_to_make_again(scene: Scene) -> None:
    """The sweep frees the lane, keeps the lost reading as trouble, and its worker ends nothing."""
    job_id = confirmed(scene, is_read_back=False)
    ticket = claim_read(scene, job_id).ticket
    scene.clock.forward(181)

    swept = scene.store.sweep()

    assert swept.reads_lapsed == 1
    assert scene.show(job_id).readings[0].code == "reading_lapsed"
    gone = ReadSeen(result=GONE, code="gone", why="", breaker=None, facts={})
    with pytest.raises(FenceLost):
        scene.store.finish_read(ticket, gone)
    assert read(scene, job_id, EQUAL).is_read_back_owed is False


def test_a_lost_look_that_a_person_asked_for_frees_the_lane(scene: Scene) -> None:
    """It holds no state of the job, only the lane; the person may ask again."""
    job = before_person(scene)
    scene.store.look_now(job.id, actor="ann")
    claim_look(scene)

    swept = scene.store.sweep(live_leases_too=True)

    after = scene.job(job.id)
    assert (swept.reads_lapsed, swept.doubted, swept.handed_over) == (1, (), ())
    assert (after.state, after.look_at, after.version) == (State.NEEDS_MANUAL, None, job.version)
    assert scene.show(job.id).looks[-1].code == "look_lapsed"


def test_the_end_of_a_reading_can_be_said_again(scene: Scene) -> None:
    """Row 48, of readings: it changes nothing."""
    job_id = confirmed(scene, is_read_back=False)
    ticket = claim_read(scene, job_id).ticket
    what = ReadSeen(result=DIFFERS, code="differs", why="", breaker=None, facts={})

    first = scene.store.finish_read(ticket, what)

    assert scene.store.finish_read(ticket, what) == first
    assert len(topics(scene)) == len(set(topics(scene)))


def test_a_post_altered_in_the_store_is_not_compared_with_anything(scene: Scene) -> None:
    """An alarm, and no more readings."""
    job_id = confirmed(scene, is_read_back=False)
    scene.tamper("UPDATE intent SET payload = replace(payload, 'Hello', 'Jello')")
    scene.clock.forward(60)

    assert scene.store.claim_read(scene.writer.id, worker="w") is None
    job = scene.job(job_id)
    assert (job.alarm, job.read_at) == ("payload_altered", None)
