from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agent.domain.decisions import DecisionKind
from agent.domain.facts import Phase
from agent.domain.ids import UserId
from agent.domain.moves import State
from agent.domain.outcome import Unknown
from agent.store.errors import (
    DecisionRefused,
    Stale,
)
from tests.store.deciding import absent, confirm, every_decision
from tests.store.looking import (
    ABSENT,
    VOID,
    ambiguous,
    before_person,
    checked,
    claim_look,
    found,
    fresh_look,
    id_after,
    in_doubt,
    look,
    ruled_absent,
)
from tests.store.scene import sent

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.domain.doubt import LookSeen
    from agent.store.records import JobRecord
    from tests.store.scene import Scene


def test_a_person_confirms_by_a_permalink(scene: Scene) -> None:
    """The post is the job's, its page was read; the decision is kept with what was checked."""
    job = before_person(scene)
    post_id = id_after(scene, -15)

    done = confirm(scene, job, checked(post_id))

    (decision,) = scene.show(job.id).decisions
    assert (done.state, done.remote_id, done.is_read_back_owed) == (
        State.CONFIRMED,
        post_id,
        False,
    )
    assert (decision.kind, decision.actor, decision.version) == (
        DecisionKind.CONFIRM,
        "ann",
        job.version,
    )
    assert decision.facts == {"text": "Hello"}


NO_POST = "https://x.com/Writer"
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "of another author": ({"author_id": UserId("7")}, "foreign_author"),
    "not a permalink": ({"permalink": NO_POST}, "not_a_permalink"),
    "another site's": ({"permalink": "https://x.com.example/Writer/status/1"}, "not_a_permalink"),
    "another link": ({"is_link_equal": False}, "link_differs"),
    "another text": ({"is_text_equal": False}, "text_differs"),
}


@pytest.mark.parametrize(("changes", "code"), REFUSED.values(), ids=REFUSED)
def test_row_61_a_post_that_does_not_fit_is_refused_with_the_reason(
    scene: Scene, changes: dict[str, Any], code: str
) -> None:
    """Row 61: another author, not a permalink, another content: nothing is changed."""
    job = before_person(scene)

    with pytest.raises(DecisionRefused) as refused:
        confirm(scene, job, checked(id_after(scene, -15), **changes))

    assert refused.value.code == code
    assert scene.job(job.id) == job
    assert scene.show(job.id).decisions == ()


@pytest.mark.parametrize("seconds", [-3600, 60], ids=["before the click", "in the future"])
def test_row_61_a_post_from_outside_the_window_is_refused(scene: Scene, seconds: int) -> None:
    """Row 61: it was made before the click, or has a time that has not come."""
    job = before_person(scene)

    with pytest.raises(DecisionRefused, match="was made at"):
        confirm(scene, job, checked(id_after(scene, seconds)))


def test_row_61_a_post_of_another_job_is_refused(scene: Scene) -> None:
    """Row 61: one permalink, one job."""
    job = before_person(scene)
    scene.prepare("quite another matter")
    ticket = scene.claim().ticket
    scene.carry(ticket, Phase.PERMALINK)
    other = id_after(scene)
    scene.store.finish(ticket, sent(other), facts=None)

    with pytest.raises(DecisionRefused) as refused:
        confirm(scene, job, checked(other))

    assert refused.value.code == "post_taken"


def test_a_text_that_differs_can_be_forced_with_a_note_and_a_link_cannot(scene: Scene) -> None:
    """The person saw both; the decision says that it was forced, and why."""
    job = before_person(scene)
    edited = checked(id_after(scene, -15), is_text_equal=False)
    relinked = checked(id_after(scene, -15), is_text_equal=False, is_link_equal=False)

    for what, note, code in ((edited, " ", "note_missing"), (relinked, "mine", "link_differs")):
        with pytest.raises(DecisionRefused) as refused:
            confirm(scene, job, what, is_forced=True, note=note)
        assert refused.value.code == code
    done = confirm(scene, job, edited, is_forced=True, note="I mended a typo at once")

    assert done.state is State.CONFIRMED
    assert scene.show(job.id).decisions[0].is_forced


