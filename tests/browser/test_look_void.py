"""Row 50: whatever is not as it should be makes a look void, by name, and never absent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from browser.facts import StopCode
from browser.look_facts import LookEnd, VoidReason
from browser.policy import LookPolicy
from tests.browser.looking import LINK, Seeds, id_at, look_at

if TYPE_CHECKING:
    from pathlib import Path

    from browser.facts import PostFacts
    from tests.browser.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY_S = 86_400


@dataclass(frozen=True, kw_only=True)
class Case:
    """A fault, and what a look is to say of it."""

    fault: str
    reason: VoidReason
    wishes: dict[str, object] = field(default_factory=dict)
    bounds: dict[str, float] = field(default_factory=dict)


CASES = {
    "profile-error": Case(fault="profile_error", reason=VoidReason.ERROR_STATE),
    "replies-error": Case(
        fault="profile_error",
        wishes={"on": "UserTweetsAndReplies"},
        reason=VoidReason.ERROR_STATE,
    ),
    "half-loaded": Case(
        fault="profile_partial", wishes={"count": 3}, reason=VoidReason.PARTIAL_LOAD
    ),
    "listed-not-shown": Case(
        fault="empty_tweet_results", wishes={"every": 3}, reason=VoidReason.PARTIAL_LOAD
    ),
    "empty": Case(fault="profile_empty", reason=VoidReason.EMPTY_STATE),
    "suspended": Case(fault="suspended", reason=VoidReason.SUSPENDED),
    "reset": Case(
        fault="reset_before_store", wishes={"on": "UserTweets"}, reason=VoidReason.OFFLINE
    ),
    "answer-breaks-off": Case(
        fault="answer_lost_before_store", wishes={"on": "UserTweets"}, reason=VoidReason.OFFLINE
    ),
    "no-answer": Case(
        fault="delay_ms",
        wishes={"on": "UserTweets", "ms": 30_000},
        reason=VoidReason.TIMED_OUT,
        bounds={"timeline_ms": 1_000},
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_row_50_a_profile_that_is_not_healthy_is_void(
    desk: Desk, case: Case, tmp_path: Path
) -> None:
    """Error, half a load, nothing at all: void, with what was read until then as evidence."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    seeds.posts(8, from_s=60)
    desk.x.fault(case.fault, account=seeds.handle, **case.wishes)

    report = await look_at(
        desk, seeds.person, since_id=id_at(3_600), folder=tmp_path, bounds=case.bounds
    )

    assert report.end is LookEnd.VOID
    assert report.void is not None
    assert report.void.reason == case.reason
    assert not report.reaches_back
    assert (tmp_path / "manifest.json").exists()


TROUBLE = {
    "rate-limited": Case(fault="profile_rate_limited", reason=VoidReason.RATE_LIMITED),
    "replies-rate-limited": Case(
        fault="profile_rate_limited",
        wishes={"on": "UserTweetsAndReplies"},
        reason=VoidReason.RATE_LIMITED,
    ),
    "signed-out": Case(fault="signed_out", reason=VoidReason.SIGNED_OUT),
    "signed-out-shell": Case(
        fault="signed_out", wishes={"how": "shell"}, reason=VoidReason.SIGNED_OUT
    ),
    "session-ends-half-way": Case(
        fault="signed_out", wishes={"on": "UserTweetsAndReplies"}, reason=VoidReason.SIGNED_OUT
    ),
    "wrong-account": Case(fault="wrong_account", reason=VoidReason.WRONG_ACCOUNT),
    "locked": Case(fault="lock_page", reason=VoidReason.LOCKED),
    "locked-half-way": Case(
        fault="lock_page", wishes={"on": "UserTweets"}, reason=VoidReason.LOCKED
    ),
    "unknown-page": Case(
        fault="unknown_page", reason=VoidReason.UNKNOWN_PAGE, bounds={"hydrate_ms": 1_500}
    ),
    "never-hydrated": Case(
        fault="never_hydrates", reason=VoidReason.NEVER_HYDRATED, bounds={"hydrate_ms": 1_500}
    ),
    "scripts-failed": Case(fault="script_load_failure", reason=VoidReason.NEVER_HYDRATED),
}


