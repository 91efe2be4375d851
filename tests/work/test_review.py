"""A person's decisions, on a real store with a scripted channel: rows 61 to 64."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agent import review
from agent.channels.channel import PageSight, Trouble
from agent.domain.breaker import BreakerKind
from agent.domain.ids import UserId
from agent.domain.moves import State
from agent.domain.snowflake import floor_id
from agent.store.errors import DecisionRefused
from agent.work.reconcile import reconcile
from tests.work.stage import OLD_ID, page_of, post_of

if TYPE_CHECKING:
    from agent.domain.ids import JobId
    from agent.domain.matching.terms import SeenPost
    from tests.work.stage import Stage

GONE = PageSight(post=None, gone="missing", trouble=None, captures=())
TROUBLE = Trouble(code="offline", detail="as scripted", breaker=None)
UNREADABLE = PageSight(post=None, gone=None, trouble=TROUBLE, captures=())


def permalink(post: SeenPost) -> str:
    """The address of a post."""
    return f"https://x.com/Writer/status/{post.id}"


async def before_a_person(stage: Stage) -> tuple[JobId, SeenPost]:
    """A job that two posts fit; the first of them; ruling absent is a matter of time no more."""
    job_id = stage.doubted()
    first, second = stage.ours(), stage.ours(id=floor_id(stage.scene.clock.now()))
    stage.shows(first, second)
    claim = stage.means.store.claim_look(stage.scene.writer.id, worker="ann's laptop")
    assert claim is not None
    await reconcile(claim, stage.means)
    assert stage.job(job_id).state is State.NEEDS_MANUAL
    stage.scene.clock.forward(stage.means.policy.quarantine_s)
    return job_id, first


def decision(stage: Stage, job_id: JobId, note: str | None = "seen by me") -> review.Decision:
    """Ann decides on the job as it is now."""
    version = stage.job(job_id).version
    return review.Decision(job_id=job_id, version=version, actor="ann", note=note)


async def absent(stage: Stage, job_id: JobId, **changes: bool) -> None:
    """Ann rules absent."""
    options = {"despite_candidates": False, "can_look": True} | changes
    await review.rule_absent(
        decision(stage, job_id),
        despite_candidates=options["despite_candidates"],
        can_look=options["can_look"],
        lasts_s=None,
        means=stage.means,
    )


async def test_a_post_that_a_person_names_confirms_when_its_page_agrees(stage: Stage) -> None:
    """Opened, compared, confirmed; who decided is kept."""
    job_id, post = await before_a_person(stage)

    opened = await review.open_post(job_id, permalink(post), stage.means)
    job = await review.confirm(decision(stage, job_id), opened, is_forced=False, means=stage.means)

    assert (job.state, job.remote_id) == (State.CONFIRMED, post.id)
    assert stage.scene.show(job_id).decisions[-1].actor == "ann"


NOT_OPENED = {
    "not a permalink": ("https://x.com/Writer", None, "not_a_permalink"),
    "another site": ("https://x.com.evil.example/Writer/status/{id}", None, "not_a_permalink"),
    "gone": ("https://x.com/Writer/status/{id}", GONE, "post_gone"),
    "not readable": ("https://x.com/Writer/status/{id}", UNREADABLE, "page_unreadable"),
}


@pytest.mark.parametrize("case", NOT_OPENED)
async def test_row_61_what_cannot_be_opened_is_refused(stage: Stage, case: str) -> None:
    """No post was seen: nothing is decided."""
    address, page, code = NOT_OPENED[case]
    job_id, post = await before_a_person(stage)
    assert post.id is not None
    if page is not None:
        stage.channel.pages[post.id] = page

    with pytest.raises(DecisionRefused) as refused:
        await review.open_post(job_id, address.format(id=post.id), stage.means)

    assert refused.value.code == code
    assert stage.job(job_id).state is State.NEEDS_MANUAL


OTHERS: dict[str, tuple[dict[str, Any], bool, str]] = {
    "another author": ({"author_id": UserId("7")}, True, "foreign_author"),
    "another link": ({"links": ()}, True, "link_differs"),
    "another text": ({"text": "Another text"}, False, "text_differs"),
    "too old": ({"id": OLD_ID}, True, "outside_window"),
}


@pytest.mark.parametrize("case", OTHERS)
async def test_row_61_a_post_that_is_not_ours_is_refused_and_shown(stage: Stage, case: str) -> None:
    """The refusal carries both beside each other; force helps for text only."""
    changes, is_forced, code = OTHERS[case]
    job_id, post = await before_a_person(stage)
    named = replace(post, **changes)
    assert named.id is not None
    stage.channel.pages[named.id] = page_of(named)
    opened = await review.open_post(job_id, permalink(named), stage.means)

    with pytest.raises(review.PostRefused) as refused:
        await review.confirm(
            decision(stage, job_id), opened, is_forced=is_forced, means=stage.means
        )

    assert refused.value.code == code
    assert refused.value.compared["seen_text"] == named.text


async def test_another_text_can_be_forced_with_a_note(stage: Stage) -> None:
    """The person edited it since; link and author are ours."""
    job_id, post = await before_a_person(stage)
    assert post.id is not None
    edited = replace(post, text="Edited since https://t.co/abcdefghij")
    stage.channel.pages[post.id] = page_of(edited)

    opened = await review.open_post(job_id, permalink(post), stage.means)
    job = await review.confirm(decision(stage, job_id), opened, is_forced=True, means=stage.means)

    assert job.state is State.CONFIRMED
    assert stage.scene.show(job_id).decisions[-1].is_forced


async def test_row_64_absent_is_refused_when_the_fresh_look_finds_the_post(stage: Stage) -> None:
    """One of the two is gone by now: the other is ours, and confirmed."""
    job_id, post = await before_a_person(stage)
    stage.shows(post)

    with pytest.raises(DecisionRefused, match="found it") as refused:
        await absent(stage, job_id)

    assert refused.value.code == "look_found"
    assert stage.job(job_id).state is State.CONFIRMED


async def test_absent_after_a_fresh_look_without_it_allows_one_more_try(stage: Stage) -> None:
    """Nothing is there any more: prepared again, under an authorisation."""
    job_id, _post = await before_a_person(stage)
    stage.shows(post_of(OLD_ID, "Old", "https://blog.example.com/old"))

    await absent(stage, job_id)

    (allowed,) = stage.scene.show(job_id).authorisations
    assert (stage.job(job_id).state, allowed.actor) == (State.PREPARED, "ann")


async def test_absent_despite_candidates_rests_on_the_look_that_showed_them(stage: Stage) -> None:
    """First refused with the candidates; then said again, without a further look."""
    job_id, post = await before_a_person(stage)
    with pytest.raises(DecisionRefused) as refused:
        await absent(stage, job_id)
    looks = stage.channel.asked.count("look")

    await absent(stage, job_id, despite_candidates=True)

    (allowed,) = stage.scene.show(job_id).authorisations
    assert refused.value.code == "look_ambiguous"
    assert stage.channel.asked.count("look") == looks
    assert post.id in allowed.dismissed_ids


async def test_absent_beside_a_running_daemon_asks_it_to_look(stage: Stage) -> None:
    """The daemon has the browser: the look is due at once, and the ruling waits for it."""
    job_id, _post = await before_a_person(stage)

    with pytest.raises(DecisionRefused) as refused:
        await absent(stage, job_id, can_look=False)

    assert refused.value.code == "look_asked"
    assert stage.job(job_id).asked_by == "ann"


async def test_absent_within_the_quarantine_is_refused_without_a_look(stage: Stage) -> None:
    """It may still show; the refusal says until when."""
    job_id, _post = await before_a_person(stage)
    stage.scene.clock.forward(-stage.means.policy.quarantine_s)
    stage.channel.asked.clear()

    with pytest.raises(DecisionRefused) as refused:
        await absent(stage, job_id)

    assert (refused.value.code, stage.channel.asked) == ("quarantined", [])
    assert refused.value.until_at is not None


async def test_a_look_that_the_account_does_not_allow_names_the_next_step(stage: Stage) -> None:
    """Signed out: no look is made, and the person hears what to do first."""
    job_id, _post = await before_a_person(stage)
    store, writer = stage.means.store, stage.scene.writer
    store.open_breaker(writer.id, BreakerKind.SIGNED_OUT, detail="in a test", actor="ann")

    with pytest.raises(DecisionRefused, match="postproof account login") as refused:
        await absent(stage, job_id)

    assert refused.value.code == "cannot_look"