def test_row_38_a_duplicate_of_an_old_post_may_be_confirmed_by_that_post(scene: Scene) -> None:
    """Row 38: X refused it as said already; the old post is shown, and a person may take it."""
    ticket = scene.claimed_at(Phase.RELEASED)
    duplicate = Unknown(code="duplicate_exists", detail="187", breaker=None)
    scene.store.finish(ticket, duplicate, facts=None)
    old = id_after(scene, -86_400)
    job = look(scene, ambiguous("time_unsure", old))

    assert confirm(scene, job, checked(old)).state is State.CONFIRMED


@pytest.mark.parametrize("first", range(3), ids=["confirm", "absent", "give up"])
def test_row_62_a_second_decision_on_the_same_page_says_who_decided_what(
    scene: Scene, first: int
) -> None:
    """Row 62: one effect; every later click on the stale page changes nothing."""
    job = before_person(scene)
    scene.clock.forward(3600)
    look_id = fresh_look(scene, job.id, ABSENT)
    decided = every_decision(scene, job, look_id)[first]()

    for again in every_decision(scene, job, look_id):
        with pytest.raises(Stale, match="bob decided") as stale:
            again()
        assert stale.value.decision is not None
        assert stale.value.decision.actor == "bob"

    assert scene.job(job.id) == decided
    assert len(scene.show(job.id).decisions) == 1


def test_row_63_a_look_that_ends_after_the_decision_changes_nothing(scene: Scene) -> None:
    """Row 63: the operator wins; the look is kept, and moves nothing."""
    job = before_person(scene)
    scene.store.look_now(job.id, actor="ann")
    ticket = claim_look(scene).ticket
    scene.store.give_up(job.id, version=job.version, note="leave it", actor="ann")

    after = scene.store.finish_look(ticket, found(id_after(scene)))

    assert (after.state, after.permalink) == (State.ABANDONED, None)
    assert scene.show(job.id).looks[-1].code == "unique"


def test_row_63_a_decision_after_the_look_has_found_the_post_changes_nothing(
    scene: Scene,
) -> None:
    """Row 63: the reconciler wins; the operator is told that it has changed."""
    job = before_person(scene)
    fresh_look(scene, job.id, found(id_after(scene)))

    with pytest.raises(Stale, match="confirmed now"):
        scene.store.give_up(job.id, version=job.version, note="leave it", actor="ann")

    assert scene.job(job.id).state is State.CONFIRMED


@pytest.mark.parametrize("state", ["unknown", "reconciling"])
def test_nobody_decides_while_the_looks_go_on(scene: Scene, state: str) -> None:
    """The page of a job that is looked for offers nothing to decide."""
    job_id = in_doubt(scene)
    if state == "reconciling":
        claim_look(scene)
    job = scene.job(job_id)

    for decide in every_decision(scene, job, "look_x"):
        with pytest.raises(Stale):
            decide()

    assert scene.job(job_id) == job


def test_a_doubt_that_is_given_up_is_not_called_not_sent(scene: Scene) -> None:
    """Abandoned: closed with a note, and the jobs that waited for it go on."""
    job = before_person(scene)

    done = scene.store.give_up(job.id, version=job.version, note="nobody cares", actor="ann")

    assert done.state is State.ABANDONED
    assert [message.topic for message in scene.store.pending_messages()][-1] == "job.abandoned"


def test_absent_is_not_ruled_before_the_quarantine_is_over(scene: Scene) -> None:
    """X may show it late: not for an hour after the click."""
    job = before_person(scene)
    look_id = fresh_look(scene, job.id, ABSENT)

    with pytest.raises(DecisionRefused) as refused:
        absent(scene, job, look_id)

    assert refused.value.code == "quarantined"
    assert refused.value.until_at == scene.store.quarantine_until(job.id)
    assert scene.job(job.id).state is State.NEEDS_MANUAL