@pytest.mark.parametrize("case", TROUBLE.values(), ids=TROUBLE.keys())
async def test_row_50_trouble_of_the_account_is_void_and_names_its_stop(
    desk: Desk, case: Case, tmp_path: Path
) -> None:
    """The same code as an attempt would have stopped with, so that one breaker knows both."""
    seeds = Seeds.on(desk)
    seeds.posts(5, from_s=60)
    desk.x.fault(case.fault, account=seeds.handle, **case.wishes)

    report = await look_at(
        desk, seeds.person, since_id=id_at(200), folder=tmp_path, bounds=case.bounds
    )

    assert report.void is not None
    assert report.void.stop is not None
    assert (report.void.reason, report.void.stop.code) == (
        case.reason,
        StopCode(case.reason.value),
    )


async def test_row_50_a_stale_profile_is_void(desk: Desk, tmp_path: Path) -> None:
    """What was there before is missing, so that nothing else that is missing means anything."""
    seeds = Seeds.on(desk)
    seeds.posts(5, from_s=DAY_S)
    known = seeds.post("Seen before.", age_s=1_000)
    as_of_ms = desk.x.control("GET", f"/truth/posts?author={seeds.handle}")[-1]["created_ms"] - 1
    desk.x.fault("profile_stale", account=seeds.handle, as_of_ms=as_of_ms)

    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path, known_id=known)

    assert report.void is not None
    assert report.void.reason is VoidReason.STALE


async def test_row_49_a_profile_that_lags_is_read_and_lacks_the_post(
    desk: Desk, tmp_path: Path
) -> None:
    """It looks healthy: only looking again can tell, which is the caller's schedule."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    desk.x.fault("profile_lag_ms", account=seeds.handle, ms=None)
    since = id_at(5)
    late = seeds.person.post_id(f"An essay. {LINK}")

    first = await look_at(desk, seeds.person, since_id=since, folder=tmp_path / "1")
    desk.x.control("DELETE", "/faults")
    second = await look_at(desk, seeds.person, since_id=since, folder=tmp_path / "2")

    assert (first.void, first.reaches_back, first.candidate_ids) == (None, True, ())
    assert (second.void, second.candidate_ids) == (None, (late,))


async def test_row_59_a_window_deeper_than_the_bound_is_void(desk: Desk, tmp_path: Path) -> None:
    """A look that did not get to the start of its window says so."""
    seeds = Seeds.on(desk)
    seeds.posts(45, from_s=60)

    report = await look_at(
        desk, seeds.person, since_id=id_at(DAY_S), folder=tmp_path, policy=LookPolicy(answers_max=2)
    )

    assert report.void is not None
    assert report.void.reason is VoidReason.BOUND_REACHED


async def test_a_look_ends_within_its_own_bound(desk: Desk, tmp_path: Path) -> None:
    """Whatever hangs, the whole of a look is bounded."""
    seeds = Seeds.on(desk)
    seeds.posts(2, from_s=60)
    desk.x.fault("delay_ms", account=seeds.handle, on="UserTweets", ms=30_000)

    report = await look_at(
        desk, seeds.person, since_id=id_at(90), folder=tmp_path, policy=LookPolicy(look_s=1.5)
    )

    assert report.void is not None
    assert report.void.reason is VoidReason.TIMED_OUT


async def test_row_60_a_browser_that_dies_under_a_look_makes_it_void(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser is gone when the first candidate is met; the next look opens another."""
    seeds = Seeds.on(desk)
    seeds.posts(2, from_s=DAY_S)
    seeds.post(f"An essay. {LINK}", age_s=60)
    profile = await desk.profile(seeds.person)
    closing = []

    def close_then_want(_post: PostFacts) -> bool:
        closing.append(asyncio.ensure_future(profile._context.close()))
        return True

    monkeypatch.setattr("tests.browser.looking.with_link", close_then_want)
    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)
    await profile.shut("the test is over")

    assert report.void is not None
    assert report.void.reason is VoidReason.BROWSER_DIED


async def test_a_used_up_browser_makes_a_look_void_at_once(desk: Desk, tmp_path: Path) -> None:
    """Its gate is dead, so that nothing it shows can be trusted."""
    seeds = Seeds.on(desk)
    profile = await desk.profile(seeds.person)
    profile.gate.kill("the test")

    report = await look_at(
        desk, seeds.person, since_id=id_at(600), folder=tmp_path, profile=profile
    )

    assert report.void is not None
    assert (report.void.reason, report.page_loads) == (VoidReason.BROWSER_DIED, 0)
