"""A job in doubt and its posts while they are judged: what the modules of this package hand on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent.domain.matching.comparison import target_of
from agent.domain.matching.gates import span_of
from agent.domain.matching.link_fit import LinkFit
from agent.domain.matching.terms import EXCLUDING, Gate, Grade

if TYPE_CHECKING:
    from agent.domain.matching.comparison import Comparison, Target
    from agent.domain.matching.gates import Span
    from agent.domain.matching.policy import MatchPolicy
    from agent.domain.matching.terms import SeenPost, Wanted

# Not known, these do not stand in the way: a link behind its card, pictures on a page.
MAY_BE_UNKNOWN: Final = frozenset({Gate.LINK_PLACE, Gate.MEDIA})
# These look beyond the post itself; they are asked of those that nothing else stops.
BESIDE: Final = frozenset({Gate.NO_SIBLING, Gate.NO_COMPETITOR})


@dataclass(frozen=True, kw_only=True)
class Case:
    """A job in doubt, ready to be compared with."""

    wanted: Wanted
    target: Target
    policy: MatchPolicy

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds ours may show as: X makes a quote of a post with a link to another post."""
        quotes = any("/status/" in bare for bare in self.target.links.bare)
        is_quote = self.wanted.kind == "post" and quotes
        return frozenset({self.wanted.kind, "quote"} if is_quote else {self.wanted.kind})

    @cached_property
    def siblings(self) -> tuple[tuple[Span | None, tuple[Target, ...]], ...]:
        """The other open jobs: where an id of theirs must lie if that is known, and their texts."""
        return tuple(
            (
                span_of(one.attempt, self.wanted.now, self.policy) if one.attempt else None,
                tuple(target_of(segment, marker=None) for segment in one.segments),
            )
            for one in self.wanted.open_siblings
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Contender:
    """A post that was compared, with every gate asked so far."""

    post: SeenPost
    number: int | None
    gates: dict[Gate, bool | None]
    comparison: Comparison


def is_excluded(case: Case, one: Contender) -> bool:
    """Tell whether a post is not ours, whatever it says."""
    needed = case.policy.needed_gates
    return any(one.gates[gate] is False for gate in EXCLUDING if gate in needed)


def passes(case: Case, one: Contender, *, but: frozenset[Gate] = frozenset()) -> bool:
    """Tell whether a post passes all that a confirmation needs, some gates aside.

    What is not known is not passed, but for the few gates that may be unknown.
    """
    for gate in case.policy.needed_gates - but:
        passed = one.gates.get(gate)
        if passed is False or (passed is None and gate not in MAY_BE_UNKNOWN):
            return False
    grade, fit = one.comparison.grade, one.comparison.fit
    if fit is LinkFit.MARKER:
        return grade in case.policy.marker_grades
    if case.wanted.segments[0].link is None:
        return grade is Grade.EXACT
    return grade in case.policy.confirming_grades


def may_be_ours(case: Case, one: Contender) -> bool:
    """Tell whether a person should see the post before the doubt is settled."""
    fit, grade = one.comparison.fit, one.comparison.grade
    if is_excluded(case, one) or fit is LinkFit.CONFLICT:
        return False
    if fit in (LinkFit.STRONG, LinkFit.MARKER, LinkFit.MEDIUM):
        return True
    if grade is None or not case.target.form.normal:
        return fit is not LinkFit.MISSING
    return grade is not Grade.OTHER
