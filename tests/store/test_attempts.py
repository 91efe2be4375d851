from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from agent.domain.breaker import BreakerKind
from agent.domain.facts import PHASES, Phase
from agent.domain.ids import PostId
from agent.domain.moves import State
from agent.domain.outcome import NotSentProof, Unknown
from agent.store.errors import FenceLost, ReleaseRefused
from agent.store.records import Capture
from tests.domain.sights import facts
from tests.store.scene import NOON, REQUEST, UNKNOWN, not_sent, sent

if TYPE_CHECKING:
    from agent.domain.outcome import NotSent, Outcome
    from agent.store.records import Ticket
    from tests.store.scene import Scene

BEFORE_CLICK = PHASES[:4]
FOLLOWS = {
    *product(BEFORE_CLICK, BEFORE_CLICK),
    (Phase.ARMED, Phase.CLICKED),
    (Phase.CLICKED, Phase.RELEASED),
    (Phase.RELEASED, Phase.ACKNOWLEDGED),
    (Phase.RELEASED, Phase.PERMALINK),
    (Phase.ACKNOWLEDGED, Phase.PERMALINK),
}


def write(scene: Scene, ticket: Ticket, phase: Phase) -> None:
    """Record one phase by its own verb."""
    if phase is Phase.RELEASED:
        scene.store.released(ticket, REQUEST)
    else:
        scene.store.reached(ticket, phase)


@pytest.mark.parametrize(("before", "after"), sorted(FOLLOWS))
def test_phases_follow_each_other(scene: Scene, before: Phase, after: Phase) -> None:
    """Before the click a page may be opened anew; from the click on there is one way."""
    ticket = scene.claimed_at(before)

    write(scene, ticket, after)

    assert scene.show(ticket.job_id).attempts[0].phase is after


@pytest.mark.parametrize(("before", "after"), sorted(set(product(PHASES, PHASES)) - FOLLOWS))
def test_no_other_phase_may_follow(scene: Scene, before: Phase, after: Phase) -> None:
    """No second click, no second release, no release without a click."""
    ticket = scene.claimed_at(before)

    with pytest.raises(FenceLost):
        write(scene, ticket, after)

    assert scene.show(ticket.job_id).attempts[0].phase is before


def test_the_times_of_all_phases_are_kept(scene: Scene) -> None:
    """The timeline of an attempt can be told afterwards."""
    ticket = scene.claimed_at(Phase.PERMALINK)

    phases = scene.show(ticket.job_id).attempts[0].phases

    assert list(phases) == list(PHASES)


def test_a_baseline_is_kept_before_the_click_only(scene: Scene) -> None:
    """What was on the profile before anything was typed."""
    ticket = scene.claimed_at(Phase.SIGNED_IN)
    scene.store.record_baseline(ticket, newest_id=PostId("9"), post_ids=[PostId("9")])
    scene.carry(ticket, Phase.CLICKED)

    with pytest.raises(FenceLost):
        scene.store.record_baseline(ticket, newest_id=PostId("10"), post_ids=[])

    assert scene.show(ticket.job_id).attempts[0].baseline_id == "9"


def test_row_24_a_release_without_a_minute_of_lease_is_refused(scene: Scene) -> None:
    """Row 24: the post stays here when the claim may be gone before it is out."""
    ticket = scene.claimed_at(Phase.CLICKED)
    scene.clock.forward(180 - 59)

    with pytest.raises(ReleaseRefused, match="less than 60 s"):
        scene.store.released(ticket, REQUEST)

    scene.store.renew(ticket)
    scene.store.released(ticket, REQUEST)


def test_row_24_a_release_under_a_lost_fence_is_refused(scene: Scene) -> None:
    """Row 24: fence lost between claim and release: release refused."""
    ticket = scene.claimed_at(Phase.CLICKED)
    scene.clock.forward(181)
    scene.store.sweep()

    with pytest.raises(FenceLost):
        scene.store.released(ticket, REQUEST)

    assert scene.show(ticket.job_id).attempts[0].phases.get(Phase.RELEASED) is None


