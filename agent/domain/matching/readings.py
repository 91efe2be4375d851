"""One reading of each post: a look reads the same post in both tabs, from answers and from pages.

X's answer wins; what it leaves out is filled in from the page. Two answers that differ about one
post are not reconciled: the post is marked, and a person sees it.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

from agent.domain.matching.gates import id_number
from agent.domain.matching.terms import ANSWER, SeenPost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def one_of_each(posts: Sequence[SeenPost]) -> Iterator[tuple[SeenPost, bool]]:
    """Yield each post once, with whether the readings of its first source agree."""
    readings: dict[object, list[SeenPost]] = {}
    for at, post in enumerate(posts):
        number = id_number(post.id)
        readings.setdefault((at, None) if number is None else number, []).append(post)
    for same in readings.values():
        yield (same[0], True) if len(same) == 1 else _merged(same)


def _merged(same: list[SeenPost]) -> tuple[SeenPost, bool]:
    first = next((post for post in same if post.source == ANSWER), same[0])
    is_consistent = all(
        _telling(post) == _telling(first) for post in same if post.source == first.source
    )
    known = {
        name: value
        for name in _FILLED
        if getattr(first, name) is None
        for post in same
        if (value := getattr(post, name)) is not None
    }
    return replace(first, **known), is_consistent


def _telling(post: SeenPost) -> tuple[object, ...]:
    return post.author_id, post.kind, post.text, post.truncated


_FILLED: Final = tuple(
    one.name for one in fields(SeenPost) if one.name not in ("id", "source", "text", "links")
)
