"""A crash storm: posts of three accounts through random faults and random kills, to the end.

Run by `make faults`. Afterwards the ledger and the truth of
the simulated X agree on every post, and every doubt is settled or before a person.
"""

from __future__ import annotations

import random
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.e2e.world import BLOG, killed

if TYPE_CHECKING:
    from tests.e2e.world import Json, World

HANDLES = ("storm_ada", "storm_ben", "storm_cy")
POSTS = 60
ROUNDS_MAX = 40
PUBLISH_FAULTS = (
    "answer_lost_after_store",
    "answer_lost_before_store",
    "reset_after_store",
    "goaway_after_store",
    "error_500_after_store",
    "error_500_before_store",
    "empty_result_stored",
    "empty_result_not_stored",
    "no_toast",
    "toast_foreign_link",
    "graduated_access_redirect",
)
PROFILE_FAULTS = ("profile_error", "profile_partial")
WORDS = (
    *("amber", "bridge", "candle", "delta", "ember", "forest", "garden", "harbour", "island"),
    *("juniper", "kettle", "lantern", "meadow", "northern", "orchard", "pepper", "quartz"),
    *("river", "saffron", "timber", "umbrella", "velvet", "willow", "yonder", "zephyr"),
)
SETTLED = {"confirmed", "needs_manual", "not_sent"}
REASONS = {"not_found", "could_not_look"}


@dataclass(frozen=True, kw_only=True)
class Post:
    """A job of the storm, as the ledger and as the simulated X have it in the end."""

    job: Json
    there: tuple[Json, ...]

    @property
    def agrees(self) -> bool:
        """Confirmed is there once, at its permalink; not sent is not; a doubt has its reason."""
        match self.job["state"]:
            case "confirmed":
                return [post["id"] for post in self.there] == [self.job["remote_id"]]
            case "needs_manual":
                return len(self.there) <= 1 and self.job["code"] in REASONS
            case "not_sent":
                return not self.there
            case _:
                return False


@pytest.mark.long
def test_a_crash_storm_ends_with_ledger_and_truth_agreed(world: World) -> None:
    """No duplicate by us, no false confirmation, nothing lost, every doubt with its reason."""
    seed = random.SystemRandom().randrange(2**32)
    draw = random.Random(seed)  # noqa: S311 - to be drawn again from its seed
    jobs = _prepared(world, draw)

    _weather(world, draw)
    world.x.control("DELETE", "/faults")
    world.x.fault("no_rate_limits")
    while any(job["state"] not in SETTLED for job in world.ok("list").json()):
        world.run()

    truth = world.x.truth(origin="web")
    posts = [_post(world, job_id, truth) for job_id in jobs]
    assert [(seed, post) for post in posts if not post.agrees] == []
    assert len(truth) == sum(len(post.there) for post in posts)
    assert world.ok("audit", "verify").json()["is_whole"]


def _prepared(world: World, draw: random.Random) -> list[str]:
    world.looks_soon()
    world.x.fault("no_rate_limits")
    for handle in HANDLES:
        world.sign_in(handle)
        old = {"author": handle, "text": "Something old.", "age_s": 90_000}
        world.x.control("POST", "/posts", old)
    return [
        world.prepare(
            HANDLES[number % len(HANDLES)],
            f"{' '.join(draw.sample(WORDS, 9))} {number}",
            f"{BLOG}/storm/{number}",
        )
        for number in range(POSTS)
    ]


def _weather(world: World, draw: random.Random) -> None:
    """Runs the daemon through faults and kills until most is settled, or the rounds are over."""
    for _round in range(ROUNDS_MAX):
        for handle in HANDLES:
            fault = draw.choice(PUBLISH_FAULTS)
            world.x.fault(fault, on="CreateTweet", account=handle, times=1)
            world.x.fault(draw.choice(PROFILE_FAULTS), account=handle, times=1)
        daemon = world.started()
        with suppress(subprocess.TimeoutExpired):
            daemon.wait(timeout=draw.uniform(1.0, 12.0))
        killed(daemon)
        if all(job["state"] in SETTLED for job in world.ok("list").json()):
            return


def _post(world: World, job_id: str, truth: list[Json]) -> Post:
    job = world.show(job_id)
    text = job["segments"][0]["text"]
    return Post(job=job, there=tuple(post for post in truth if post["text"] == text))
