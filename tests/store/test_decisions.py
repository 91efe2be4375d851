from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agent.domain.decisions import DecisionKind
from agent.domain.facts import PHASES, Phase
from agent.domain.ids import UserId
from agent.domain.moves import State
from agent.domain.outcome import NotSentProof, Unknown
from agent.store.errors import (
    DecisionRefused,
    MoveConflict,
    ReleaseRefused,
    Stale,
)
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
from tests.store.scene import REQUEST, UNKNOWN, not_sent, sent

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.domain.decisions import PermalinkChecked
    from agent.domain.doubt import LookSeen
    from agent.store.records import JobRecord
    from tests.store.scene import Scene


def confirm(scene: Scene, job: JobRecord, what: PermalinkChecked, **changes: Any) -> JobRecord:  # noqa: ANN401 - any argument
    """Let a person name a post."""
    said: dict[str, Any] = {"is_forced": False, "note": None, "actor": "ann"}
    return scene.store.confirm(job.id, version=job.version, checked=what, **(said | changes))


def absent(scene: Scene, job: JobRecord, look_id: str, **changes: Any) -> JobRecord:  # noqa: ANN401 - any argument
    """Let a person rule that there is no post."""
    said: dict[str, Any] = {"note": "not there", "actor": "ann", "despite_candidates": False}
    return scene.store.rule_absent(job.id, version=job.version, look_id=look_id, **(said | changes))


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


def every_decision(scene: Scene, job: JobRecord, look_id: str) -> list[Callable[[], JobRecord]]:
    """Return each decision that a person may make about a job in doubt."""
    store = scene.store
    given: dict[str, Any] = {"version": job.version, "note": "why", "actor": "bob"}
    return [
        lambda: confirm(scene, job, checked(id_after(scene, -15)), actor="bob"),
        lambda: absent(scene, job, look_id, actor="bob"),
        lambda: store.give_up(job.id, **given),
        lambda: store.withdraw(job.id, **given),
    ]


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


def test_a_ruling_allows_one_more_try_that_names_everything(scene: Scene) -> None:
    """A new attempt with a fence of its own; person, note, digest, attempt and expiry are kept."""
    job = ruled_absent(scene)
    before = scene.show(job.id).attempts[0]

    claim = scene.claim()

    held = claim.authorisation
    assert held is not None
    assert (held.actor, held.note, held.attempt_number) == ("ann", "not there", 2)
    assert held.digest == claim.payload.digest()
    assert (held.expires_at - held.granted_at).total_seconds() == 3600
    assert (claim.attempt_number, claim.ticket.fence > before.fence) == (2, True)


def test_the_release_uses_the_permission_up(scene: Scene) -> None:
    """At most one release for each permission, durably, in the transaction of the release."""
    job = ruled_absent(scene)
    ticket = scene.claim().ticket

    scene.carry(ticket, Phase.RELEASED)
    scene.store.finish(ticket, UNKNOWN, facts=None)

    (held,) = scene.show(job.id).authorisations
    assert (held.consumed_at, held.attempt_id) == (scene.clock.now(), ticket.attempt_id)
    assert scene.job(job.id).state is State.UNKNOWN


def test_a_try_that_left_nothing_may_be_followed_by_another_under_its_permission(
    scene: Scene,
) -> None:
    """Proven not released: the permission is still there, until it expires."""
    ruled_absent(scene)
    scene.store.finish(scene.claim().ticket, not_sent("offline"), facts=None)
    scene.clock.forward(15)

    claim = scene.claim()

    scene.carry(claim.ticket, Phase.RELEASED)
    assert claim.attempt_number == 3


EXPIRING = [phase for phase in PHASES if PHASES.index(phase) < PHASES.index(Phase.RELEASED)]


@pytest.mark.parametrize("phase", EXPIRING)
def test_row_26_a_permission_that_expires_stops_the_release(scene: Scene, phase: Phase) -> None:
    """Row 26: at whatever phase: nothing leaves, and the job goes back to the person."""
    job = ruled_absent(scene)
    ticket = scene.claim().ticket
    scene.carry(ticket, phase)
    for _ in range(31):
        scene.clock.forward(120)
        scene.store.renew(ticket)
    for rest in EXPIRING[EXPIRING.index(phase) + 1 :]:
        scene.store.reached(ticket, rest)

    with pytest.raises(ReleaseRefused, match="permission"):
        scene.store.released(ticket, REQUEST)
    after = scene.store.finish(ticket, not_sent("journal_refused"), facts=None)

    assert (after.state, after.code) == (State.NEEDS_MANUAL, "journal_refused")
    assert scene.show(job.id).authorisations[0].consumed_at is None


