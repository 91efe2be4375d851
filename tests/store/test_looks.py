from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from agent.domain.breaker import BREAKERS, BreakerKind
from agent.domain.doubt import LookResult
from agent.domain.facts import Phase
from agent.domain.matching.terms import Outcome
from agent.domain.moves import State
from agent.domain.outcome import Unknown
from agent.store.errors import FenceLost, MoveConflict
from agent.store.lane import EVERY_WORK, Work
from agent.store.records import Capture
from tests.store.looking import (
    ABSENT,
    BASELINE,
    VOID,
    ambiguous,
    before_person,
    claim_look,
    found,
    fresh_look,
    id_after,
    in_doubt,
    look,
    released,
    seen,
)
from tests.store.scene import NOON, UNKNOWN, sent

if TYPE_CHECKING:
    from agent.domain.doubt import LookSeen
    from tests.store.scene import Scene

LOST = {
    "row 32: no answer": "no_answer",
    "row 33: a server's error": "server_error",
    "row 34: an empty result": "empty_result",
}


@pytest.mark.parametrize("code", LOST.values(), ids=LOST)
def test_rows_32_33_34_a_lost_answer_with_effect_is_confirmed_by_looking(
    scene: Scene, code: str
) -> None:
    """Rows 32, 33, 34: whatever way the answer was lost, the post on the profile confirms it."""
    ticket = released(scene)
    scene.store.finish(ticket, Unknown(code=code, detail="lost", breaker=None), facts=None)
    post_id = id_after(scene, 1)

    job = look(scene, found(post_id))

    assert (job.state, job.remote_id) == (State.CONFIRMED, post_id)
    assert job.permalink == f"https://x.com/Writer/status/{post_id}"
    assert not job.is_read_back_owed


def test_row_31_a_worker_lost_after_the_release_is_found_by_looking(scene: Scene) -> None:
    """Row 31: unknown by the sweep, then confirmed from the profile; one attempt, one post."""
    released(scene)
    scene.store.sweep(live_leases_too=True)

    job = look(scene, found(id_after(scene, 1)))

    assert job.state is State.CONFIRMED
    assert job.attempts == 1


def test_row_32_without_effect_a_person_decides_after_the_looks_and_nothing_is_sent(
    scene: Scene,
) -> None:
    """Row 32: the looks of the schedule, all absent, then needs_manual; never claimed again."""
    job_id = in_doubt(scene)
    states, times = [], []
    for _ in range(5):
        times.append((claim := claim_look(scene)).job.look_at)
        states.append(scene.store.finish_look(claim.ticket, ABSENT).state)

    assert states == [State.UNKNOWN] * 4 + [State.NEEDS_MANUAL]
    assert [at and (at - NOON).total_seconds() for at in times] == [31.5, 126, 630, 1890, 7560]
    assert scene.job(job_id).code == "not_found"
    assert scene.store.claim_next(scene.writer.id, worker="w") is None
    assert len(scene.show(job_id).looks) == 5


def test_row_37_a_post_that_shows_after_ten_minutes_is_found(scene: Scene) -> None:
    """Row 37: absent, absent, then there; nothing was sent meanwhile."""
    in_doubt(scene)
    post_id = id_after(scene, 601)
    look(scene, ABSENT)
    look(scene, ABSENT)

    job = look(scene, found(post_id))

    assert (job.state, job.attempts) == (State.CONFIRMED, 1)


def test_the_first_valid_look_frees_the_lane(scene: Scene) -> None:
    """Absent frees it for other posts, void does not."""
    in_doubt(scene)
    scene.prepare("another one altogether")

    look(scene, VOID)
    assert scene.store.claim_next(scene.writer.id, worker="w") is None

    look(scene, ABSENT)
    assert scene.store.claim_next(scene.writer.id, worker="w") is not None


def test_a_due_look_comes_before_a_due_post(scene: Scene) -> None:
    """A lane settles its doubts first."""
    in_doubt(scene)
    look(scene, ABSENT)
    scene.prepare("another one altogether")
    scene.clock.forward(3600)

    assert scene.store.lanes_with_due_work(EVERY_WORK) == (scene.writer.id,)
    assert scene.store.claim_next(scene.writer.id, worker="w") is None
    assert scene.store.claim_look(scene.writer.id, worker="w") is not None


def test_an_account_looks_and_sends_one_at_a_time(scene: Scene) -> None:
    """While a look is under way nothing else of the account is claimed."""
    in_doubt(scene)
    claim_look(scene)
    scene.prepare("another one altogether")

    assert scene.store.claim_look(scene.writer.id, worker="v") is None
    assert scene.store.claim_next(scene.writer.id, worker="v") is None
    assert scene.store.next_due_at(kinds=EVERY_WORK) is None


