from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent.domain.ids import UserId
from agent.domain.moves import State
from agent.domain.text import Tier
from tests.store.looking import ABSENT, before_person, found, fresh_look, id_after, in_doubt, look

if TYPE_CHECKING:
    from agent.store.records import JobRecord
    from tests.store.scene import Scene

LINK = "https://example.com/a"
ALIKE = {
    "the same link": ("quite other words", "http://www.example.com/a?utm_source=x"),
    "the same text": ("New: a hundred small boats", None),
    "one word more": ("New: a hundred very small boats!", None),
}


def doubted(scene: Scene) -> JobRecord:
    """Bring a job before a person."""
    return before_person(scene, "New: a hundred small boats", link=LINK)


@pytest.mark.parametrize(("text", "link"), ALIKE.values(), ids=ALIKE)
def test_row_53_a_job_like_one_in_doubt_waits_until_that_is_settled(
    scene: Scene, text: str, link: str | None
) -> None:
    """Row 53: else nobody could tell later which post is whose."""
    doubt = doubted(scene)
    twin = scene.prepare(text, link=link, revision="2", article="a")

    assert scene.store.claim_next(scene.writer.id, worker="w") is None
    assert scene.job(twin.job_id).waits_for == doubt.id
    assert scene.store.next_due_at() is None

    scene.store.give_up(doubt.id, version=doubt.version, note="leave it", actor="ann")
    assert scene.job(twin.job_id).waits_for is None
    assert scene.claim().job.id == twin.job_id


def test_a_doubt_before_a_person_does_not_hold_other_jobs(scene: Scene) -> None:
    """Only what is like it waits; the lane goes on with the next."""
    doubted(scene)
    scene.prepare("New: a hundred small boats.", link=LINK, revision="2")
    other = scene.prepare("Something else entirely", link="https://example.com/b")

    assert scene.claim().job.id == other.job_id


def test_a_doubt_that_is_still_looked_for_holds_its_twins_too(scene: Scene) -> None:
    """Unknown after its first look: the lane is free, but not for the same link."""
    doubt = in_doubt(scene, "one", link=LINK)
    look(scene, ABSENT)
    twin = scene.prepare("two altogether different", link=LINK, revision="2")

    assert scene.store.claim_next(scene.writer.id, worker="w") is None
    assert scene.job(twin.job_id).waits_for == doubt

    fresh_look(scene, doubt, found(id_after(scene)))
    assert scene.claim().job.id == twin.job_id


def test_another_account_does_not_wait(scene: Scene) -> None:
    """Its posts are told apart by their author."""
    doubted(scene)
    other = scene.store.add_account(
        handle="other", tier=Tier.BASIC, actor="ann", user_id=UserId("43")
    )
    scene.prepare("New: a hundred small boats", link=LINK, account=other)

    assert scene.store.claim_next(other.id, worker="w") is not None


def test_a_job_that_waits_can_be_cancelled(scene: Scene) -> None:
    """Nothing was done for it."""
    doubted(scene)
    twin = scene.prepare("x", link=LINK, revision="2")
    scene.store.claim_next(scene.writer.id, worker="w")

    cancelled = scene.store.cancel(twin.job_id, actor="ann")

    assert (cancelled.state, cancelled.waits_for) == (State.CANCELLED, None)
