"""One post compared with one frozen post: the grade of the text, the links, and what else differs.

Used for the job itself and for each open job beside it. RapidFuzz ranks and finds what is near;
equality alone can confirm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from agent.domain.matching.link_fit import LinkFit, OurLinks, fit_of, our_links
from agent.domain.matching.normal_form import Form, form_of, weighted_length
from agent.domain.matching.readable import (
    frozen_text,
    linked_by_x,
    seen_text,
    with_unlinked,
    without_added_mentions,
)
from agent.domain.matching.terms import ANSWER, Gate, Grade

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent.domain.matching.policy import MatchPolicy
    from agent.domain.matching.terms import SeenPost, WantedSegment

RANK: Final[Mapping[Grade | None, int]] = {
    None: 0,
    Grade.OTHER: 0,
    Grade.NEAR: 1,
    Grade.LETTERS: 2,
    Grade.EXACT: 3,
}


@dataclass(frozen=True, kw_only=True)
class Target:
    """A frozen post, ready to be compared with many."""

    text: str
    form: Form
    links: OurLinks
    media_count: int | None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What comparing came to.

    Attributes:
        grade: None where the text of the post is not known.
        fit: how its links stand to ours.
        gates: those that need the text or the links.
        scores: RapidFuzz, 0 to 100.
        is_beginning: the text is a beginning of ours, long enough to tell.
    """

    grade: Grade | None
    fit: LinkFit
    gates: Mapping[Gate, bool | None]
    scores: Mapping[str, float]
    is_beginning: bool

    @property
    def may_be_exact(self) -> bool:
        """Whether all of it, links in their places and pictures, may equal ours."""
        if self.gates[Gate.LINK_PLACE] is False or self.gates[Gate.MEDIA] is False:
            return False
        if self.grade is None or self.grade is Grade.EXACT:
            return True
        return self.is_beginning and self.gates[Gate.WHOLE] is not True

    @property
    def fits(self) -> bool:
        """Whether text and links are ours, as far as is known."""
        telling = (Gate.LINK, Gate.LINK_PLACE, Gate.NUMBERS, Gate.SIGNS)
        has_text = RANK[self.grade] >= RANK[Grade.LETTERS]
        return has_text and all(self.gates[gate] is not False for gate in telling)


def target_of(segment: WantedSegment, *, marker: str | None) -> Target:
    """Return a frozen post, ready to be compared with many."""
    text, links = frozen_text(segment.text, segment.link)
    return Target(
        text=text,
        form=form_of(text),
        links=our_links(links, final=segment.link, marker=marker),
        media_count=segment.media_count,
    )


def as_linked_by_x(target: Target, post: SeenPost) -> Target:
    """Return a frozen post with its links as X sees them in this post; nearly always the same."""
    text, more = linked_by_x(target.text, post, target.links)
    if not more:
        return target
    links = target.links.and_more(more)
    return replace(target, text=text, form=form_of(text), links=links)


def compare(target: Target, post: SeenPost, policy: MatchPolicy) -> Comparison:
    """Compare a post with a frozen one."""
    has_excess = len(post.links or ()) > policy.links_max
    if has_excess:
        post = replace(post, links=(post.links or ())[: policy.links_max])
    if post.text is None or len(post.text) > policy.text_length_max:
        return _without_text(target, post, is_known=post.text is not None)
    target = as_linked_by_x(target, post)
    post = with_unlinked(post, target.links)
    text, strays = seen_text(post, target.links)
    if post.kind == "reply":
        text = without_added_mentions(text, target.text)
    fit = fit_of(target.links, post, strays)
    if has_excess and fit.passes:
        fit = LinkFit.UNKNOWN
    return _judged(target, post, form_of(text), fit, policy)


def _without_text(target: Target, post: SeenPost, *, is_known: bool) -> Comparison:
    """A text that is not known tells nothing; one far longer than any post is another one."""
    fit = fit_of(target.links, post, ())
    unknown = dict.fromkeys((Gate.LINK_PLACE, Gate.NUMBERS, Gate.SIGNS, Gate.WHOLE))
    return Comparison(
        grade=Grade.OTHER if is_known else None,
        fit=fit,
        gates={Gate.LINK: fit.passes, **unknown, Gate.MEDIA: _has_our_media(target, post)},
        scores={},
        is_beginning=False,
    )


