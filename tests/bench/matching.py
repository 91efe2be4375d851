"""The matcher: what it confirms wrongly, what it leaves to a person, and how long a look takes."""

from __future__ import annotations

import random
import secrets
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.cli.match_files import IntentShape, PostShape
from agent.domain.ids import PostId
from agent.domain.matching.policy import MatchPolicy
from agent.domain.matching.terms import Outcome
from agent.domain.matching.verdict import match
from tests.bench.rows import Row
from tests.matching_cases.measure import labelled_cases, tallied, total
from tests.matching_cases.world import new_draft, new_world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent.domain.matching.terms import SeenPost, Wanted
    from tests.matching_cases.measure import Tally

CASES = 20_000
POSTS = 10_000
IN_WINDOW = 30
ROUNDS = 9
LOOK_MS_MAX = 50.0
NEEDLESS_PCT_MAX = 10.0


def rows() -> Iterator[Row]:
    """All rows of the matcher."""
    yield from labelled_set()
    yield from long_look()


def labelled_set() -> Iterator[Row]:
    """Fresh labelled cases: two rows for all of them, and one for each family."""
    seed = secrets.randbelow(10**9)
    tallies = tallied(labelled_cases(seed, CASES), MatchPolicy())
    whole = total(tallies.values())
    fresh = f"{whole.cases} fresh labelled cases, seed {seed}"
    yield Row(
        name="match_false",
        value=whole.false,
        unit="false confirmations",
        goal="0",
        holds=whole.false == 0,
        how=f"{fresh}; {whole.confirmed} of {whole.with_ours} true ones confirmed, "
        f"{whole.lost} missed",
    )
    yield Row(
        name="match_needless",
        value=round(whole.manual_pct, 1),
        unit="% of the true ones to a person",
        goal=f"<= {NEEDLESS_PCT_MAX:g} %",
        holds=whole.manual_pct <= NEEDLESS_PCT_MAX,
        how=f"{fresh}; those that the rule itself gives to a person are counted too",
    )
    for name, tally in tallies.items():
        yield _family(name, tally)


def long_look() -> Iterator[Row]:
    """One look that read 10,000 posts of the account."""
    wanted, posts = _look(random.Random(1))  # noqa: S311 - for variety
    now = [
        replace(post, id=PostId(f"{int(posts[0].id or 0) + at}")) for at, post in enumerate(posts)
    ]
    yield _look_row("match_look", wanted, posts, f"{IN_WINDOW} of them in the window")
    yield _look_row("match_look_all_new", wanted, now, "all of them in the window")


def _family(name: str, tally: Tally) -> Row:
    return Row(
        name=f"match_{name}",
        value=tally.false,
        unit="false confirmations",
        goal="0",
        holds=tally.false == 0,
        how=f"{tally.cases} cases; of {tally.with_ours} true ones {tally.confirmed} confirmed, "
        f"{tally.manual} to a person ({tally.manual_pct:.1f} %), {tally.lost} missed; "
        f"of the others {tally.asked} to a person",
    )


def _look(rng: random.Random) -> tuple[Wanted, list[SeenPost]]:
    """Return a job and a profile of 10,000 promotions, ours the first of them."""
    world, draft = new_world(rng), new_draft(rng)
    world.posts.clear()
    world.show(world.stored(draft.typed()))
    for at in range(1, POSTS):
        after_s = rng.uniform(1, 25) if at < IN_WINDOW else -rng.uniform(200, 10**7)
        world.show(world.stored(new_draft(rng).typed(), after_s=after_s))
    intent = world.intent(draft.typed(), link=draft.link)
    wanted = IntentShape.model_validate(intent, strict=False).as_domain()
    return wanted, [PostShape.model_validate(post).as_domain() for post in world.posts]


def _look_row(name: str, wanted: Wanted, posts: list[SeenPost], which: str) -> Row:
    spent_ms = []
    for _ in range(ROUNDS):
        started = time.process_time()
        verdict = match(wanted, posts, MatchPolicy())
        spent_ms.append((time.process_time() - started) * 1000)
        if verdict.outcome is not Outcome.UNIQUE:
            raise RuntimeError(f"the look came to {verdict.outcome}; the figure would mean nothing")
    median_ms = sorted(spent_ms)[ROUNDS // 2]
    return Row(
        name=name,
        value=round(median_ms, 1),
        unit="ms",
        goal=f"<= {LOOK_MS_MAX:g} ms",
        holds=median_ms <= LOOK_MS_MAX,
        how=f"one verdict over {len(posts)} posts, {which}, beyond reading; processor time, "
        f"median of {ROUNDS}, the first {spent_ms[0]:.0f} ms",
    )