def test_the_bell_knows_when_to_look(scene: Scene) -> None:
    """Sends and looks are asked for by kind."""
    job_id = in_doubt(scene)

    assert scene.store.next_due_at() is None
    assert scene.store.next_due_at(kinds={Work.LOOK}) == scene.job(job_id).look_at
    assert scene.store.next_due_at(kinds=EVERY_WORK) == scene.job(job_id).look_at


@pytest.mark.parametrize("kind", BreakerKind)
def test_a_breaker_stops_looks_if_it_concerns_reading(scene: Scene, kind: BreakerKind) -> None:
    """Signed out, locked, limited: nothing true would be read; under the others looks go on."""
    in_doubt(scene)
    scene.clock.forward(60)
    scene.store.open_breaker(scene.writer.id, kind, detail="seen", actor="w")

    claim = scene.store.claim_look(scene.writer.id, worker="w")

    assert (claim is None) == BREAKERS[kind].stops_reading


def test_row_50_void_looks_are_counted_apart_and_end_before_a_person(scene: Scene) -> None:
    """Row 50: void is never absent; its own bound leads to a person, under its own name."""
    job_id = in_doubt(scene)
    looks = 0
    while scene.job(job_id).state is State.UNKNOWN:
        look(scene, VOID)
        looks += 1

    job = scene.job(job_id)
    assert looks == scene.store.policy.looks_void_max
    assert (job.state, job.code, job.looked_at) == (State.NEEDS_MANUAL, "could_not_look", None)


def test_row_50_a_look_that_shows_the_accounts_trouble_opens_its_breaker(scene: Scene) -> None:
    """Row 50: signed out while looking: void, and the account stops until a person signs in."""
    job_id = in_doubt(scene)

    look(scene, seen(LookResult.VOID, "signed_out", None, breaker=BreakerKind.SIGNED_OUT))

    assert scene.job(job_id).state is State.UNKNOWN
    assert [one.kind for one in scene.store.account("writer").breakers] == [BreakerKind.SIGNED_OUT]


DECIDED = {
    "row 52: a hand-made twin": ("competitor", 2),
    "row 54: two posts of ours": ("duplicate", 2),
    "row 57: edited": ("other_text", 1),
    "row 53: fits an open sibling": ("sibling", 1),
}


@pytest.mark.parametrize(("code", "count"), DECIDED.values(), ids=DECIDED)
def test_rows_52_53_54_57_what_is_not_sufficient_goes_to_a_person_at_once(
    scene: Scene, code: str, count: int
) -> None:
    """Rows 52, 53, 54, 57: needs_manual under its reason, with every candidate kept."""
    job_id = in_doubt(scene)
    ids = [id_after(scene, number + 1) for number in range(count)]

    job = look(scene, ambiguous(code, *ids))

    kept = scene.show(job_id).looks[0]
    assert (job.state, job.code, job.permalink) == (State.NEEDS_MANUAL, code, None)
    assert [post["id"] for post in kept.posts] == ids
    assert (kept.outcome, kept.posts_read) == (Outcome.AMBIGUOUS, count)


def test_row_58_a_post_that_confirms_another_job_is_not_taken_twice(scene: Scene) -> None:
    """Row 58: one permalink, one job; the second goes to a person."""
    scene.prepare("one")
    first = scene.claim().ticket
    scene.carry(first, Phase.PERMALINK)
    post_id = id_after(scene, 1)
    scene.store.finish(first, sent(post_id), facts=None)
    in_doubt(scene, "two altogether other words")

    job = look(scene, found(post_id))

    assert (job.state, job.code) == (State.NEEDS_MANUAL, "post_taken")


def test_a_found_post_below_the_baseline_is_never_taken_for_ours(scene: Scene) -> None:
    """Whatever the matcher says: the release on record cannot have made it."""
    in_doubt(scene)

    job = look(scene, found(str(int(BASELINE) - 1)))

    assert (job.state, job.code) == (State.NEEDS_MANUAL, "not_by_us")


ALREADY_THERE = Unknown(code="already_there", detail="post 7", breaker=None)


@pytest.mark.parametrize("what", [ABSENT, found("1995000000000000001")], ids=["none", "unique"])
def test_a_post_that_was_there_before_goes_to_a_person_after_one_look(
    scene: Scene, what: LookSeen
) -> None:
    """Nothing of the job was released, so nothing that is found is ever taken for ours."""
    scene.store.finish(scene.claimed_at(Phase.SIGNED_IN), ALREADY_THERE, facts=None)
    claim = claim_look(scene)

    job = scene.store.finish_look(claim.ticket, what)

    assert claim.tried is None
    assert claim.since_for_person == scene.clock.now() - timedelta(days=30)
    assert job.state is State.NEEDS_MANUAL
    assert job.code in {"already_there", "not_by_us"}


