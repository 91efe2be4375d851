"""Every saved page and answer is read as its directory says."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from browser.answers import error_codes, has_timeline, read_created, read_posts
from browser.pages import composer
from browser.pages.page import CSS
from browser.pages.posts import read_shown
from browser.scripts import COMPOSER, PAGE_STATE
from tests.pages.saved_cases import ANSWERS, PAGES, SavedCase

if TYPE_CHECKING:
    from browser.facts import PostFacts
    from tests.pages.conftest import Shelf

KEYS_OF_META = {"seen_on", "locale", "frozen_at", "origin"}


def _plain(posts: tuple[PostFacts, ...]) -> list[dict[str, Any]]:
    """Posts as they stand in expected.json."""
    plain = []
    for post in posts:
        one = asdict(post)
        one["links"] = list(one["links"])
        one["media_hrefs"] = list(one["media_hrefs"])
        one["created_at"] = post.created_at.isoformat() if post.created_at else None
        plain.append(one)
    return plain


@pytest.mark.parametrize("case", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_saved_answer_is_read_without_loss(case: SavedCase) -> None:
    """As many posts as the file holds, each as it should be, and the codes of its errors."""
    body = case.answer

    read = {
        "posts": _plain(read_posts(body)),
        "is_timeline": has_timeline(body),
        "codes": list(error_codes(body)),
    }
    created = asdict(read_created(status=200, body=body, failure=None))
    created = {**created, "codes": list(created["codes"]), "messages": list(created["messages"])}

    assert case.expected == {**read, **({"created": created} if _is_created(case) else {})}


def _is_created(case: SavedCase) -> bool:
    return "created" in case.expected


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("case", PAGES.values(), ids=PAGES.keys())
async def test_a_saved_page_is_read_as_it_looks(shelf: Shelf, case: SavedCase) -> None:
    """What page it is, which posts it shows, what its composer holds."""
    tab = await shelf.show(case)

    read = {
        "state": await tab.run(PAGE_STATE, CSS),
        "posts": _plain(await read_shown(tab)),
        "composer": await tab.run(COMPOSER, composer.CSS),
    }

    assert case.expected == {key: read[key] for key in case.expected}


@pytest.mark.parametrize("case", [*ANSWERS.values(), *PAGES.values()], ids=lambda case: case.name)
def test_a_saved_case_says_where_it_comes_from(case: SavedCase) -> None:
    """Date, locale, frozen time and origin are known, and a page has its address."""
    place = {"operation"} if case.name in ANSWERS else {"address"}

    assert set(case.meta) == KEYS_OF_META | place