@pytest.mark.parametrize("jump_s", [3600, 8 * 3600])
def test_row_28_a_clock_that_jumps_before_the_release_stops_it(scene: Scene, jump_s: int) -> None:
    """Row 28: clock jumps an hour, machine sleeps eight hours: the lease is gone."""
    ticket = scene.claimed_at(Phase.CLICKED)
    scene.clock.forward(jump_s)

    with pytest.raises(FenceLost):
        scene.store.released(ticket, REQUEST)


def test_a_release_is_refused_when_the_account_was_stopped_meanwhile(scene: Scene) -> None:
    """Pausing an account also stops what is at the browser, up to the last moment."""
    ticket = scene.claimed_at(Phase.CLICKED)
    scene.store.pause_account(scene.writer.id, note="stop!", actor="ann")

    with pytest.raises(ReleaseRefused, match="stopped"):
        scene.store.released(ticket, REQUEST)


def test_a_sent_post_is_confirmed_with_its_permalink(scene: Scene) -> None:
    """The end of the main job."""
    ticket = scene.claimed_at(Phase.PERMALINK)

    job = scene.store.finish(ticket, sent(), facts=facts(Phase.PERMALINK))

    assert (job.state, job.permalink) == (State.CONFIRMED, sent().permalink)
    assert not job.is_read_back_owed
    assert scene.show(ticket.job_id).segments[0].permalink == sent().permalink


def test_a_post_whose_page_was_not_read_owes_the_read_back(scene: Scene) -> None:
    """Confirmed by the answer; its page is still to be read."""
    ticket = scene.claimed_at(Phase.ACKNOWLEDGED)

    job = scene.store.finish(ticket, sent(is_read_back=False), facts=None)

    assert (job.state, job.is_read_back_owed) == (State.CONFIRMED, True)


def test_an_unknown_post_waits_for_its_look(scene: Scene) -> None:
    """What was lost after the release is looked for, never sent again."""
    ticket = scene.claimed_at(Phase.RELEASED)

    job = scene.store.finish(ticket, UNKNOWN, facts=None)

    assert (job.state, job.code) == (State.UNKNOWN, "no_answer")
    assert job.look_at is not None
    assert job.look_at > scene.clock.now()


def test_a_proven_not_sent_post_is_tried_again_up_to_the_cap(scene: Scene) -> None:
    """Bounded tries with waits between them; then not sent, for a person."""
    prepared = scene.prepare()
    states = []
    for _ in range(6):
        scene.clock.forward(900)
        ticket = scene.claim().ticket
        states.append(scene.store.finish(ticket, not_sent(), facts=None).state)

    assert states == [State.PREPARED] * 5 + [State.NOT_SENT]
    assert scene.job(prepared.job_id).attempts == 6


UNTRIED = {
    "permanent": (not_sent("over_limit", is_retryable=False), State.NOT_SENT, 1),
    "cancelled": (not_sent("cancelled", is_counted=False), State.PREPARED, 0),
    "signed out": (
        not_sent("signed_out", is_counted=False, breaker=BreakerKind.SIGNED_OUT),
        State.PREPARED,
        0,
    ),
}


@pytest.mark.parametrize(("outcome", "state", "failures"), UNTRIED.values(), ids=UNTRIED)
def test_the_outcome_decides_whether_a_try_counts(
    scene: Scene, outcome: NotSent, state: State, failures: int
) -> None:
    """What waits for a person, and what the person stopped, does not use up the tries."""
    ticket = scene.claimed_at(Phase.OPENED)

    job = scene.store.finish(ticket, outcome, facts=None)

    assert (job.state, job.failures, job.code) == (state, failures, outcome.code)