def test_a_look_is_kept_with_what_it_was_judged_by(scene: Scene) -> None:
    """Result, verdict, posts, bounds, files: enough to explain it later."""
    job_id = in_doubt(scene)
    claim = claim_look(scene)
    scene.store.finish_look(claim.ticket, ABSENT)
    picture = Capture(
        kind="candidate", path="a", sha256="b", size_bytes=1, taken_at=NOON, failure=None
    )
    scene.store.add_evidence(claim.ticket, [picture])

    tree = scene.show(job_id)

    kept = tree.looks[0]
    assert (kept.number, kept.result, kept.code) == (1, LookResult.ABSENT, "none")
    assert kept.verdict is not None
    assert kept.verdict["verdict"] == "none"
    assert (kept.reached_id, kept.page_loads) == (BASELINE, 2)
    assert (kept.facts, kept.policy) == ({"tabs": 2}, {"near_pct_min": 80.0})
    assert [(one.look_id, one.capture) for one in tree.evidence] == [(kept.id, picture)]


def test_row_48_the_end_of_a_look_can_be_said_again(scene: Scene) -> None:
    """Row 48: a commit whose answer was lost is repeated; it changes nothing."""
    in_doubt(scene)
    ticket = claim_look(scene).ticket
    job = scene.store.finish_look(ticket, ABSENT)

    again = scene.store.finish_look(ticket, ABSENT)

    assert again == job
    with pytest.raises(FenceLost):
        scene.store.finish_look(ticket, VOID)


def test_a_look_can_be_asked_for_now(scene: Scene) -> None:
    """`reconcile` makes one at once; who asked is kept with the look."""
    job_id = in_doubt(scene)

    look_id = fresh_look(scene, job_id, ABSENT)

    kept = scene.show(job_id).looks[0]
    assert (kept.id, kept.asked_by) == (look_id, "ann")
    assert scene.job(job_id).state is State.UNKNOWN


def test_an_asked_look_before_a_person_changes_nothing_unless_it_finds_the_post(
    scene: Scene,
) -> None:
    """The person decides; but a post that is found is found."""
    job = before_person(scene)

    fresh_look(scene, job.id, ABSENT)
    after_absent = scene.job(job.id)
    fresh_look(scene, job.id, found(id_after(scene)))

    assert (after_absent.state, after_absent.version) == (State.NEEDS_MANUAL, job.version)
    assert after_absent.look_at is None
    assert scene.job(job.id).state is State.CONFIRMED


def test_nothing_is_looked_for_that_is_not_in_doubt(scene: Scene) -> None:
    """A prepared job has nothing to look for."""
    prepared = scene.prepare()

    with pytest.raises(MoveConflict, match="nothing to look for"):
        scene.store.look_now(prepared.job_id, actor="ann")


def test_a_look_knows_the_other_jobs_that_may_be_out(scene: Scene) -> None:
    """Row 53, in the store: an open sibling with its text and the times of its try."""
    in_doubt(scene, "first words of one kind")
    look(scene, ABSENT)
    in_doubt(scene, "quite another matter, told at length")

    claim = claim_look(scene)

    (sibling,) = claim.open_siblings
    assert {sibling.segments[0].text, claim.payload.text} == {
        "first words of one kind",
        "quite another matter, told at length",
    }
    assert sibling.attempt is not None
    assert sibling.attempt.baseline_id == BASELINE


def test_a_post_altered_in_the_store_is_not_looked_for(scene: Scene) -> None:
    """Row 14, of a doubt: a person learns of it; nobody compares with what was not frozen."""
    job_id = in_doubt(scene)
    scene.tamper("UPDATE intent SET payload = replace(payload, 'Hello', 'Jello')")
    scene.clock.forward(60)

    assert scene.store.claim_look(scene.writer.id, worker="w") is None
    assert scene.job(job_id).code == "payload_altered"
    assert scene.store.account("writer").is_held


def test_the_end_of_an_attempt_schedules_the_first_look_from_the_click(scene: Scene) -> None:
    """After an answer that was waited for in vain, the first look is due at once."""
    ticket = scene.claimed_at(Phase.RELEASED)
    scene.clock.forward(120)

    job = scene.store.finish(ticket, UNKNOWN, facts=None)

    assert job.look_at == scene.clock.now()
