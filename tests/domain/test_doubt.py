from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.doubt import (
    Confirm,
    HandOver,
    LookAgain,
    Looking,
    LookResult,
    LookSeen,
    Step,
    after_look,
    first_look_at,
    is_by_us,
    segments_wanted,
)
from agent.domain.ids import AccountId, PostId
from agent.domain.matching.terms import AttemptTimes, Outcome, Verdict
from agent.domain.payload import freeze
from agent.domain.policy import DEFAULT_POLICY
from agent.domain.text import Tier

CLICK = datetime(2026, 11, 30, 12, tzinfo=UTC)
TRIED = AttemptTimes(clicked_at=CLICK, released_at=CLICK, baseline_id=PostId("1000"))
POLICY = DEFAULT_POLICY


def at(seconds: float) -> datetime:
    """Return the instant so many seconds after the click."""
    return CLICK + timedelta(seconds=seconds)


def seen(result: LookResult, outcome: Outcome | None, post_id: str | None = None) -> LookSeen:
    """Return what a look saw."""
    made = None
    if outcome is not None:
        found = PostId(post_id) if post_id else None
        made = Verdict(outcome=outcome, id=found, reasons=(), candidates=())
    return LookSeen(
        result=result,
        code="code",
        why="why",
        verdict=made,
        wanted=None,
        posts=(),
        reached_id=None,
        page_loads=1,
        is_read_back=False,
        breaker=None,
        facts={},
        policy={},
    )


ABSENT = seen(LookResult.ABSENT, Outcome.NONE)
VOID = seen(LookResult.VOID, None)
FOUND = seen(LookResult.FOUND, Outcome.UNIQUE, "1001")
AMBIGUOUS = seen(LookResult.FOUND, Outcome.AMBIGUOUS)


def looking(**changes: Any) -> Looking:  # noqa: ANN401 - any field
    """Return how far the looking has come: one absent look after half a minute."""
    said: dict[str, Any] = {
        "started_at": CLICK,
        "first_at": at(30),
        "first_absent_at": at(30),
        "absent": 1,
        "void": 0,
        "code": "no_answer",
    }
    return Looking(**(said | changes))


def follow(
    what: LookSeen,
    so_far: Looking,
    seconds: float,
    *,
    tried: AttemptTimes | None = TRIED,
    drawn: float = 0.0,
) -> Step:
    """Return what follows from a look that ended so many seconds after the click."""
    return after_look(what, so_far, tried=tried, now=at(seconds), policy=POLICY, draw=lambda: drawn)


CONTRADICTIONS = {
    "found without a verdict": (LookResult.FOUND, None, None),
    "found, and none": (LookResult.FOUND, Outcome.NONE, None),
    "absent, and ambiguous": (LookResult.ABSENT, Outcome.AMBIGUOUS, None),
    "void with a verdict": (LookResult.VOID, Outcome.NONE, None),
    "unique without a post": (LookResult.FOUND, Outcome.UNIQUE, None),
    "ambiguous with a post": (LookResult.FOUND, Outcome.AMBIGUOUS, "1"),
}


@pytest.mark.parametrize(
    ("result", "outcome", "post_id"), CONTRADICTIONS.values(), ids=CONTRADICTIONS
)
def test_a_look_that_contradicts_itself_is_refused(
    result: LookResult, outcome: Outcome | None, post_id: str | None
) -> None:
    """Void says nothing, absent is none, and only a unique verdict names the post."""
    with pytest.raises(ValueError, match=r"look|verdict"):
        seen(result, outcome, post_id)


def test_a_unique_post_above_the_baseline_confirms() -> None:
    """At whatever look."""
    assert follow(FOUND, looking(), 40) == Confirm(post_id=PostId("1001"))


NOT_OURS = {
    "no release": None,
    "baseline not known": AttemptTimes(clicked_at=CLICK, released_at=CLICK, baseline_id=None),
    "below the baseline": AttemptTimes(
        clicked_at=CLICK, released_at=CLICK, baseline_id=PostId("10000")
    ),
    "the baseline itself": AttemptTimes(
        clicked_at=CLICK, released_at=CLICK, baseline_id=PostId("1001")
    ),
}


@pytest.mark.parametrize("tried", NOT_OURS.values(), ids=NOT_OURS)
def test_a_unique_post_that_no_release_can_have_made_goes_to_a_person(
    tried: AttemptTimes | None,
) -> None:
    """Ids are compared as numbers, and what is not known proves nothing."""
    step = follow(FOUND, looking(), 40, tried=tried)

    assert isinstance(step, HandOver)
    assert step.code == "not_by_us"


def test_after_an_empty_profile_every_id_is_above_the_baseline() -> None:
    """Its baseline is 0."""
    empty = AttemptTimes(clicked_at=CLICK, released_at=CLICK, baseline_id=PostId("0"))

    assert is_by_us(PostId("1"), empty)


def test_what_is_ambiguous_goes_to_a_person_at_once() -> None:
    """Looking again would not make it clearer; the code says why."""
    assert follow(AMBIGUOUS, looking(), 40) == HandOver(code="code", why="why")


