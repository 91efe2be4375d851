"""Kills at random instants: never two posts, and what stopped before the release is resumed.

`make test` runs a few; `make faults` runs the long form. Each trial is one post of one account:
the daemon is started, its own process or its browser is killed with -9 after a random while, and
the daemon is run again to the end.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.e2e.world import IS_LONG, children_of, killed

if TYPE_CHECKING:
    from tests.e2e.world import Json, World

TRIALS = 44 if IS_LONG else 2
VICTIMS = ("agent", "browser")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One kill and what came of it."""

    seed: int
    number: int
    victim: str
    after_s: float
    job: Json
    stored: int

    @property
    def is_released_at_the_kill(self) -> bool:
        """Whether the first attempt had its release on record."""
        return bool(self.job["attempts"] and self.job["attempts"][0]["released_at"])

    @property
    def holds(self) -> bool:
        """One post and confirmed; before a person only if it left and is not there; never two."""
        if self.job["state"] == "confirmed":
            return self.stored == 1
        is_before_a_person = self.job["state"] == "needs_manual"
        return is_before_a_person and self.is_released_at_the_kill and self.stored == 0


def test_rows_15_16_31_kills_at_random_instants_never_make_two_posts(world: World) -> None:
    """Resumed if it was not released; else found by looking, or put before a person."""
    seed = random.SystemRandom().randrange(2**32)
    draw = random.Random(seed)  # noqa: S311 - to be drawn again from its seed
    span_s = _a_whole_post_s(world)

    trials = [_trial(world, draw, seed=seed, number=n, span_s=span_s) for n in range(TRIALS)]

    broken = [trial for trial in trials if not trial.holds]
    assert broken == []
    released = sum(trial.is_released_at_the_kill for trial in trials)
    confirmed = sum(trial.job["state"] == "confirmed" for trial in trials)
    print(f"seed {seed}: {TRIALS} kills, {released} behind the release, {confirmed} confirmed")  # noqa: T201 - the figure of the long run


def _a_whole_post_s(world: World) -> float:
    """Measures how long a post takes here, so that kills fall all over it."""
    world.looks_soon()
    world.sign_in("measured")
    world.prepare("measured", "How long does it take?")
    began = os.times().elapsed
    world.run()
    return os.times().elapsed - began


def _trial(world: World, draw: random.Random, *, seed: int, number: int, span_s: float) -> Trial:
    handle, victim = f"trial_{number}", draw.choice(VICTIMS)
    after_s = draw.uniform(0.0, span_s)
    world.sign_in(handle)
    world.x.control("POST", "/posts", {"author": handle, "text": "An old one.", "age_s": 90_000})
    link = f"https://blog.example.com/{handle}"
    job_id = world.prepare(handle, f"Trial {number} of a storm.", link)

    daemon = world.started()
    with suppress(subprocess.TimeoutExpired):
        daemon.wait(timeout=after_s)
    if victim == "agent":
        killed(daemon)
    else:
        for pid, line in children_of(daemon.pid).items():
            if "--remote-debugging-pipe" in line and "--type=" not in line:
                os.kill(pid, signal.SIGKILL)
        daemon.wait(timeout=170)
    world.run()

    job = world.show(job_id)
    stored = len(world.x.truth(author=handle, origin="web"))
    return Trial(seed=seed, number=number, victim=victim, after_s=after_s, job=job, stored=stored)
