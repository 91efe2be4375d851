"""What a look comes to, on a real store with a scripted channel: rows 32, 37, 46, 49 to 54, 57."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agent.channels.channel import PageSight, Trouble
from agent.domain.breaker import BreakerKind
from agent.domain.doubt import LookResult
from agent.domain.ids import PostId
from agent.domain.moves import State
from agent.domain.snowflake import floor_id
from agent.work.reconcile import reconcile
from tests.work.stage import NEW_ID, OLD_ID, TEXT, UNSEEN, page_of, post_of

if TYPE_CHECKING:
    from agent.domain.ids import JobId
    from agent.store.doubt_records import LookRecord
    from tests.work.stage import Stage

BOUND_OF_LOOKS = 40
VOIDS = {
    "row 50: an error": ("error_state", None),
    "row 50: a rate limit": ("rate_limited", BreakerKind.RATE_LIMITED),
    "row 50: signed out": ("signed_out", BreakerKind.SIGNED_OUT),
    "row 50: half loaded": ("partial_load", None),
    "row 50: an unknown page": ("unknown_page", BreakerKind.UNKNOWN_PAGE),
    "page and answer disagree": ("disagreement", None),
}


async def look(stage: Stage, job_id: JobId) -> LookRecord:
    """Make the look that is due, and return how it was kept."""
    claim = stage.means.store.claim_look(stage.scene.writer.id, worker="ann's laptop")
    assert claim is not None
    assert claim.job.id == job_id
    await reconcile(claim, stage.means)
    return stage.scene.show(job_id).looks[-1]


async def look_until_settled(stage: Stage, job_id: JobId) -> int:
    """Make every look of the schedule at its time; return how many there were."""
    for number in range(BOUND_OF_LOOKS):
        job = stage.job(job_id)
        if job.state is not State.UNKNOWN:
            return number
        assert job.look_at is not None
        stage.scene.clock.forward((job.look_at - stage.scene.clock.now()).total_seconds())
        await look(stage, job_id)
    raise AssertionError("there is no end of looks")


async def test_row_32_a_post_whose_answer_was_lost_is_confirmed_from_the_profile(
    stage: Stage,
) -> None:
    """Unique on the profile, and its own page says the same: confirmed, with the permalink."""
    job_id = stage.doubted()
    post = stage.ours()
    stage.shows(post, post_of(OLD_ID, "Something old", "https://blog.example.com/old"))

    kept = await look(stage, job_id)

    job = stage.job(job_id)
    assert (job.state, job.remote_id) == (State.CONFIRMED, post.id)
    assert job.permalink == f"https://x.com/Writer/status/{post.id}"
    assert (kept.result, kept.code) == (LookResult.FOUND, "unique")
    assert stage.channel.asked == ["look", f"read {post.id}"]


async def test_row_32_a_post_that_never_shows_goes_to_a_person_and_is_not_sent_again(
    stage: Stage,
) -> None:
    """Absent look upon absent look, bounded; then needs_manual, and nothing was delivered."""
    job_id = stage.doubted()
    stage.shows(post_of(OLD_ID, "Something old", "https://blog.example.com/old"))

    looks = await look_until_settled(stage, job_id)

    job = stage.job(job_id)
    assert (job.state, job.code) == (State.NEEDS_MANUAL, "not_found")
    assert stage.means.policy.looks_absent_min <= looks <= len(stage.means.policy.look_after_s)
    assert "deliver" not in stage.channel.asked


@pytest.mark.parametrize("case", VOIDS)
async def test_row_50_trouble_makes_a_look_void_and_never_absent(stage: Stage, case: str) -> None:
    """The job stays unknown; the account's own trouble opens its breaker."""
    code, breaker = VOIDS[case]
    job_id = stage.doubted()
    stage.in_trouble(code, breaker)

    kept = await look(stage, job_id)

    (account,) = stage.means.store.accounts()
    assert (kept.result, kept.code) == (LookResult.VOID, code)
    assert stage.job(job_id).state is State.UNKNOWN
    assert [each.kind for each in account.breakers] == ([] if breaker is None else [breaker])


async def test_a_look_that_did_not_reach_the_start_of_the_window_is_void(stage: Stage) -> None:
    """What was not read cannot be absent."""
    job_id = stage.doubted()
    stage.shows(has_reached_start=False, has_reached_end=False)

    kept = await look(stage, job_id)

    assert (kept.result, kept.code) == (LookResult.VOID, "window_not_reached")


ENDS = {
    "an older post was read": (OLD_ID, LookResult.ABSENT),
    "no older post was read": (NEW_ID, LookResult.VOID),
    "no post was read": (None, LookResult.VOID),
}


@pytest.mark.parametrize("case", ENDS)
async def test_the_end_of_the_profile_is_enough_when_an_older_post_was_read(
    stage: Stage, case: str
) -> None:
    """A look that reads further back than the account is old ends at its first post."""
    reached_id, result = ENDS[case]
    job_id = stage.doubted()
    stage.shows(has_reached_start=False, reached_id=reached_id)

    kept = await look(stage, job_id)

    assert kept.result is result