def test_a_job_that_was_never_released_goes_to_a_person_after_one_valid_look() -> None:
    """Under the name of its own doubt; a void look is none."""
    so_far = looking(code="already_there", first_absent_at=None, absent=0, void=1)

    absent, void = (follow(what, so_far, 40, tried=None) for what in (ABSENT, VOID))

    assert isinstance(absent, HandOver)
    assert absent.code == "already_there"
    assert isinstance(void, LookAgain)


def test_the_schedule_is_counted_from_the_click() -> None:
    """30 s, 2 min, 10 min, 30 min, 2 h, each drawn out by a tenth at most."""
    assert first_look_at(CLICK, now=CLICK, policy=POLICY, draw=lambda: 0.0) == at(30)
    assert first_look_at(CLICK, now=CLICK, policy=POLICY, draw=lambda: 1.0) == at(33)
    for done, following in ((40, 120), (130, 600), (650, 1800), (1900, 7200)):
        assert follow(ABSENT, looking(), done) == LookAgain(at=at(following))
        assert follow(ABSENT, looking(), done, drawn=1.0) == LookAgain(at=at(following * 1.1))


def test_a_first_look_that_is_late_is_due_at_once_and_crowds_nobody() -> None:
    """What would come within half a minute is left out."""
    assert first_look_at(CLICK, now=at(100), policy=POLICY, draw=lambda: 0.0) == at(100)
    assert follow(ABSENT, looking(first_at=at(100)), 100) == LookAgain(at=at(600))


ENOUGH = {
    "three over a quarter of an hour": (looking(absent=3), 7300, True),
    "only two": (looking(absent=2), 7300, False),
    "within a quarter of an hour": (looking(absent=3, first_absent_at=at(6500)), 7300, False),
    "the schedule goes on": (looking(absent=4), 1900, False),
    "the day is over": (looking(absent=1), 86_400, True),
    "began late, and goes on": (looking(first_at=at(90_000), absent=1), 90_000, False),
    "began late, and an hour is over": (looking(first_at=at(90_000), absent=1), 93_600, True),
}


@pytest.mark.parametrize(("so_far", "seconds", "is_over"), ENOUGH.values(), ids=ENOUGH)
def test_absent_looks_end_before_a_person_at_their_bounds(
    so_far: Looking, seconds: float, *, is_over: bool
) -> None:
    """At least three over at least fifteen minutes, and all within a day."""
    step = follow(ABSENT, so_far, seconds)

    assert isinstance(step, HandOver) == is_over


def test_void_looks_have_waits_and_a_bound_of_their_own() -> None:
    """Half a minute, two minutes, a quarter, half an hour, then each hour, twelve at most."""
    waits = []
    for void in range(1, POLICY.looks_void_max):
        step = follow(VOID, looking(void=void), 100)
        assert isinstance(step, LookAgain)
        waits.append((step.at - at(100)).total_seconds())

    last = follow(VOID, looking(void=POLICY.looks_void_max), 100)

    assert waits == [30, 120, 900, 1800] + [3600] * 7
    assert isinstance(last, HandOver)
    assert last.code == "could_not_look"


@given(
    st.lists(st.booleans(), min_size=60, max_size=60),
    st.floats(0, 1, exclude_max=True),
    st.floats(0, 200_000),
)
def test_every_doubt_ends_before_a_person_whatever_the_looks_say(
    are_absent: list[bool], drawn: float, begins_s: float
) -> None:
    """Bounded in count and time; absent is never said of a job whose looks were all void."""
    now, so_far = at(begins_s), looking(first_at=at(begins_s), first_absent_at=None, absent=0)
    step: Step = LookAgain(at=now)
    for is_absent in are_absent:
        if isinstance(step, LookAgain):
            assert step.at >= now
            now = step.at + timedelta(seconds=5)
            what = ABSENT if is_absent else VOID
            so_far = counted(so_far, what, now)
            step = follow(what, so_far, (now - CLICK).total_seconds(), drawn=drawn)

    assert isinstance(step, HandOver)
    assert (now - CLICK).total_seconds() < max(86_400, begins_s + 3600) + 6
    assert so_far.absent or step.code == "could_not_look"


def counted(so_far: Looking, what: LookSeen, now: datetime) -> Looking:
    """Return how far the looking has come after one more look."""
    is_absent = what is ABSENT
    return looking(
        first_at=so_far.first_at,
        first_absent_at=so_far.first_absent_at or (now if is_absent else None),
        absent=so_far.absent + int(is_absent),
        void=so_far.void + int(not is_absent),
    )


def test_the_matcher_is_given_the_frozen_text_with_the_link_where_it_stands() -> None:
    """As it was posted."""
    payload = freeze(
        account_id=AccountId("acc_1"),
        tier=Tier.BASIC,
        text="Hello",
        link="https://example.com/a?utm_source=x",
    )

    (segment,) = segments_wanted(payload)

    assert segment.text == "Hello https://example.com/a?utm_source=x"
    assert segment.link == "https://example.com/a?utm_source=x"
    assert segment.media_count == 0