LOOKS: dict[str, tuple[LookSeen, str]] = {
    "void": (VOID, "look_void"),
    "ambiguous": (ambiguous("duplicate", "1995000000000000001"), "look_ambiguous"),
}


@pytest.mark.parametrize(("what", "code"), LOOKS.values(), ids=LOOKS)
def test_row_64_a_look_that_is_not_absent_bears_no_ruling(
    scene: Scene, what: LookSeen, code: str
) -> None:
    """Row 64: the fresh look says something else, or nothing."""
    job = before_person(scene)
    scene.clock.forward(3600)
    look_id = fresh_look(scene, job.id, what)

    with pytest.raises(DecisionRefused) as refused:
        absent(scene, job, look_id)

    assert refused.value.code == code


def test_row_64_a_fresh_look_that_finds_the_post_confirms_and_the_ruling_is_refused(
    scene: Scene,
) -> None:
    """Row 64: found: the job is confirmed, and nothing is sent again."""
    job = before_person(scene)
    scene.clock.forward(3600)
    look_id = fresh_look(scene, job.id, found(id_after(scene, -3500)))

    with pytest.raises(Stale):
        absent(scene, job, look_id)

    assert scene.job(job.id).state is State.CONFIRMED
    assert scene.store.claim_next(scene.writer.id, worker="w") is None


def test_row_64_only_the_latest_look_made_for_the_ruling_and_not_long_ago_bears_it(
    scene: Scene,
) -> None:
    """Row 64: an unknown look, one of the schedule, one too old, one that another followed."""
    job = before_person(scene)
    scene.clock.forward(3600)
    scheduled = scene.show(job.id).looks[0].id
    old = fresh_look(scene, job.id, ABSENT)
    scene.clock.forward(901)
    expected = {"look_x": "look_missing", scheduled: "look_missing", old: "look_too_old"}

    for look_id, code in expected.items():
        with pytest.raises(DecisionRefused) as refused:
            absent(scene, job, look_id)
        assert refused.value.code == code

    fresh_look(scene, job.id, ABSENT)
    with pytest.raises(DecisionRefused, match="fresh look"):
        absent(scene, job, old)


def test_posts_that_a_person_saw_can_be_dismissed(scene: Scene) -> None:
    """Rows 52 and 38: they are none of the job's; the next try knows them."""
    job = before_person(scene)
    scene.clock.forward(3600)
    by_hand = id_after(scene, -3590)
    look_id = fresh_look(scene, job.id, ambiguous("competitor", by_hand))

    absent(scene, job, look_id, despite_candidates=True)

    authorisation = scene.claim().authorisation
    assert authorisation is not None
    assert authorisation.dismissed_ids == {by_hand}


@pytest.mark.parametrize("note", ["", "   "])
def test_a_decision_that_needs_a_note_is_refused_without_one(scene: Scene, note: str) -> None:
    """Absent, give up, withdraw: the reason is kept for good."""
    other = before_person(scene, "quite another matter")
    job = ruled_absent(scene)

    decisions: list[Callable[[], JobRecord]] = [
        lambda: scene.store.withdraw(job.id, version=job.version, note=note, actor="ann"),
        lambda: absent(scene, other, "look_x", note=note),
        lambda: scene.store.give_up(other.id, version=other.version, note=note, actor="ann"),
    ]

    for decide in decisions:
        with pytest.raises(DecisionRefused) as refused:
            decide()
        assert refused.value.code == "note_missing"


def test_what_waits_for_a_person_is_listed_oldest_first(scene: Scene) -> None:
    """`review list` shows them all."""
    first = before_person(scene)
    second = before_person(scene, "quite another matter")

    assert [job.id for job in scene.store.in_review()] == [first.id, second.id]
