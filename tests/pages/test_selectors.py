"""Every selector, in each of its ways, is found in a saved page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser import selectors
from browser.scripts import PRESENT
from tests.pages.saved_cases import PAGES

if TYPE_CHECKING:
    from tests.pages.conftest import Shelf

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEEN_IN = {
    "account button": "home",
    "link to the own profile": "home",
    "sign-in page": "sign_in",
    "challenge": "challenge_frame",
    "app shell before its scripts have run": "shell_loading",
    "scripts did not load": "scripts_failed",
    "composer dialog": "composer_written",
    "editor": "composer_written",
    "post button": "composer_written",
    "counter": "composer_in_trouble",
    "attachments": "composer_in_trouble",
    "error callout": "composer_in_trouble",
    "open type-ahead": "composer_in_trouble",
    "dialog that is not the composer": "composer_in_trouble",
    "question with two answers": "composer_in_trouble",
    "close button of a sheet": "composer_in_trouble",
    "toast": "home",
    "post": "profile_own",
    "permalink of a post": "profile_own",
    "text of a post": "profile_own",
    "quoted post": "profile_own",
    "author line of a post": "profile_own",
    "line above a post": "profile_own",
    "link card": "profile_own",
    "show more": "profile_own",
    "media of a post": "profile_own",
    "edit profile button": "profile_own",
    "empty state": "profile_empty",
    "page that does not exist": "post_gone",
    "main column": "profile_own",
    "tab of the replies": "profile_own",
    "cell of a timeline": "profile_own",
}


@pytest.mark.parametrize(("selector", "page"), SEEN_IN.items(), ids=SEEN_IN.keys())
async def test_a_selector_is_found_in_a_saved_page(shelf: Shelf, selector: str, page: str) -> None:
    """By its first way, in the page that is named beside it."""
    wanted = next(one for one in selectors.ALL if one.name == selector)

    tab = await shelf.show(PAGES[page])

    assert await tab.way(wanted) == wanted.ways[0]


async def test_the_table_names_every_selector() -> None:
    """A new selector comes with the page in which it is found."""
    assert set(SEEN_IN) == {selector.name for selector in selectors.ALL}


async def test_every_fall_back_is_found_in_some_saved_page(shelf: Shelf) -> None:
    """A way that no page ever showed is a guess and does not stay."""
    wanted = {way for selector in selectors.ALL for way in selector.ways}

    for case in PAGES.values():
        tab = await shelf.show(case)
        for way in sorted(wanted):
            if await tab._page.locator(way).count():
                wanted.discard(way)

    assert wanted == set()


async def test_a_selector_that_is_not_there_is_none(shelf: Shelf) -> None:
    """Nothing is made up, and what is hidden is not there."""
    tab = await shelf.show(PAGES["shell_loading"])

    assert await tab.run(PRESENT, [selectors.SCRIPT_FAILURE.ways]) is None
    assert await tab.way(selectors.EDITOR) is None