async def test_row_46_a_page_that_cannot_be_read_yet_confirms_nothing(stage: Stage) -> None:
    """The post is on the profile; its page fails: void, and looked at again."""
    job_id = stage.doubted()
    post = stage.ours()
    stage.shows(post)
    assert post.id is not None
    trouble = Trouble(code="error_state", detail="as the script says", breaker=None)
    stage.channel.pages[post.id] = PageSight(post=None, gone=None, trouble=trouble, captures=())

    first = await look(stage, job_id)
    stage.channel.pages[post.id] = page_of(post)
    await look_until_settled(stage, job_id)

    assert first.result is LookResult.VOID
    assert stage.job(job_id).state is State.CONFIRMED


async def test_row_46_a_page_that_says_something_else_goes_to_a_person(stage: Stage) -> None:
    """The profile shows our text, the page another one: needs_manual, page_differs."""
    job_id = stage.doubted()
    post = stage.ours()
    stage.shows(post)
    assert post.id is not None
    stage.channel.pages[post.id] = page_of(replace(post, text="Another text altogether"))

    await look(stage, job_id)

    assert (stage.job(job_id).state, stage.job(job_id).code) == (
        State.NEEDS_MANUAL,
        "page_differs",
    )


async def test_row_49_a_profile_that_lags_is_looked_at_again_and_confirms(stage: Stage) -> None:
    """Absent first; found at the next look of the schedule."""
    job_id = stage.doubted()
    post = stage.ours()
    stage.shows(post)
    stage.channel.sights = [UNSEEN, UNSEEN, *stage.channel.sights]

    looks = await look_until_settled(stage, job_id)

    assert (looks, stage.job(job_id).state) == (3, State.CONFIRMED)


async def test_row_51_reposts_quotes_and_old_twins_are_not_ours(stage: Stage) -> None:
    """Same text and link, but pinned and old, or of another kind: absent."""
    job_id = stage.doubted()
    made = int(floor_id(stage.scene.clock.now()))
    others = [
        stage.ours(id=PostId(str(made + number)), kind=kind)
        for number, kind in enumerate(("repost", "quote", "reply"))
    ]
    stage.shows(post_of(OLD_ID), *others)

    kept = await look(stage, job_id)

    assert (kept.result, stage.job(job_id).state) == (LookResult.ABSENT, State.UNKNOWN)


async def test_rows_52_and_54_two_posts_that_read_like_ours_go_to_a_person(stage: Stage) -> None:
    """By hand or by a resend: marked duplicate, both shown, neither confirmed."""
    job_id = stage.doubted()
    first, second = stage.ours(), stage.ours(id=floor_id(stage.scene.clock.now()))
    stage.shows(first, second)

    kept = await look(stage, job_id)

    job = stage.job(job_id)
    assert (job.state, job.code) == (State.NEEDS_MANUAL, "duplicate")
    assert kept.verdict is not None
    assert {each["id"] for each in kept.verdict["candidates"]} == {first.id, second.id}


async def test_row_58_a_post_that_confirms_another_job_is_not_taken_again(stage: Stage) -> None:
    """The second job of the same text finds only the post of the first one: absent."""
    first = stage.doubted()
    stage.shows(stage.ours())
    await look(stage, first)
    second = stage.doubted(TEXT + " again", "https://blog.example.com/second")
    stage.shows(stage.ours(id=stage.job(first).remote_id))

    kept = await look(stage, second)

    assert stage.job(first).state is State.CONFIRMED
    assert kept.result is LookResult.ABSENT


async def test_an_account_that_had_no_post_is_read_to_its_end(stage: Stage) -> None:
    """Without an older post to reach, the end of both tabs is enough for absent."""
    job_id = stage.doubted(baseline_id="0")
    stage.shows(has_reached_start=False, reached_id=None)

    kept = await look(stage, job_id)

    assert kept.result is LookResult.ABSENT


async def test_a_channel_that_fails_makes_the_look_void(stage: Stage) -> None:
    """Whatever is raised, nothing was learnt, and the job is looked for again."""
    job_id = stage.doubted()
    stage.channel.sights = []

    kept = await look(stage, job_id)

    assert (kept.result, kept.code) == (LookResult.VOID, "channel_failed")
    assert stage.job(job_id).state is State.UNKNOWN


async def test_row_60_a_look_called_off_is_void_and_its_end_is_written(stage: Stage) -> None:
    """Told to leave in the middle: void, and the cancellation goes on."""
    job_id = stage.doubted()
    claim = stage.means.store.claim_look(stage.scene.writer.id, worker="ann's laptop")
    assert claim is not None
    stage.shows()
    task = asyncio.ensure_future(reconcile(claim, stage.means))
    stage.channel.before = task.cancel

    with pytest.raises(asyncio.CancelledError):
        await task

    kept = stage.scene.show(job_id).looks[-1]
    assert (kept.result, kept.code) == (LookResult.VOID, "cancelled")


async def test_a_look_asks_for_pictures_of_what_a_person_should_see(stage: Stage) -> None:
    """Our text at any time is a candidate; another text and link is none."""
    await look(stage, _job_with_nothing_to_see(stage))
    (order,) = stage.channel.orders

    wanted = [order.is_candidate(post_of(OLD_ID)), order.is_candidate(stage.ours())]
    unwanted = order.is_candidate(
        post_of(OLD_ID, "Nothing of it", "https://blog.example.com/other")
    )

    assert (wanted, unwanted) == ([True, True], False)


def _job_with_nothing_to_see(stage: Stage) -> JobId:
    stage.shows()
    return stage.doubted()