def test_row_26_a_permission_that_is_withdrawn_stops_the_release(scene: Scene) -> None:
    """Row 26: a person takes it back while the attempt is under way."""
    ruled_absent(scene)
    claim = scene.claim()
    scene.carry(claim.ticket, Phase.CLICKED)
    scene.store.withdraw(claim.job.id, version=claim.job.version, note="wait", actor="ann")

    with pytest.raises(ReleaseRefused):
        scene.store.released(claim.ticket, REQUEST)
    job = scene.store.finish(claim.ticket, not_sent("journal_refused"), facts=None)

    assert job.state is State.NEEDS_MANUAL


def test_a_permission_that_is_withdrawn_before_the_claim_sends_the_job_back(scene: Scene) -> None:
    """Prepared again, then taken back: before the person as it was."""
    job = ruled_absent(scene)

    back = scene.store.withdraw(job.id, version=job.version, note="wait", actor="ann")

    assert (back.state, back.code) == (State.NEEDS_MANUAL, "authorisation_withdrawn")
    assert scene.store.claim_next(scene.writer.id, worker="w") is None


def test_a_permission_nobody_used_in_time_sends_the_job_back(scene: Scene) -> None:
    """The machine slept: the next claim finds it expired, and asks the person again."""
    job = ruled_absent(scene)
    scene.clock.forward(3600)

    assert scene.store.claim_next(scene.writer.id, worker="w") is None
    assert scene.job(job.id).code == "authorisation_expired"
    assert scene.job(job.id).state is State.NEEDS_MANUAL


REFUSED_BY_X = not_sent(
    "x_186", proof=NotSentProof.REFUSED_BY_X, is_retryable=False, detail="X refused the post"
)
ENDS: dict[str, tuple[Phase, Any]] = {
    "refused by X": (Phase.RELEASED, REFUSED_BY_X),
    "refused for now": (
        Phase.RELEASED,
        not_sent("x_344", proof=NotSentProof.REFUSED_BY_X, is_counted=False),
    ),
    "never to be tried": (Phase.OPENED, not_sent("over_limit", is_retryable=False)),
}


@pytest.mark.parametrize(("phase", "outcome"), ENDS.values(), ids=ENDS)
def test_a_job_of_which_an_earlier_try_may_be_out_is_never_called_not_sent(
    scene: Scene,
    phase: Phase,
    outcome: Any,  # noqa: ANN401 - any outcome
) -> None:
    """The second try left nothing; the first is as doubtful as before: the person decides."""
    ruled_absent(scene)
    ticket = scene.claim().ticket
    scene.carry(ticket, phase)

    job = scene.store.finish(ticket, outcome, facts=None)

    assert (job.state, job.code) == (State.NEEDS_MANUAL, outcome.code)


def test_a_job_of_which_an_earlier_try_may_be_out_is_neither_cancelled_nor_missed(
    scene: Scene,
) -> None:
    """Both would say that nothing was done."""
    job = ruled_absent(scene)

    with pytest.raises(MoveConflict, match="may be out"):
        scene.store.cancel(job.id, actor="ann")
    scene.clock.forward(86_400)
    scene.store.claim_next(scene.writer.id, worker="w")

    assert scene.job(job.id).state is State.NEEDS_MANUAL


def test_the_looks_after_a_second_try_reach_back_to_the_first(scene: Scene) -> None:
    """Row 37, of two tries: the post of either may show; two of them go to a person."""
    job = ruled_absent(scene)
    first = scene.show(job.id).attempts[0]
    ticket = scene.claim().ticket
    scene.carry(ticket, Phase.RELEASED)
    scene.store.finish(ticket, UNKNOWN, facts=None)

    claim = claim_look(scene)

    assert claim.tried is not None
    assert claim.tried.clicked_at == first.phases[Phase.CLICKED]
    assert claim.tried.baseline_id == first.baseline_id
    assert [one.number for one in claim.attempts] == [1, 2]


def test_a_worker_lost_under_a_permission_before_the_release_is_taken_back(scene: Scene) -> None:
    """Row 15, of a second try: prepared again, under the same permission."""
    job = ruled_absent(scene)
    scene.carry(scene.claim().ticket, Phase.CLICKED)

    swept = scene.store.sweep(live_leases_too=True)

    assert swept.taken_back == (job.id,)
    scene.clock.forward(2)
    assert scene.claim().authorisation is not None


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
