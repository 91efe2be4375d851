from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.breaker import BREAKERS, BreakerKind, next_step
from agent.domain.classification import ALREADY_THERE, STOP_RULES
from agent.domain.clock import from_epoch_ms, to_epoch_ms
from agent.domain.facts import Phase
from agent.domain.ids import ID_LENGTH, PostId, TimeOrderedIds
from agent.domain.lateness import is_missed
from agent.domain.policy import DEFAULT_POLICY, backoff_s
from agent.domain.snowflake import floor_id, is_newer, time_of
from browser.facts import Phase as BrowserPhase
from browser.facts import StopCode

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class NoonClock:
    """It is always noon."""

    def now(self) -> datetime:
        """Return noon."""
        return NOON


def test_the_phases_are_those_of_the_browser() -> None:
    """The domain may not import the browser, so a test keeps both lists equal."""
    assert [phase.value for phase in Phase] == [phase.value for phase in BrowserPhase]


def test_every_stop_of_the_browser_has_its_rule() -> None:
    """A new stop code gets its row in the table, or this fails."""
    assert STOP_RULES.keys() | {ALREADY_THERE} == {code.value for code in StopCode}


def test_every_breaker_says_what_to_do_next() -> None:
    """One sentence for each kind, with the account's handle where a command needs it."""
    assert BREAKERS.keys() == set(BreakerKind)

    for kind in BreakerKind:
        assert "{" not in next_step(kind, "writer")


def test_ids_of_one_instant_are_in_the_order_they_were_made() -> None:
    """Also inside one millisecond, and with an entropy that repeats itself."""
    ids = TimeOrderedIds(clock=NoonClock(), entropy=lambda length: b"\xff" * length)

    made = [ids.new("job") for _ in range(100)]

    assert made == sorted(set(made))
    assert {len(one) for one in made} == {len("job_") + ID_LENGTH}


@given(st.integers(0, 250_000_000_000_000), st.integers(0, 999))
def test_an_instant_survives_the_store_to_the_millisecond(epoch_ms: int, finer_us: int) -> None:
    """What comes back is the instant without its microseconds."""
    instant = from_epoch_ms(epoch_ms) + timedelta(microseconds=finer_us)

    assert to_epoch_ms(instant) == epoch_ms


def test_a_naive_time_is_not_an_instant() -> None:
    """Which moment it means is not known, so it is refused."""
    with pytest.raises(ValueError, match="no zone"):
        to_epoch_ms(datetime(2026, 1, 1))  # noqa: DTZ001 - this is the point


def test_the_zone_of_an_instant_does_not_matter() -> None:
    """One moment is one number."""
    east = timezone(timedelta(hours=9))

    assert to_epoch_ms(NOON.astimezone(east)) == to_epoch_ms(NOON)


def test_an_id_of_a_post_tells_its_time() -> None:
    """The oldest public example: the id and its created_at agree to the second."""
    assert time_of(PostId("1212092628029698048")).isoformat(timespec="seconds") == (
        "2019-12-31T19:26:16+00:00"
    )


@given(st.integers(1_300_000_000_000, 3_000_000_000_000))
def test_the_floor_id_of_an_instant_has_its_time(epoch_ms: int) -> None:
    """The smallest id of a millisecond belongs to that millisecond."""
    instant = from_epoch_ms(epoch_ms)

    assert time_of(floor_id(instant)) == instant


def test_ids_are_compared_as_numbers() -> None:
    """As text, 9 would be newer than 10."""
    assert is_newer(PostId("10"), PostId("9"))


@pytest.mark.parametrize("wrong", ["", "12a", "-1", "\uff11\uff12"])
def test_what_is_no_number_is_no_id_of_a_post(wrong: str) -> None:
    """An id is decimal digits of ASCII and nothing else."""
    with pytest.raises(ValueError, match="not an id"):
        time_of(PostId(wrong))


@given(failures=st.integers(1, 10_000), drawn=st.floats(0, 1, exclude_max=True))
def test_a_wait_is_bounded_and_jittered_over_its_whole_length(failures: int, drawn: float) -> None:
    """Full jitter: from zero up to the bound, which doubles up to the cap."""
    wait = backoff_s(failures=failures, base_s=15, cap_s=900, draw=lambda: drawn)

    assert wait == pytest.approx(min(900, 15 * 2 ** (min(failures, 32) - 1)) * drawn)


def test_a_lease_is_longer_than_what_a_release_needs() -> None:
    """A claim that was just renewed can always release."""
    assert DEFAULT_POLICY.lease_s > DEFAULT_POLICY.release_lease_left_s


@pytest.mark.parametrize(("late_s", "missed"), [(-10, False), (3600, False), (3601, True)])
def test_a_job_is_missed_when_it_is_late_by_more_than_it_may(late_s: int, missed: bool) -> None:  # noqa: FBT001 - a column of the table
    """To the second of the bound it is still sent."""
    now = NOON + timedelta(seconds=late_s)

    assert is_missed(due_at=NOON, now=now, late_s_max=3600) is missed
