"""Every bound of the ledger, each with its reason, in one place.

Settings may override fields; nothing else in the code holds a number that decides how long, how
often or how many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The bounds in force.

    Attributes:
        lease_s: how long a claim holds the lane without renewal. Longer than the slowest answer
            that is waited for (120 s), so that a slow X lapses no lease.
        release_lease_left_s: what the lease must have left at the release. The time between the
            durable release and the first byte is milliseconds; a minute covers a stopped machine.
        attempts_max: counted tries of one job. Enough for a bad quarter of an hour, few enough
            that a job which kills its worker each time leaves the lane soon.
        backoff_base_s: the first wait before another try is drawn from zero to this; it doubles.
        backoff_cap_s: no wait is drawn from more than this.
        lapse_backoff_base_s: as `backoff_base_s`, after a worker died before the release: the
            trouble was ours, so the next try may come soon.
        spacing_s: the least time between two releases of an account, also after downtime. X
            counts in slices of half an hour and looks for bursts.
        late_s_max: a job late by more than this is missed. Half a day: a morning's announcement
            still goes out in the evening, never at night two days on.
        misses_per_claim_max: how many late jobs one claim sets aside; keeps its transaction short.
        look_after_s: when to look, counted from the click. Most lost answers show within seconds,
            a lagging profile within minutes; two hours cover X's bad evenings.
        look_jitter: each time of a look is drawn out by up to this part of it, so that looks of
            many accounts do not fall together.
        look_gap_s_min: two scheduled looks lie at least so far apart; a late first one does not
            run into the second.
        look_again_s: the wait for another look when the schedule has passed and too few looks
            were absent, as after downtime.
        looks_absent_min: fewer absent looks never hand a job to a person, inside the day. One may
            have read a stale copy, two the same one.
        look_span_s_min: the absent looks span at least so long; X's own caches live for minutes.
        look_within_s: after so long a job goes to a person whatever was seen: nobody should wait
            for more than a day.
        look_late_s: looking that began later than that, as after downtime, may still go on so long.
        look_void_after_s: the waits after void looks, by their number; the last one repeats. X
            counts reads in slices of fifteen minutes.
        looks_void_max: so many void looks hand a job to a person: what cannot be read by itself
            in half a day needs eyes.
        look_posts_kept_max: how many posts of a look are kept, the likeliest first.
        siblings_max: how many other open jobs a look is given; the matcher refuses more.
        clock_skew_s: how far X's clock and ours may lie apart, at the start of a window.
        twin_pct_min: a job whose text is at least so much like that of a job in doubt waits for
            it. Above the likeness of two posts of one template, below one changed word.
        quarantine_s: a person may rule a post absent only so long after the click. X has shown
            posts ten minutes late; an hour is far beyond, and short for a person.
        fresh_look_s_max: a ruling needs a look younger than this: long enough to read what it
            found and write a note.
        authorisation_s: how long a person's permission for one more try holds unless told.
        authorisation_s_max: and at most: the next day the question is another one.
        read_back_after_s: when a post whose page is owed is read, and the waits after each page
            that could not be read, by their number; then it is given up, and a person is told.
        watch_after_s: when a confirmed post is looked at again, counted from its confirmation. X
            removes what it removes mostly within minutes, the rest within a day.
        read_again_s: a post that is gone is read once more after this before it is believed.
        baseline_horizon_s: an unowned post with our link or text that is younger stops an
            attempt. Longer than X's own memory for duplicates and than a backup should be old.
        busy_timeout_ms: how long a write waits for another process. Longer than any transaction
            of ours, shorter than what is left of a lease.
        list_limit: how many jobs a listing returns unless told otherwise.
        message_batch_max: how many outbox messages are handed out at once.
        idle_horizon_s: `run --until-idle` stays for work that comes due within this. Longer than
            the first waits between tries, so that it does not leave in the middle of them.
        shutdown_s: after SIGTERM, attempts under way get this long to end by themselves.
        shutdown_cancel_s: after that they are called off, and get this long to write it down.
    """

    lease_s: int = 180
    release_lease_left_s: int = 60
    attempts_max: int = 6
    backoff_base_s: float = 15.0
    backoff_cap_s: float = 900.0
    lapse_backoff_base_s: float = 2.0
    spacing_s: int = 30
    late_s_max: int = 43_200
    misses_per_claim_max: int = 100
    look_after_s: tuple[int, ...] = (30, 120, 600, 1800, 7200)
    look_jitter: float = 0.1
    look_gap_s_min: int = 30
    look_again_s: int = 600
    looks_absent_min: int = 3
    look_span_s_min: int = 900
    look_within_s: int = 86_400
    look_late_s: int = 3600
    look_void_after_s: tuple[int, ...] = (30, 120, 900, 1800, 3600)
    looks_void_max: int = 12
    look_posts_kept_max: int = 200
    siblings_max: int = 201
    clock_skew_s: int = 5
    twin_pct_min: float = 90.0
    quarantine_s: int = 3600
    fresh_look_s_max: int = 900
    authorisation_s: int = 3600
    authorisation_s_max: int = 86_400
    read_back_after_s: tuple[int, ...] = (60, 300, 1800, 7200, 86_400)
    watch_after_s: tuple[int, ...] = (600, 86_400)
    read_again_s: int = 300
    baseline_horizon_s: int = 2_592_000
    busy_timeout_ms: int = 5000
    list_limit: int = 200
    message_batch_max: int = 100
    idle_horizon_s: float = 60.0
    shutdown_s: float = 85.0
    shutdown_cancel_s: float = 5.0


DEFAULT_POLICY: Final = Policy()


def backoff_s(*, failures: int, base_s: float, cap_s: float, draw: Callable[[], float]) -> float:
    """Return how long to wait before another try: exponential with full jitter.

    Args:
        failures: counted tries so far, from 1.
        base_s: the bound of the first wait.
        cap_s: the bound of every wait.
        draw: a source of numbers from 0 up to 1.
    """
    doublings = min(failures - 1, 32)  # beyond that every bound is the cap
    bound_s = min(cap_s, base_s * 2.0**doublings)
    return bound_s * draw()
