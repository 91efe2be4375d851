from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent.domain.breaker import BreakerKind
from agent.domain.ids import UserId
from agent.domain.moves import State
from agent.domain.text import Tier
from agent.store.errors import AccountExists, IdentityConflict, NotFound
from agent.store.lane import EVERY_WORK

if TYPE_CHECKING:
    from tests.store.scene import Scene


@pytest.mark.parametrize("ref", ["writer", "@Writer", "WRITER"])
def test_an_account_is_found_by_its_handle(scene: Scene, ref: str) -> None:
    """With or without @, in any case, as X does it."""
    assert scene.store.account(ref) == scene.writer


def test_an_account_is_found_by_its_id(scene: Scene) -> None:
    """The store's own id works wherever a handle does."""
    assert scene.store.account(scene.writer.id) == scene.writer


def test_an_unknown_account_is_named_with_the_way_out(scene: Scene) -> None:
    """Row 12: unknown account: one clear sentence."""
    with pytest.raises(NotFound, match="postproof account add nobody"):
        scene.store.account("nobody")


TAKEN = {"handle": ("@WRITER", None), "user id": ("other", UserId("42"))}


@pytest.mark.parametrize(("handle", "user_id"), TAKEN.values(), ids=TAKEN)
def test_one_identity_is_one_account(scene: Scene, handle: str, user_id: UserId | None) -> None:
    """Pain A20: two connections to the same account are refused."""
    with pytest.raises(AccountExists):
        scene.store.add_account(handle=handle, tier=Tier.BASIC, actor="ann", user_id=user_id)


def test_the_first_sign_in_records_who_it_is(scene: Scene) -> None:
    """The numeric id comes from the session, once."""
    new = scene.store.add_account(handle="new", tier=Tier.PREMIUM, actor="ann")

    known = scene.store.record_identity(new.id, user_id=UserId("7"), handle="New", actor="ann")

    assert (known.user_id, known.handle) == ("7", "New")
    assert known.identified_at == scene.clock.now()


def test_a_sign_in_mends_what_a_sign_in_mends(scene: Scene) -> None:
    """Signed out is over; a pause stays, since a person set it."""
    scene.store.open_breaker(scene.writer.id, BreakerKind.SIGNED_OUT, detail="out", actor="w")
    scene.store.pause_account(scene.writer.id, note="holiday", actor="ann")

    known = scene.store.record_identity(
        scene.writer.id, user_id=UserId("42"), handle="Writer", actor="ann"
    )

    assert [breaker.kind for breaker in known.breakers] == [BreakerKind.PAUSED]


def test_a_new_handle_of_the_same_user_is_followed(scene: Scene) -> None:
    """The user id decides; handles change."""
    scene.store.record_identity(scene.writer.id, user_id=UserId("42"), handle="Author", actor="ann")

    assert scene.store.account("author").id == scene.writer.id


def test_another_persons_session_is_refused(scene: Scene) -> None:
    """Pain B7, B8: the wrong account signed in changes nothing."""
    with pytest.raises(IdentityConflict, match="sign in as @Writer"):
        scene.store.record_identity(
            scene.writer.id, user_id=UserId("7"), handle="Other", actor="ann"
        )

    assert scene.store.account("writer").user_id == "42"


def test_a_new_account_is_not_given_to_whoever_signs_in(scene: Scene) -> None:
    """Before the user id is known, the handle decides."""
    new = scene.store.add_account(handle="new", tier=Tier.BASIC, actor="ann")

    with pytest.raises(IdentityConflict, match="not to @new"):
        scene.store.record_identity(new.id, user_id=UserId("7"), handle="Other", actor="ann")


def test_the_same_breaker_twice_is_one(scene: Scene) -> None:
    """Trouble seen again renews what is open; resuming closes all of it."""
    for detail in ("first", "second"):
        scene.store.open_breaker(scene.writer.id, BreakerKind.LOCKED, detail=detail, actor="w")
    held = scene.store.account("writer")

    resumed = scene.store.resume_account(scene.writer.id, note="unlocked", actor="ann")

    assert [breaker.detail for breaker in held.breakers] == ["second"]
    assert held.is_held
    assert not resumed.is_held


def test_jobs_are_counted_by_state(scene: Scene) -> None:
    """What the list of accounts shows."""
    scene.prepare("one")
    scene.prepare("two")
    scene.claim()

    assert scene.store.account_counts(scene.writer.id) == {State.PREPARED: 1, State.SENDING: 1}


def test_nothing_is_done_for_an_account_before_somebody_has_signed_in(scene: Scene) -> None:
    """Without a user id nobody could say whose session it is: its lane waits for the sign-in."""
    new = scene.store.add_account(handle="new", tier=Tier.BASIC, actor="ann", spacing_s=0)
    scene.prepare(account=new)

    assert scene.store.claim_next(new.id, worker="w") is None
    assert scene.store.lanes_with_due_work(EVERY_WORK) == ()
    assert scene.store.next_due_at(kinds=EVERY_WORK) is None

    scene.store.record_identity(new.id, user_id=UserId("7"), handle="new", actor="ann")
    assert scene.store.claim_next(new.id, worker="w") is not None
