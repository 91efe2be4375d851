"""Why a verdict is what it is, in sentences: for the person who decides, and for the log of a look.

The sentences name what was read and never quote it: a post's text is data, not an explanation.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from agent.domain.matching.beside import siblings_fitted
from agent.domain.matching.comparison import RANK
from agent.domain.matching.link_fit import LinkFit
from agent.domain.matching.terms import EXCLUDING, Assessment, Gate, Grade

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent.domain.matching.case import Case, Contender
    from agent.domain.matching.terms import SeenPost

DUPLICATE: Final = "duplicate"  # the mark of two posts of ours for one job
NAMED_MAX: Final = 5  # so many posts are named in a verdict; the list of candidates holds them all


def why_unique(one: Contender) -> str:
    """Say why a post is confirmed."""
    return (
        f"{one.post.id} alone passes every gate: text {one.comparison.grade}, "
        f"link {one.comparison.fit}"
    )


def why_none(read_count: int) -> str:
    """Say that a look found nothing that may be ours."""
    return f"none of the posts that were read ({read_count}) can be ours"


def why_ambiguous(case: Case, likely: list[Contender], passed: list[Contender]) -> tuple[str, ...]:
    """Say what stands in the way of a confirmation, the mark of a duplicate first."""
    why: list[str] = []
    ours = [one for one in likely if one.comparison.fits]
    jobs = 1 + (siblings_fitted(case, ours[0]) if ours else 0)
    if len(ours) > jobs:
        named = ", ".join(str(one.post.id) for one in ours[:NAMED_MAX])
        why += [DUPLICATE, f"{len(ours)} posts read like ours for {jobs} job(s): {named}"]
    elif len(passed) > 1:
        why.append(f"{len(passed)} posts pass every gate, for {jobs} open jobs that they fit")
    for one in (passed or likely[:1])[:NAMED_MAX]:
        why += [f"{one.post.id}: {sentence}" for sentence in _sentences(one)]
    if not passed and len(likely) > 1:
        why.append(f"more posts that may be ours: {len(likely) - 1}")
    return tuple(why)


def assessed(one: Contender) -> Assessment:
    """Return what is made of a post that was compared."""
    return Assessment(
        id=one.post.id,
        grade=one.comparison.grade,
        gates=one.gates,
        scores=one.comparison.scores,
        reasons=tuple(_sentences(one)),
    )


def excluded(
    post: SeenPost, answers: tuple[bool | None, ...], *, has_other_link: bool
) -> Assessment:
    """Return what is made of a post that is not compared, since it cannot be ours.

    Args:
        post: what was read.
        answers: what the cheap gates said, in the order of `EXCLUDING`.
        has_other_link: what excludes it is another link.
    """
    gates, why = _known_without_text(answers, has_other_link=has_other_link)
    return Assessment(id=post.id, grade=None, gates=gates, scores=_NO_SCORES, reasons=why)


def _sentences(one: Contender) -> Iterator[str]:
    yield from _gate_sentences(one.gates)
    comparison = one.comparison
    if comparison.fit.passes is not True:
        yield _LINK_SENTENCES[comparison.fit]
    if comparison.grade is None:
        yield "its text is not known"
    elif comparison.grade is Grade.LETTERS:
        yield "its text equals ours in letters and digits only"
    elif RANK[comparison.grade] < RANK[Grade.LETTERS]:
        yield f"its text is not ours, {comparison.scores.get('ratio', 0.0):g} % alike"
    if one.post.edited:
        yield "it was edited after it was posted"


@lru_cache(maxsize=4096)
def _known_without_text(
    answers: tuple[bool | None, ...], *, has_other_link: bool
) -> tuple[Mapping[Gate, bool | None], tuple[str, ...]]:
    """Return gates and reasons; posts of which the same is known share them."""
    gates: dict[Gate, bool | None] = dict(zip(EXCLUDING, answers, strict=True))
    why = tuple(_gate_sentences(gates))
    if has_other_link:
        gates[Gate.LINK] = False
        why += (_LINK_SENTENCES[LinkFit.CONFLICT],)
    return MappingProxyType(gates), why


def _gate_sentences(gates: Mapping[Gate, bool | None]) -> Iterator[str]:
    for gate, passed in gates.items():
        if passed is not True and gate in _SENTENCES:
            yield _SENTENCES[gate][0 if passed is False else 1]


_NO_SCORES: Final[Mapping[str, float]] = MappingProxyType({})
_LINK_SENTENCES: Final[Mapping[LinkFit, str]] = MappingProxyType(
    {
        LinkFit.MEDIUM: "its links are known in part only, and that part is ours",
        LinkFit.WEAK: "its link is known from the card's domain only, which is ours",
        LinkFit.UNKNOWN: "its links are not known",
        LinkFit.MISSING: "a link of ours is not in it",
        LinkFit.CONFLICT: "it has another link than ours",
    }
)

# For each gate: what it means that it failed, and that it is not known.
_SENTENCES: Final[Mapping[Gate, tuple[str, str]]] = MappingProxyType(
    {
        Gate.AUTHOR: (
            "another account wrote it",
            "who wrote it is not known by user id; open the post to see",
        ),
        Gate.KIND: (
            "it is of another kind: a repost, a quote, a reply or a post where ours is not one",
            "whether it is a post, a repost, a quote or a reply is not known",
        ),
        Gate.BASELINE: (
            "it was there before the attempt",
            "whether it was there before the attempt is not known",
        ),
        Gate.WINDOW: (
            "it was made before the click or lies in the future",
            "when it was made, or when the click was, is not known",
        ),
        Gate.NOT_TAKEN: (
            "it confirms another job already",
            "whether it confirms another job is not known: it has no usable id",
        ),
        Gate.ONE_READING: (
            "it was read twice from one source, and the readings differ",
            "it was read twice, and the readings could not be compared",
        ),
        Gate.LINK_PLACE: (
            "a link stands in another place of the text",
            "where its links stand is not known",
        ),
        Gate.NUMBERS: (
            "its numbers are others",
            "its numbers could not be compared: the text is not known in full",
        ),
        Gate.SIGNS: (
            "an emoji or another sign that carries meaning differs",
            "its signs could not be compared: the text is not known in full",
        ),
        Gate.WHOLE: (
            'its text is cut by "Show more"; open the post to read the rest',
            'whether its text is cut by "Show more" is not known; open the post',
        ),
        Gate.MEDIA: (
            "it has another number of pictures or videos",
            "how many pictures or videos it has is not known",
        ),
        Gate.NO_SIBLING: (
            "another open job of the account is fitted as well",
            "whether another open job is fitted as well is not known",
        ),
        Gate.NO_COMPETITOR: (
            "another post in the window is nearly the same",
            "whether another post is nearly the same is not known",
        ),
    }
)
