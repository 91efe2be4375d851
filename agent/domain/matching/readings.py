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


def one_of_each(posts: Sequence[SeenPost]) -> Iterator[tuple[SeenPost, int | None, bool]]:
    """Yield each post once, with its id as a number and whether its readings agree."""
    firsts: dict[int, SeenPost] = {}
    again: dict[int, list[SeenPost]] = {}
    without_id = []
    for post in posts:
        number = id_number(post.id)
        if number is None:
            without_id.append(post)
        elif firsts.setdefault(number, post) is not post:
            again.setdefault(number, []).append(post)
    for number, first in firsts.items():
        if number in again:
            yield _merged(number, [first, *again[number]])
        else:
            yield first, number, True
    for post in without_id:
        yield post, None, True


def _merged(number: int, same: list[SeenPost]) -> tuple[SeenPost, int, bool]:
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
    return replace(first, **known), number, is_consistent


def _telling(post: SeenPost) -> tuple[object, ...]:
    return post.author_id, post.kind, post.text, post.truncated


_FILLED: Final = tuple(
    one.name for one in fields(SeenPost) if one.name not in ("id", "source", "text", "links")
)
