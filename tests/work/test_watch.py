"""Readings of confirmed posts: rows 46 and 57. Never a move, never a send."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agent.channels.channel import PageSight, Trouble
from agent.domain.breaker import BreakerKind
from agent.domain.moves import State
from agent.domain.watch import ReadResult
from agent.work.reconcile import reconcile
from agent.work.watch import read_again
from tests.work.stage import page_of

if TYPE_CHECKING:
    from agent.domain.ids import JobId
    from agent.domain.matching.terms import SeenPost
    from agent.store.doubt_records import ReadRecord
    from tests.work.stage import Stage


async def confirmed(stage: Stage) -> tuple[JobId, SeenPost]:
    """A job that a look confirmed, and its post; its first reading is due."""
    job_id = stage.doubted()
    post = stage.ours()
    stage.shows(post)
    claim = stage.means.store.claim_look(stage.scene.writer.id, worker="ann's laptop")
    assert claim is not None
    await reconcile(claim, stage.means)
    stage.scene.clock.forward(stage.means.policy.watch_after_s[0])
    return job_id, post


async def read(stage: Stage, job_id: JobId) -> ReadRecord:
    """Make the reading that is due, and return how it was kept."""
    claim = stage.means.store.claim_read(stage.scene.writer.id, worker="ann's laptop")
    assert claim is not None
    await read_again(claim, stage.means)
    return stage.scene.show(job_id).readings[-1]


async def test_a_post_that_stands_as_it_was_frozen_is_equal(stage: Stage) -> None:
    """Author, text and link agree: no alarm, and the next reading is in the schedule."""
    job_id, _post = await confirmed(stage)

    kept = await read(stage, job_id)

    job = stage.job(job_id)
    assert (kept.result, job.alarm) == (ReadResult.EQUAL, None)
    assert job.read_at is not None


DIFFERENT: dict[str, tuple[dict[str, Any], str]] = {
    "row 57: edited": ({"text": "Edited since", "edited": True}, "differs"),
    "another link": ({"links": ()}, "differs"),
    "another author": ({"author_id": "7"}, "foreign_author"),
}


@pytest.mark.parametrize("case", DIFFERENT)
async def test_a_post_that_says_something_else_is_an_alarm_and_no_move(
    stage: Stage, case: str
) -> None:
    """The job stays confirmed; a person is told."""
    changes, code = DIFFERENT[case]
    job_id, post = await confirmed(stage)
    assert post.id is not None
    stage.channel.pages[post.id] = page_of(replace(post, **changes))

    kept = await read(stage, job_id)

    job = stage.job(job_id)
    assert (kept.result, kept.code) == (ReadResult.DIFFERS, code)
    assert (job.state, job.alarm) == (State.CONFIRMED, "differs")


async def test_row_57_a_post_that_is_gone_twice_has_vanished(stage: Stage) -> None:
    """One page's bad moment is not believed; the second one is, and the account is held."""
    job_id, post = await confirmed(stage)
    assert post.id is not None
    stage.channel.pages[post.id] = page_of(None, gone="tombstone")

    await read(stage, job_id)
    first_alarm = stage.job(job_id).alarm
    stage.scene.clock.forward(stage.means.policy.read_again_s)
    await read(stage, job_id)

    job = stage.job(job_id)
    (account,) = stage.means.store.accounts()
    assert (first_alarm, job.alarm, job.state) == (None, "vanished", State.CONFIRMED)
    assert [each.kind for each in account.breakers] == [BreakerKind.VANISHED]


async def test_a_page_in_trouble_says_nothing_and_is_read_later(stage: Stage) -> None:
    """No alarm; the breaker of the account's own trouble opens."""
    job_id, post = await confirmed(stage)
    assert post.id is not None
    trouble = Trouble(code="signed_out", detail="as scripted", breaker=BreakerKind.SIGNED_OUT)
    stage.channel.pages[post.id] = PageSight(post=None, gone=None, trouble=trouble, captures=())

    kept = await read(stage, job_id)

    (account,) = stage.means.store.accounts()
    assert (kept.result, stage.job(job_id).alarm) == (ReadResult.TROUBLE, None)
    assert [each.kind for each in account.breakers] == [BreakerKind.SIGNED_OUT]
