"""The order of one account's work: looks, then posts, then readings."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.domain.moves import State
from agent.work.lane import work_lane
from tests.work.stage import OLD_ID, TEXT, post_of

if TYPE_CHECKING:
    from agent.domain.ids import JobId
    from agent.store.records import JobRecord
    from agent.work.means import Means
    from tests.work.stage import Stage


async def work(stage: Stage, means: Means | None = None) -> dict[JobId, JobRecord]:
    """Work the lane until nothing is due, and return what was done."""
    done: dict[JobId, JobRecord] = {}
    await work_lane(
        stage.scene.writer.id,
        means or stage.means,
        stopping=asyncio.Event(),
        posts_max=None,
        done=done,
    )
    return done


async def test_a_doubt_is_looked_for_before_anything_new_is_sent(stage: Stage) -> None:
    """The look comes first, then the post that waited behind the doubt."""
    doubt = stage.doubted()
    waiting = stage.scene.prepare("Another one", link="https://blog.example.com/next").job_id
    post = stage.ours()
    stage.shows(post)

    done = await work(stage)

    assert stage.channel.asked[:3] == ["look", f"read {post.id}", "deliver"]
    assert (done[doubt].state, done[waiting].attempts) == (State.CONFIRMED, 1)


async def test_row_53_a_job_too_much_like_one_in_doubt_waits_until_the_doubt_is_settled(
    stage: Stage,
) -> None:
    """Same link, nearly the same text: not sent while it is open whether the first one is out."""
    doubt = stage.doubted()
    twin = stage.scene.prepare(TEXT + "!", link="https://blog.example.com/essay", revision="2")
    stage.shows(post_of(OLD_ID, "Something old", "https://blog.example.com/old"))

    await work(stage)

    assert stage.job(doubt).state is State.UNKNOWN
    assert stage.channel.asked == ["look"]
    assert stage.job(twin.job_id).waits_for == doubt


async def test_a_confirmed_post_is_read_again_at_its_time(stage: Stage) -> None:
    """Nothing else is due: the watch reads the post's own page."""
    doubt = stage.doubted()
    post = stage.ours()
    stage.shows(post)
    await work(stage)
    stage.scene.clock.forward(stage.means.policy.watch_after_s[0])

    await work(stage)

    assert stage.channel.asked == ["look", f"read {post.id}", f"read {post.id}"]
    assert [each.result for each in stage.scene.show(doubt).readings] == ["equal"]


async def test_a_rehearsal_makes_no_look(stage: Stage) -> None:
    """It tries the way to the gate of what is prepared, and leaves doubts alone."""
    stage.doubted()
    stage.shows()

    await work(stage, replace(stage.means, rehearse=True))

    assert stage.channel.asked == []
