from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from agent.domain.breaker import BreakerKind
from agent.domain.facts import Phase
from agent.domain.ids import UserId
from agent.domain.moves import State
from agent.domain.text import Tier
from agent.store.errors import FenceLost, MoveConflict
from tests.store.scene import UNKNOWN, not_sent, open_store, sent

if TYPE_CHECKING:
    from tests.store.scene import Scene


def claimed_text(scene: Scene) -> str | None:
    """Return the text of what the writer's lane claims now."""
    claim = scene.store.claim_next(scene.writer.id, worker="w")
    return claim.payload.text if claim else None


def test_the_oldest_due_job_comes_first(scene: Scene) -> None:
    """An account posts in the order of its schedule."""
    scene.prepare("second", slot=scene.due_in(20))
    scene.prepare("first", slot=scene.due_in(10))
    scene.clock.forward(30)

    assert claimed_text(scene) == "first"


def test_nothing_is_claimed_before_its_time(scene: Scene) -> None:
    """A job that is due in a minute is not claimed, and the bell knows when it will be."""
    scene.prepare(slot=scene.due_in(60))

    assert claimed_text(scene) is None
    assert scene.store.lanes_with_due_work() == ()
    assert scene.store.next_due_at() == scene.clock.now() + timedelta(seconds=60)


def test_an_account_is_at_the_browser_once(scene: Scene) -> None:
    """While one job is sending, nothing else of the account is claimed or due."""
    scene.prepare("one")
    scene.prepare("two")
    scene.claim()

    assert claimed_text(scene) is None
    assert scene.store.next_due_at() is None


def test_accounts_do_not_wait_for_each_other(scene: Scene) -> None:
    """A lane is one account's."""
    other = scene.store.add_account(
        handle="other", tier=Tier.BASIC, actor="ann", user_id=UserId("43")
    )
    scene.prepare("one")
    scene.prepare("two", account=other)
    scene.claim()

    assert scene.store.lanes_with_due_work() == (other.id,)
    assert scene.store.claim_next(other.id, worker="w") is not None


def test_a_doubt_holds_the_lane(scene: Scene) -> None:
    """Unknown holds the account until its first look is done."""
    ticket = scene.claimed_at(Phase.RELEASED)
    scene.store.finish(ticket, UNKNOWN, facts=None)
    scene.prepare("two")

    assert claimed_text(scene) is None
    assert scene.store.next_due_at() is None


def test_spacing_holds_between_two_releases(scene: Scene) -> None:
    """The next post of an account waits for the spacing after the release before it."""
    store = scene.store
    slow = store.add_account(
        handle="slow", tier=Tier.BASIC, actor="ann", spacing_s=300, user_id=UserId("43")
    )
    scene.prepare("one", account=slow)
    scene.prepare("two", account=slow)
    claim = store.claim_next(slow.id, worker="w")
    assert claim is not None
    scene.carry(claim.ticket, Phase.RELEASED)
    store.finish(claim.ticket, sent(), facts=None)

    assert store.claim_next(slow.id, worker="w") is None
    assert store.next_due_at(slow.id) == scene.clock.now() + timedelta(seconds=300)

    scene.clock.forward(300)
    assert store.claim_next(slow.id, worker="w") is not None


def test_a_paused_account_claims_nothing_until_it_is_resumed(scene: Scene) -> None:
    """A person's stop holds the lane, and a person's word lets it go on."""
    scene.prepare()
    scene.store.pause_account(scene.writer.id, note="holiday", actor="ann")

    assert claimed_text(scene) is None

    scene.store.resume_account(scene.writer.id, note="back", actor="ann")
    assert claimed_text(scene) == "Hello"


def test_a_limit_of_x_holds_the_lane_until_it_ends(scene: Scene) -> None:
    """Row 41: the account waits until the limit ends, and goes on by itself."""
    limited = not_sent("x_88", breaker=BreakerKind.RATE_LIMITED)
    scene.store.finish(scene.claimed_at(Phase.CLICKED), limited, facts=None)

    assert claimed_text(scene) is None
    assert scene.store.next_due_at() == scene.clock.now() + timedelta(seconds=900)

    scene.clock.forward(900)
    assert claimed_text(scene) == "Hello"


def test_a_job_that_is_too_late_is_missed_and_the_lane_goes_on(scene: Scene) -> None:
    """The late policy sets it aside at the claim; a person may give it a new time."""
    late = scene.prepare("late", late_s_max=60)
    scene.prepare("fresh", late_s_max=86_400)
    scene.clock.forward(3600)

    assert claimed_text(scene) == "fresh"
    assert scene.job(late.job_id).state is State.MISSED

    moved = scene.store.reschedule(late.job_id, scene.due_in(60), actor="ann")
    assert moved.state is State.PREPARED


