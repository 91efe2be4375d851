"""What stands beside a post: other open jobs that it fits as well, other posts that come near.

Asked only of a post that nothing else stops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.domain.matching.case import is_excluded
from agent.domain.matching.comparison import RANK, compare
from agent.domain.matching.link_fit import LinkFit
from agent.domain.matching.terms import Grade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent.domain.matching.case import Case, Contender
    from agent.domain.matching.comparison import Target
    from agent.domain.matching.gates import Span


def siblings_fitted(case: Case, one: Contender) -> int:
    """Return how many other open jobs of the account a post fits as well as it fits this one."""
    return sum(
        1
        for span, targets in case.siblings
        if _may_be_made_in(span, one.number)
        and any(_fits_as_well(case, target, one) for target in targets)
    )


def competitors(case: Case, one: Contender, contenders: Sequence[Contender]) -> list[Contender]:
    """Return the other posts that may as well be ours, as far as is known.

    A post whose text is exactly ours leaves behind those that are only near.
    """
    is_exact = one.comparison.grade is Grade.EXACT
    return [
        other
        for other in contenders
        if other is not one
        and not is_excluded(case, other)
        and other.comparison.fit.passes is not False
        and _is_near(case, other)
        and (not is_exact or other.comparison.may_be_exact)
    ]


def _may_be_made_in(span: Span | None, number: int | None) -> bool:
    """Tell whether an attempt may have made an id; when it was tried may not be known."""
    if span is None:
        return True
    return span.above_baseline(number) is not False and span.in_window(number) is not False


def _fits_as_well(case: Case, target: Target, one: Contender) -> bool:
    has_marker = one.comparison.fit is LinkFit.MARKER
    if has_marker and case.wanted.segments[0].link not in target.links.raw:
        return False
    other = compare(target, one.post, case.policy)
    return other.fits and RANK[other.grade] >= RANK[one.comparison.grade]


def _is_near(case: Case, one: Contender) -> bool:
    ratio = one.comparison.scores.get("ratio", 0.0)
    return ratio >= case.policy.competitor_pct_min or one.comparison.grade is not Grade.OTHER