def _judged(
    target: Target, post: SeenPost, theirs: Form, fit: LinkFit, policy: MatchPolicy
) -> Comparison:
    ours = target.form
    is_beginning = _is_beginning(ours, theirs, policy)
    whole = _is_whole(post, theirs, is_beginning=is_beginning, policy=policy)
    scores = _scores(ours, theirs, policy, is_cut=whole is False)
    grade = _grade(ours, theirs, policy, ratio=scores["ratio"], is_cut=whole is False)
    if grade is Grade.OTHER and whole is False and is_beginning:
        grade = Grade.NEAR
    return Comparison(
        grade=grade,
        fit=fit,
        gates={
            Gate.LINK: fit.passes,
            Gate.LINK_PLACE: _has_our_places(ours, theirs),
            Gate.NUMBERS: None if whole is False else ours.numbers == theirs.numbers,
            Gate.SIGNS: None if whole is False else _has_our_signs(ours, theirs),
            Gate.WHOLE: whole,
            Gate.MEDIA: _has_our_media(target, post),
        },
        scores=scores,
        is_beginning=is_beginning,
    )


def _grade(ours: Form, theirs: Form, policy: MatchPolicy, *, ratio: float, is_cut: bool) -> Grade:
    """Grade a text. An empty one is like nothing, also like another empty one."""
    if not ours.normal or not theirs.normal:
        return Grade.OTHER
    if not is_cut and ours.normal == theirs.normal:
        return Grade.EXACT
    if not is_cut and ours.letters and ours.letters == theirs.letters:
        return Grade.LETTERS
    return Grade.NEAR if ratio >= policy.near_pct_min else Grade.OTHER


def _scores(ours: Form, theirs: Form, policy: MatchPolicy, *, is_cut: bool) -> dict[str, float]:
    """Score two texts; a cut one is set against as much of ours."""
    left, right = (form.normal[: policy.scored_length_max] for form in (ours, theirs))
    if left == right:
        full = 100.0 if left else 0.0
        return {"ratio": full, "token_sort_ratio": full}
    if is_cut:
        left = left[: len(right)]
    return {
        "ratio": round(fuzz.ratio(left, right), 1),
        "token_sort_ratio": round(fuzz.token_sort_ratio(left, right), 1),
    }


def _is_beginning(ours: Form, theirs: Form, policy: MatchPolicy) -> bool:
    if len(theirs.normal) >= len(ours.normal) or ours.normal[:1] != theirs.normal[:1]:
        return False
    is_long_enough = weighted_length(theirs.letters) >= policy.cut_length_min
    return is_long_enough and ours.letters.startswith(theirs.letters)


def _is_whole(
    post: SeenPost, theirs: Form, *, is_beginning: bool, policy: MatchPolicy
) -> bool | None:
    """Tell whether the text is all of it. Only long posts are cut, and X marks it in an answer."""
    if post.truncated is not None:
        return not post.truncated
    if is_beginning and theirs.normal.endswith("..."):
        return False
    if post.source == ANSWER or weighted_length(theirs.normal) <= policy.whole_length_max:
        return True
    return None


def _has_our_places(ours: Form, theirs: Form) -> bool | None:
    """Tell whether the links stand where ours do; X shows a last one only as a card."""
    if ours.letters != theirs.letters:
        return None
    if ours.places == theirs.places:
        return True
    return None if theirs.places == ours.places[: len(theirs.places)] else False


def _has_our_signs(ours: Form, theirs: Form) -> bool:
    if ours.letters == theirs.letters:
        return ours.meaning == theirs.meaning
    return ours.signs == theirs.signs


def _has_our_media(target: Target, post: SeenPost) -> bool | None:
    """Tell whether it has as many pictures; a page does not show enough to count them."""
    if post.source != ANSWER or post.media_count is None or target.media_count is None:
        return None
    return post.media_count == target.media_count
