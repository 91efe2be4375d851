"""What the matcher makes of the labelled cases, and what each gate is worth.

`python -m tests.matching_cases` prints it. The one module here that knows the matcher.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent.cli.match_files import IntentShape, PostShape
from agent.domain.matching.policy import MatchPolicy
from agent.domain.matching.terms import Gate, Grade, Outcome
from agent.domain.matching.verdict import match
from tests.matching_cases import families, single_gates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent.domain.matching.terms import SeenPost, Wanted
    from tests.matching_cases.families import Made

# How often each family is drawn. A look reads X's answers, so that what only a page shows, and
# what a person has to decide by the rule itself, is the smaller part.
FAMILIES: dict[Callable[[random.Random], Made], int] = {
    families.plain: 8,
    families.absent: 3,
    families.template_twins: 6,
    families.one_word_changed: 6,
    families.the_opposite: 6,
    families.one_number_changed: 6,
    families.one_sign_changed: 6,
    families.by_hand: 6,
    families.other_links: 6,
    families.link_elsewhere: 4,
    families.old_twins: 6,
    families.other_kinds: 6,
    families.other_accounts: 6,
    families.near_siblings: 6,
    families.same_siblings: 1,
    families.marked_siblings: 4,
    families.twice: 3,
    families.taken: 4,
    families.without_link: 6,
    families.otherwise_read: 6,
    families.edited: 1,
    families.behind_a_card: 2,
    families.long_posts: 4,
    families.show_more: 1,
    families.threads: 4,
    families.unknown_facts: 2,
    single_gates.just_before_the_baseline: 3,
    single_gates.while_composing: 3,
    single_gates.other_pictures: 3,
    single_gates.read_twice: 1,
    single_gates.cut_where_ours_ends: 2,
    single_gates.half_read: 1,
}


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A case ready for the matcher, and the truth."""

    family: str
    seed: str
    wanted: Wanted
    posts: tuple[SeenPost, ...]
    ours: frozenset[str]


@dataclass(kw_only=True)
class Tally:
    """What came of the cases of one family.

    Attributes:
        cases: how many.
        with_ours: those with exactly one post of ours, which could be confirmed.
        confirmed: those of them that were.
        manual: those of them that go to a person though ours is there: needless work.
        lost: those of them in which nothing was found.
        asked: those without ours, or with two, that go to a person.
        false: confirmations of a post that is not ours, or of one of two.
        false_seeds: by which the false ones can be made again.
    """

    cases: int = 0
    with_ours: int = 0
    confirmed: int = 0
    manual: int = 0
    lost: int = 0
    asked: int = 0
    false: int = 0
    false_seeds: list[str] = field(default_factory=list)

    @property
    def manual_pct(self) -> float:
        """The share of the cases with one post of ours that a person has to settle."""
        return 100 * self.manual / self.with_ours if self.with_ours else 0.0


def labelled_cases(seed: int, count: int) -> Iterator[Labelled]:
    """Yield so many cases; the same seed yields the same ones."""
    makers, weights = zip(*FAMILIES.items(), strict=True)
    order = random.Random(seed).choices(makers, weights=weights, k=count)  # noqa: S311 - for variety
    for number, maker in enumerate(order):
        yield labelled(maker, f"{seed}/{number}")


def labelled(maker: Callable[[random.Random], Made], seed: str) -> Labelled:
    """Return the case that a family makes of a seed."""
    made = maker(random.Random(seed))  # noqa: S311 - for variety
    wanted = IntentShape.model_validate_json(_json(made.intent)).as_domain()
    return Labelled(
        family=maker.__name__,
        seed=seed,
        wanted=replace(wanted, marker=made.marker),
        posts=tuple(PostShape.model_validate_json(_json(post)).as_domain() for post in made.posts),
        ours=made.ours,
    )


def tallied(cases: Iterable[Labelled], policy: MatchPolicy) -> dict[str, Tally]:
    """Return what the matcher makes of the cases, by family, in the order of the families."""
    tallies = {maker.__name__: Tally() for maker in FAMILIES}
    for case in cases:
        _count(tallies[case.family], case, policy)
    return {name: tally for name, tally in tallies.items() if tally.cases}


def total(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies."""
    whole = Tally()
    for tally in tallies:
        for name in ("cases", "with_ours", "confirmed", "manual", "lost", "asked", "false"):
            setattr(whole, name, getattr(whole, name) + getattr(tally, name))
        whole.false_seeds += tally.false_seeds
    return whole


def ablations() -> Iterator[tuple[str, MatchPolicy]]:
    """Yield the policy in force, then each one that lacks a gate or a rule."""
    policy = MatchPolicy()
    yield "all gates", policy
    for gate in Gate:
        yield f"without {gate}", replace(policy, needed_gates=policy.needed_gates - {gate})
    grades = frozenset({Grade.EXACT, Grade.LETTERS, Grade.NEAR})
    near = replace(policy, confirming_grades=grades)
    yield "near text confirms", near
    yield "near text at 99 % confirms", replace(near, near_pct_min=99.0)
    yield "exact text only", replace(policy, confirming_grades=frozenset({Grade.EXACT}))


def _count(tally: Tally, case: Labelled, policy: MatchPolicy) -> None:
    verdict = match(case.wanted, case.posts, policy)
    tally.cases += 1
    could_be = len(case.ours) == 1
    tally.with_ours += could_be
    outcomes = Counter({verdict.outcome: 1})
    if outcomes[Outcome.UNIQUE] and not (could_be and verdict.id in case.ours):
        tally.false += 1
        tally.false_seeds.append(f"{case.family} {case.seed}")
    elif could_be:
        tally.confirmed += outcomes[Outcome.UNIQUE]
        tally.manual += outcomes[Outcome.AMBIGUOUS]
        tally.lost += outcomes[Outcome.NONE]
    else:
        tally.asked += outcomes[Outcome.AMBIGUOUS]


def _json(value: object) -> str:
    return json.dumps(value)