def test_a_job_waits_for_the_one_before_it_to_be_tried_again(scene: Scene) -> None:
    """Order holds also while a job waits for another try."""
    scene.store.finish(scene.claimed_at(Phase.OPENED), not_sent(), facts=None)
    scene.prepare("two")

    assert claimed_text(scene) is None

    scene.clock.forward(15)
    assert claimed_text(scene) == "Hello"


def test_a_rehearsed_job_can_be_skipped(scene: Scene) -> None:
    """A rehearsal goes on to the next job instead of turning in circles."""
    one = scene.prepare("one")
    scene.prepare("two")

    claim = scene.store.claim_next(scene.writer.id, worker="w", skip={one.job_id})

    assert claim is not None
    assert claim.payload.text == "two"


ALTERED = {
    "text": """UPDATE intent SET payload = replace(payload, 'Hello', 'Jello')""",
    "link's protocol": """UPDATE intent SET payload = replace(payload, 'https:', 'http:')""",
    "not JSON": "UPDATE intent SET payload = 'gone'",
    "payload and seal": "UPDATE intent SET payload = '{}', seal = digest",
    "digest": "UPDATE intent SET digest = seal",
}


@pytest.mark.parametrize("statement", ALTERED.values(), ids=ALTERED)
def test_row_14_an_altered_payload_is_never_sent(scene: Scene, statement: str) -> None:
    """Row 14: digest differs at claim; job held, account paused, alarm."""
    prepared = scene.prepare("Hello", link="https://example.com/a")
    scene.tamper(statement)

    assert claimed_text(scene) is None

    job, account = scene.job(prepared.job_id), scene.store.account("writer")
    assert (job.state, job.held_code) == (State.PREPARED, "payload_altered")
    assert [breaker.kind for breaker in account.breakers] == [BreakerKind.PAYLOAD_ALTERED]
    assert "alarm" in [message.topic for message in scene.store.pending_messages()]


def test_row_14_the_held_job_does_not_block_the_account_for_ever(scene: Scene) -> None:
    """Row 14: once a person has resumed the account, its other jobs go on; the held one stays."""
    scene.prepare("Hello")
    scene.tamper(ALTERED["text"])
    claimed_text(scene)
    scene.prepare("two")
    scene.store.resume_account(scene.writer.id, note="looked into it", actor="ann")

    assert claimed_text(scene) == "two"


def test_row_27_a_cancelled_job_is_not_claimed(scene: Scene) -> None:
    """Row 27: cancel wins the race: nothing is claimed, and saying it twice changes nothing."""
    prepared = scene.prepare()
    scene.store.cancel(prepared.job_id, actor="ann")

    again = scene.store.cancel(prepared.job_id, actor="ann")

    assert again.state is State.CANCELLED
    assert claimed_text(scene) is None


def test_row_27_a_claimed_job_is_not_cancelled(scene: Scene) -> None:
    """Row 27: the claim wins the race: the cancel changes nothing and says so."""
    prepared = scene.prepare()
    scene.claim()

    with pytest.raises(MoveConflict, match="sending"):
        scene.store.cancel(prepared.job_id, actor="ann")

    assert scene.job(prepared.job_id).state is State.SENDING


def test_a_lease_can_be_renewed_while_it_holds(scene: Scene) -> None:
    """A renewal is good for another lease from now."""
    ticket = scene.claimed_at(Phase.OPENED)
    scene.clock.forward(170)

    until = scene.store.renew(ticket)

    assert until == scene.clock.now() + timedelta(seconds=180)


def test_row_28_a_lease_that_has_lapsed_is_not_renewed(scene: Scene) -> None:
    """Row 28: after eight hours of sleep the claim is over, swept or not."""
    ticket = scene.claimed_at(Phase.CLICKED)
    scene.clock.forward(8 * 3600)

    with pytest.raises(FenceLost):
        scene.store.renew(ticket)


def test_the_policy_in_force_decides_the_lease(scene: Scene) -> None:
    """Bounds come from the policy that the store was opened with."""
    policy = type(scene.store.policy)(lease_s=600)
    with open_store(scene.path, scene.clock, policy) as store:
        scene.prepare()

        claim = store.claim_next(scene.writer.id, worker="w")

    assert claim is not None
    assert claim.lease_until == scene.clock.now() + timedelta(seconds=600)
