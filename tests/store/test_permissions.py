from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agent.domain.facts import PHASES, Phase
from agent.domain.moves import State
from agent.domain.outcome import NotSentProof
from agent.store.errors import (
    MoveConflict,
    ReleaseRefused,
)
from tests.store.looking import (
    claim_look,
    ruled_absent,
)
from tests.store.scene import REQUEST, UNKNOWN, not_sent

if TYPE_CHECKING:
    from tests.store.scene import Scene


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