def test_row_48_finishing_twice_changes_nothing(scene: Scene) -> None:
    """Row 48: a finish whose commit was in doubt is repeated under its fence."""
    ticket = scene.claimed_at(Phase.PERMALINK)
    first = scene.store.finish(ticket, sent(), facts=None)

    again = scene.store.finish(ticket, sent(), facts=None)

    assert again == first
    with pytest.raises(FenceLost):
        scene.store.finish(ticket, UNKNOWN, facts=None)


CONTRADICTIONS: dict[str, tuple[Phase, Outcome, str]] = {
    "not sent, but released": (Phase.RELEASED, not_sent(), "release_in_doubt"),
    "sent, but never released": (Phase.CLICKED, sent(), "no_release_on_record"),
}


@pytest.mark.parametrize(("phase", "said", "code"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_the_record_overrules_a_report_that_contradicts_it(
    scene: Scene, phase: Phase, said: Outcome, code: str
) -> None:
    """A release on record is never taken back, whatever the browser believes."""
    ticket = scene.claimed_at(phase)

    job = scene.store.finish(ticket, said, facts=None)

    assert (job.state, job.code) == (State.UNKNOWN, code)


def test_a_refusal_by_x_after_the_release_is_not_sent(scene: Scene) -> None:
    """Released and refused by X's own word: proven, and the record agrees."""
    ticket = scene.claimed_at(Phase.RELEASED)
    refused = not_sent("x_186", proof=NotSentProof.REFUSED_BY_X, is_retryable=False)

    job = scene.store.finish(ticket, refused, facts=None)

    assert (job.state, job.code) == (State.NOT_SENT, "x_186")


def test_row_58_a_post_confirms_one_job_only(scene: Scene) -> None:
    """Row 58: a candidate that confirms another job is refused, and the job is unknown."""
    scene.store.finish(scene.claimed_at(Phase.PERMALINK), sent("7"), facts=None)
    scene.prepare("another")
    ticket = scene.claim().ticket
    scene.carry(ticket, Phase.PERMALINK)

    job = scene.store.finish(ticket, sent("7"), facts=None)

    assert (job.state, job.code) == (State.UNKNOWN, "post_taken")
    assert scene.store.taken_ids("x_web", [PostId("7"), PostId("8")]) == {"7"}


def test_trouble_of_the_account_opens_a_breaker_with_the_next_step(scene: Scene) -> None:
    """The account says what is wrong and what to do."""
    lost = Unknown(code="no_answer_locked", detail="lock page", breaker=BreakerKind.LOCKED)

    scene.store.finish(scene.claimed_at(Phase.RELEASED), lost, facts=None)

    (breaker,) = scene.store.account("@WRITER").breakers
    assert (breaker.kind, breaker.detail) == (BreakerKind.LOCKED, "lock page")
    assert "postproof account resume Writer" in breaker.next_step


def test_evidence_is_kept_and_a_failed_capture_is_kept_as_failed(scene: Scene) -> None:
    """Row 47: a capture that failed is recorded and changes no outcome."""
    ticket = scene.claimed_at(Phase.PERMALINK)
    scene.store.finish(ticket, sent(), facts=None)
    taken = Capture(
        kind="permalink", path="a.png", sha256="ab", size_bytes=1, taken_at=NOON, failure=None
    )
    failed = Capture(
        kind="after", path=None, sha256=None, size_bytes=None, taken_at=NOON, failure="disk full"
    )

    scene.store.add_evidence(ticket, [taken, failed])

    tree = scene.show(ticket.job_id)
    assert [one.capture for one in tree.evidence] == [taken, failed]
    assert tree.job.state is State.CONFIRMED


def test_a_person_may_prepare_again_what_was_proven_not_sent(scene: Scene) -> None:
    """With a note, from the present moment, with all its tries."""
    ticket = scene.claimed_at(Phase.OPENED)
    scene.store.finish(ticket, not_sent(is_retryable=False), facts=None)

    job = scene.store.prepare_again(ticket.job_id, note="fixed", actor="ann")

    assert (job.state, job.failures, job.code) == (State.PREPARED, 0, None)
    assert scene.claim().attempt_number == 2
