from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from agent.domain.facts import Phase
from agent.domain.moves import State
from agent.domain.payload import PayloadRefused
from agent.store.errors import IntentConflict, KeyConflict, TimePassed
from tests.store.scene import sent

if TYPE_CHECKING:
    from tests.store.scene import Scene

COUNTS = "SELECT (SELECT count(*) FROM intent), (SELECT count(*) FROM job)"


def test_a_preparation_writes_everything_or_nothing(scene: Scene) -> None:
    """Intent, job, segment, history and outbox come together."""
    prepared = scene.prepare("Hello", link="https://example.com/a")

    tree = scene.show(prepared.job_id)
    assert prepared.state is State.PREPARED
    assert [segment.text for segment in tree.segments] == ["Hello https://example.com/a"]
    assert [event.event for event in tree.events] == ["prepared"]
    assert [message.topic for message in scene.store.pending_messages()] == ["job.prepared"]


def test_row_3_asking_again_replays_what_is_known_now(scene: Scene) -> None:
    """Row 3: prepare committed, answer lost, caller repeats: the stored result, as it is now."""
    first = scene.prepare(key="k")
    ticket = scene.claim().ticket

    again = scene.prepare(key="k")

    assert (again.job_id, again.intent_id) == (first.job_id, first.intent_id)
    assert (again.replayed, again.state) == (True, State.SENDING)
    assert ticket.job_id == first.job_id


def test_row_3_a_replay_after_the_end_carries_the_permalink(scene: Scene) -> None:
    """Row 3: whoever repeats a finished request learns where the post is."""
    scene.prepare(key="k")
    ticket = scene.claim().ticket
    scene.carry(ticket, Phase.PERMALINK)
    scene.store.finish(ticket, sent(), facts=None)

    again = scene.prepare(key="k")

    assert again.state is State.CONFIRMED
    assert again.permalink == sent().permalink


def test_row_3_a_replay_does_not_mind_that_its_time_has_passed(scene: Scene) -> None:
    """Row 3: a scheduled request repeated later is still the same request."""
    slot = scene.due_in(60)
    first = scene.prepare(slot=slot)
    scene.clock.forward(3600)

    again = scene.prepare(slot=slot)

    assert again.replayed
    assert again.due_at == first.due_at


OTHER_CONTENT: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "text": ({"text": "Bye", "link": "https://example.com/a"}, ("text",)),
    "link": ({"link": "https://example.com/b"}, ("article", "link", "text")),
    "revision": ({"link": "https://example.com/a", "revision": "2"}, ("revision",)),
}


@pytest.mark.parametrize(("changes", "fields"), OTHER_CONTENT.values(), ids=OTHER_CONTENT)
def test_row_2_the_same_key_with_other_content_is_refused(
    scene: Scene, changes: dict[str, Any], fields: tuple[str, ...]
) -> None:
    """Row 2: refused, names the fields that differ, nothing overwritten, counted."""
    first = scene.prepare(key="k", link="https://example.com/a")
    before = scene.show(first.job_id)

    with pytest.raises(KeyConflict) as refused:
        scene.prepare(key="k", **changes)

    after = scene.show(first.job_id)
    assert refused.value.fields == fields
    assert refused.value.job_id == first.job_id
    assert after.intent.payload == before.intent.payload
    assert after.intent.conflicts == 1
    assert scene.rows(COUNTS) == [(1, 1)]


def test_row_9_the_same_intent_under_another_key_is_refused(scene: Scene) -> None:
    """Row 9: other key, same tenant, article, revision, channel, account, operation."""
    first = scene.prepare(key="one")

    with pytest.raises(IntentConflict) as refused:
        scene.prepare(key="two")

    assert refused.value.intent_id == first.intent_id
    assert refused.value.key == "one"
    assert scene.rows(COUNTS) == [(1, 1)]


def test_a_second_announcement_on_purpose_is_an_intent_of_its_own(scene: Scene) -> None:
    """Another revision of the same article is another post."""
    first = scene.prepare(link="https://example.com/a")

    second = scene.prepare(link="https://example.com/a", revision="2")

    assert second.job_id != first.job_id
    assert not second.replayed


def test_row_11_two_spellings_of_one_content_are_one_intent(scene: Scene) -> None:
    """Row 11: CRLF, NFD text, default port in the link: a replay, not a conflict."""
    scene.prepare("one\ntwo é", key="k", link="https://example.com/a")

    again = scene.prepare("one\r\ntwo e\u0301", key="k", link="https://example.com:443/a")

    assert again.replayed


def test_row_12_a_new_job_in_the_past_is_refused(scene: Scene) -> None:
    """Row 12: past time: one clear error, nothing stored."""
    with pytest.raises(TimePassed, match="has passed"):
        scene.prepare(slot=scene.due_in(-3600))

    assert scene.rows(COUNTS) == [(0, 0)]


def test_an_instant_comes_back_as_it_was_given(scene: Scene) -> None:
    """Aware, in UTC, to the millisecond."""
    slot = scene.due_in(timedelta(hours=1).total_seconds())

    prepared = scene.prepare(slot=slot)

    job = scene.job(prepared.job_id)
    assert (job.due_at, job.zone, job.wall) == (slot.due_at, slot.zone, slot.wall)


def test_row_12_a_name_that_cannot_be_kept_stores_nothing(scene: Scene) -> None:
    """Row 12: an empty key is refused before anything is written."""
    with pytest.raises(PayloadRefused, match="key: is empty"):
        scene.prepare(key="")

    assert scene.rows(COUNTS) == [(0, 0)]


def test_several_requests_are_taken_in_all_or_none(scene: Scene) -> None:
    """A file of announcements of which one conflicts leaves nothing behind."""
    scene.prepare("one", key="k")

    with pytest.raises(KeyConflict):
        scene.store.prepare_all([scene.asking("two"), scene.asking("three", key="k")])

    assert scene.rows(COUNTS) == [(1, 1)]
    both = scene.store.prepare_all([scene.asking("two"), scene.asking("three")])
    assert [prepared.replayed for prepared in both] == [False, False]
