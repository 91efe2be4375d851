from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent.domain.breaker import BreakerKind
from agent.domain.facts import PHASES, Phase, is_released
from agent.domain.moves import State
from agent.domain.outcome import NotSentProof
from agent.store.errors import FenceLost
from tests.store.looking import ABSENT, claim_look, found, id_after, in_doubt, look
from tests.store.scene import REQUEST, UNKNOWN, not_sent, sent

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.domain.ids import JobId
    from agent.store.records import Ticket
    from tests.store.scene import Scene

BELOW = [phase for phase in PHASES if not is_released(phase)]
BEHIND = [phase for phase in PHASES if is_released(phase)]


@pytest.mark.parametrize("phase", BELOW)
def test_a_worker_lost_before_the_release_is_proven_not_sent(scene: Scene, phase: Phase) -> None:
    """Row 15, in the store: back to prepared, with the proof in the record."""
    ticket = scene.claimed_at(phase)
    scene.clock.forward(181)

    swept = scene.store.sweep()

    attempt = scene.show(ticket.job_id).attempts[0]
    assert swept.taken_back == (ticket.job_id,)
    assert scene.job(ticket.job_id).state is State.PREPARED
    assert attempt.proof is NotSentProof.NOT_RELEASED
    assert attempt.code == "lease_lapsed"


@pytest.mark.parametrize("phase", BEHIND)
def test_a_worker_lost_after_the_release_leaves_a_doubt(scene: Scene, phase: Phase) -> None:
    """Row 31, in the store, and pain A6: a lapsed lease is never blindly queued again."""
    ticket = scene.claimed_at(phase)
    scene.clock.forward(181)

    swept = scene.store.sweep()

    job = scene.job(ticket.job_id)
    assert swept.doubted == (ticket.job_id,)
    assert (job.state, job.code) == (State.UNKNOWN, "lost_after_release")


def test_a_lease_that_runs_is_left_alone(scene: Scene) -> None:
    """To the very second of its end."""
    ticket = scene.claimed_at(Phase.RELEASED)
    scene.clock.forward(180)

    swept = scene.store.sweep()

    assert swept.doubted == ()
    assert scene.job(ticket.job_id).state is State.SENDING


def test_row_4_a_daemon_that_starts_takes_over_at_once(scene: Scene) -> None:
    """Row 4: at its start, holding the lock, a daemon need not wait for a dead one's lease."""
    ticket = scene.claimed_at(Phase.ARMED)

    swept = scene.store.sweep(live_leases_too=True)

    assert swept.taken_back == (ticket.job_id,)
    scene.clock.forward(2)
    assert scene.claim().attempt_number == 2


def test_row_6_a_worker_woken_after_its_lease_moves_nothing(scene: Scene) -> None:
    """Row 6: its fence moves nothing, whatever it tries."""
    ticket = scene.claimed_at(Phase.CLICKED)
    scene.clock.forward(181)
    scene.store.sweep()
    swept = scene.show(ticket.job_id)

    for write in every_write(scene, ticket):
        with pytest.raises(FenceLost):
            write()

    assert scene.show(ticket.job_id) == swept


def test_row_6_a_fence_from_before_the_sweep_loses_to_the_next_claim(scene: Scene) -> None:
    """Row 6: the woken worker cannot touch the attempt that came after it."""
    ticket = scene.claimed_at(Phase.CLICKED)
    scene.store.sweep(live_leases_too=True)
    scene.clock.forward(2)
    following = scene.claim().ticket
    scene.carry(following, Phase.CLICKED)

    for write in every_write(scene, ticket):
        with pytest.raises(FenceLost):
            write()

    scene.store.released(following, REQUEST)


def every_write(scene: Scene, ticket: Ticket) -> list[Callable[[], object]]:
    """Return every write that a worker may still try."""
    store = scene.store
    return [
        lambda: store.renew(ticket),
        lambda: store.reached(ticket, Phase.CLICKED),
        lambda: store.record_baseline(ticket, newest_id=None, post_ids=[]),
        lambda: store.released(ticket, REQUEST),
        lambda: store.finish(ticket, sent(), facts=None),
        lambda: store.finish(ticket, not_sent(), facts=None),
        lambda: store.finish(ticket, UNKNOWN, facts=None),
    ]


def test_row_71_a_job_that_kills_its_worker_is_given_up_and_the_lane_goes_on(scene: Scene) -> None:
    """Row 71: attempts capped; not sent, proven; the next job of the account is claimed."""
    poison = scene.prepare("poison")
    scene.prepare("next")

    for _ in range(6):
        scene.clock.forward(600)
        assert scene.claim().payload.text == "poison"
        scene.store.sweep(live_leases_too=True)

    assert scene.job(poison.job_id).state is State.NOT_SENT
    assert scene.claim().payload.text == "next"


def test_row_60_a_looker_that_died_leaves_an_unknown_to_look_at_again(scene: Scene) -> None:
    """Row 60: back to unknown; the lost look is kept as void, and its worker can end it no more."""
    job_id = in_doubt(scene)
    ticket = claim_look(scene).ticket
    scene.clock.forward(181)

    swept = scene.store.sweep()

    assert swept.doubted == (job_id,)
    assert scene.show(job_id).looks[0].code == "look_lapsed"
    with pytest.raises(FenceLost):
        scene.store.finish_look(ticket, found(id_after(scene)))
    assert look(scene, ABSENT).state is State.UNKNOWN


def test_a_look_that_kills_its_worker_each_time_ends_before_a_person(scene: Scene) -> None:
    """Lost looks are bounded as void ones are."""
    job_id = in_doubt(scene)
    handed_over: tuple[JobId, ...] = ()
    for _ in range(scene.store.policy.looks_void_max):
        claim_look(scene)
        handed_over = scene.store.sweep(live_leases_too=True).handed_over

    assert handed_over == (job_id,)
    assert scene.job(job_id).code == "could_not_look"


def test_a_doubt_that_nobody_can_look_at_for_a_day_is_put_before_a_person(scene: Scene) -> None:
    """The account is signed out and stays so: the doubt does not wait unseen."""
    job_id = in_doubt(scene)
    scene.store.open_breaker(scene.writer.id, BreakerKind.SIGNED_OUT, detail="out", actor="w")
    scene.clock.forward(86_401)

    swept = scene.store.sweep()

    assert swept.handed_over == (job_id,)
    assert scene.job(job_id).code == "could_not_look"


def test_after_two_days_of_downtime_the_profile_is_still_looked_at(scene: Scene) -> None:
    """Late looks are spread: three of them over a quarter of an hour, unless it is found."""
    in_doubt(scene)
    scene.clock.forward(172_800)
    scene.store.sweep()
    states = [look(scene, ABSENT).state for _ in range(3)]

    assert states == [State.UNKNOWN, State.UNKNOWN, State.NEEDS_MANUAL]


def test_breakers_that_time_closed_are_written_down(scene: Scene) -> None:
    """A limit that has ended is closed in the record as well."""
    scene.store.open_breaker(scene.writer.id, BreakerKind.RATE_LIMITED, detail="429", actor="w")
    scene.clock.forward(900)

    swept = scene.store.sweep()

    assert swept.breakers_closed == 1
    assert not scene.store.account("writer").is_held
