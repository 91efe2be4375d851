"""Every bound and threshold of the matcher, each with its reason, in one place.

The labelled set in `tests/matching_cases` justifies them; `docs/decisions/0010-matching.md` holds
the table of what each gate is worth. Nothing else in this package holds such a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agent.domain.matching.terms import Gate, Grade

ALL_GATES: Final = frozenset(Gate)


@dataclass(frozen=True, kw_only=True)
class MatchPolicy:
    """The bounds in force.

    Attributes:
        clock_skew_s: how far X's clock and ours may lie apart, at both ends of the window. Ids
            carry X's time to the millisecond; a machine without time service drifts by seconds.
        near_pct_min: texts at least this alike are near: a person sees them as candidates. One
            word changed in a post of fifteen stays above, two posts of one template stay above,
            unrelated posts of one writer lie below 60.
        competitor_pct_min: as alike as this, another post in the window stands in the way.
        whole_length_max: a text of a page with no more weighted characters than this is not cut by
            "Show more", so that an unknown cut is no doubt. X cuts near 280; links leave the text
            before it is measured, so half of that is kept to.
        cut_length_min: a cut text shorter than this is the beginning of unrelated posts too.
        compared_max: up to so many posts are all compared, the excluded as well, so that a person
            sees why; of more, only those that no gate has excluded. Far more than a look of a
            day's window reads, and 20 ms of work.
        scored_length_max: RapidFuzz sees this many characters of a long post; its cost grows with
            the square, and ranking needs no more. Equality is always told on the whole.
        posts_max: more posts than this are refused; a look reads a few hundred.
        text_length_max: a longer text is no post: X's own limit is 25,000, escaping may make it
            longer.
        links_max: a post with more links is compared by the first ones and never confirmed.
        siblings_max: more open jobs of one account than this are refused.
        needed_gates: what must be passed for a confirmation. All of them; the ablation takes
            single ones away to show what each is worth.
        confirming_grades: the grades of text that confirm beside a strong link.
        marker_grades: those that confirm beside our marker. A marker belongs to one intent, so
            that an edited text is still ours; another text is for a person.
    """

    clock_skew_s: float = 5.0
    near_pct_min: float = 80.0
    competitor_pct_min: float = 80.0
    whole_length_max: int = 140
    cut_length_min: int = 20
    compared_max: int = 500
    scored_length_max: int = 2000
    posts_max: int = 50_000
    text_length_max: int = 60_000
    links_max: int = 50
    siblings_max: int = 200
    needed_gates: frozenset[Gate] = ALL_GATES
    confirming_grades: frozenset[Grade] = frozenset({Grade.EXACT, Grade.LETTERS})
    marker_grades: frozenset[Grade] = frozenset({Grade.EXACT, Grade.LETTERS, Grade.NEAR})
