"""The verdict of a look: which of the posts it read is ours, if one is, and why.

Pure. Confirms only a single post that passes every gate, with a strong link and an equal text (or
our marker), that no other post and no other open job comes near. All else that may be ours goes
to a person, ranked. Called by reconciliation, by `postproof match` and by `postproof explain`.
"""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

from agent.domain.matching import reasons
from agent.domain.matching.beside import competitors, siblings_fitted
from agent.domain.matching.case import BESIDE, Case, Contender, is_excluded, may_be_ours, passes
from agent.domain.matching.comparison import RANK, as_linked_by_x, compare, target_of
from agent.domain.matching.gates import Sieve, span_of
from agent.domain.matching.link_fit import LinkFit, fit_of
from agent.domain.matching.readings import one_of_each
from agent.domain.matching.terms import EXCLUDING, Assessment, Gate, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent.domain.ids import PostId
    from agent.domain.matching.comparison import Target
    from agent.domain.matching.policy import MatchPolicy
    from agent.domain.matching.terms import SeenPost, Wanted


class MatchRefused(ValueError):  # noqa: N818 - named for what happened, as every error here
    """There is more to compare than the bounds allow, or nothing; the message says what."""


def match(wanted: Wanted, posts: Sequence[SeenPost], policy: MatchPolicy) -> Verdict:
    """Tell which of the posts of a look is the job's, if one is.

    Args:
        wanted: the job in doubt; its first segment is the post that is looked for.
        posts: what the look read, in any order; a post read twice counts once.
        policy: the bounds in force.

    Raises:
        MatchRefused: more posts or open jobs than the bounds allow, or a job without a text.
    """
    _refuse_excess(wanted, posts, policy)
    target = target_of(wanted.segments[0], marker=wanted.marker)
    case = Case(wanted=wanted, target=target, policy=policy)
    contenders, rest = _sift(case, posts)
    passed = [one for one in contenders if passes(case, one, but=BESIDE)]
    if len(passed) == 1:
        asked = _asked_beside(case, passed[0], contenders)
        contenders[contenders.index(passed[0])] = asked
        passed = [asked]
    contenders.sort(key=lambda one: _rank(case, one), reverse=True)
    outcome, post_id, why = _conclude(case, contenders, passed, read_count=len(posts))
    candidates = (*map(reasons.assessed, contenders), *rest)
    return Verdict(outcome=outcome, id=post_id, reasons=why, candidates=candidates)


def _refuse_excess(wanted: Wanted, posts: Sequence[SeenPost], policy: MatchPolicy) -> None:
    if not wanted.segments:
        raise MatchRefused("the job has no text to look for")
    if len(posts) > policy.posts_max:
        raise MatchRefused(f"{len(posts)} posts are more than the {policy.posts_max} of one look")
    if len(wanted.open_siblings) > policy.siblings_max:
        raise MatchRefused(
            f"{len(wanted.open_siblings)} other open jobs are more than {policy.siblings_max}"
        )
    if any(len(segment.text) > policy.text_length_max for segment in wanted.segments):
        raise MatchRefused(f"the text is longer than {policy.text_length_max} characters")


def _sift(case: Case, posts: Sequence[SeenPost]) -> tuple[list[Contender], list[Assessment]]:
    """Part the posts into those compared and, in a long look, those that cannot be ours."""
    wanted, target, policy = case.wanted, case.target, case.policy
    span = span_of(wanted.attempt, wanted.now, policy)
    sieve = Sieve(wanted, span, kinds=case.kinds)
    compares_all = len(posts) <= policy.compared_max
    needed = [at for at, gate in enumerate(EXCLUDING) if gate in policy.needed_gates]
    blocking = itemgetter(*needed, *needed[:1])  # at least two, so that it gives a tuple
    contenders: list[Contender] = []
    rest: list[Assessment] = []
    for post, number, is_consistent in one_of_each(posts):
        answers = sieve.ask(post, number)
        if not compares_all:
            is_blocked = False in blocking(answers)
            if is_blocked or _has_another_link(target, post):
                rest.append(reasons.excluded(post, answers, has_other_link=not is_blocked))
                continue
        gates: dict[Gate, bool | None] = dict(zip(EXCLUDING, answers, strict=True))
        comparison = compare(target, post, policy)
        gates = gates | {Gate.ONE_READING: is_consistent} | dict(comparison.gates)
        contenders.append(Contender(post=post, number=number, gates=gates, comparison=comparison))
    return contenders, rest


def _has_another_link(target: Target, post: SeenPost) -> bool:
    if fit_of(target.links, post, ()) is not LinkFit.CONFLICT:
        return False
    as_linked = as_linked_by_x(target, post)
    return as_linked is target or fit_of(as_linked.links, post, ()) is LinkFit.CONFLICT


def _asked_beside(case: Case, one: Contender, contenders: list[Contender]) -> Contender:
    """Ask the gates that look beyond the post itself."""
    beside: dict[Gate, bool | None] = {
        Gate.NO_SIBLING: siblings_fitted(case, one) == 0,
        Gate.NO_COMPETITOR: not competitors(case, one, contenders),
    }
    return replace(one, gates=one.gates | beside)


def _rank(case: Case, one: Contender) -> tuple[bool, float, int, int]:
    is_open = not is_excluded(case, one) and one.comparison.fit is not LinkFit.CONFLICT
    score = one.comparison.scores.get("token_sort_ratio", 0.0)
    return is_open, score, RANK[one.comparison.grade], one.number or 0


def _conclude(
    case: Case, contenders: list[Contender], passed: list[Contender], *, read_count: int
) -> tuple[Outcome, PostId | None, tuple[str, ...]]:
    if len(passed) == 1 and passes(case, passed[0]):
        return Outcome.UNIQUE, passed[0].post.id, (reasons.why_unique(passed[0]),)
    likely = [one for one in contenders if one in passed or may_be_ours(case, one)]
    if not likely:
        return Outcome.NONE, None, (reasons.why_none(read_count),)
    return Outcome.AMBIGUOUS, None, reasons.why_ambiguous(case, likely, passed)
