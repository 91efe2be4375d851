"""Every selector, by its first way, is found in the simulated site as well as in a saved page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from browser import selectors
from tests.browser.desk import identity

if TYPE_CHECKING:
    from browser.selectors import Selector
    from browser.tab import Tab
    from tests.browser.desk import Desk
    from tests.simx.clients import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A page of the simulated site, what it is made to do, and what is then found there."""

    path: str
    found: tuple[Selector, ...]
    fault: str | None = None
    wishes: dict[str, object] = field(default_factory=dict)
    typed: str = ""
    has_posts: bool = True


SCENES = {
    "home": Scene(
        path="/home",
        found=(selectors.ACCOUNT_BUTTON, selectors.PROFILE_LINK, selectors.MAIN_COLUMN),
    ),
    "sign-in": Scene(path="/home", fault="signed_out", found=(selectors.SIGN_IN,)),
    "shell": Scene(path="/home", fault="never_hydrates", found=(selectors.SHELL,)),
    "scripts-failed": Scene(
        path="/home", fault="script_load_failure", found=(selectors.SCRIPT_FAILURE,)
    ),
    "composer": Scene(
        path="/compose/post",
        found=(selectors.DIALOG, selectors.EDITOR, selectors.POST_BUTTON),
    ),
    "composer-full": Scene(path="/compose/post", typed="x" * 281, found=(selectors.COUNTER,)),
    "type-ahead": Scene(path="/compose/post", typed="by @simx", found=(selectors.TYPEAHEAD,)),
    "sheet": Scene(
        path="/compose/post",
        fault="interstitial",
        found=(selectors.OTHER_DIALOG, selectors.SHEET_CLOSE),
    ),
    "profile": Scene(
        path="/{handle}",
        found=(
            *(selectors.ARTICLE, selectors.POST_LINK, selectors.POST_TEXT, selectors.USER_NAME),
            *(selectors.QUOTED, selectors.SOCIAL_CONTEXT, selectors.CARD, selectors.PHOTO),
            *(selectors.OWN_PROFILE, selectors.REPLIES_TAB, selectors.CELL),
        ),
    ),
    "show-more": Scene(path="/{handle}", fault="show_more", found=(selectors.SHOW_MORE,)),
    "empty": Scene(path="/{handle}", has_posts=False, found=(selectors.EMPTY_STATE,)),
    "gone": Scene(path="/{handle}/status/1", found=(selectors.ERROR_DETAIL,)),
}
ELSEWHERE = {
    selectors.CHALLENGE.name: "the simulation asks nobody for proof of a person",
    selectors.ATTACHMENTS.name: "media are attached in the tests of media",
    selectors.CALLOUT.name: "found by the test of refusals below",
    selectors.TOAST.name: "found by every test that sends",
    selectors.QUESTION.name: "found by the test of the Save-post question",
}


def _seed(desk: Desk, person: Person) -> None:
    handle = person.account["handle"]
    other = desk.x.control("POST", "/posts", {"author": "bo_reads", "text": "The quoted words"})
    for post in (
        {"text": "An old one", "pinned": True, "age_s": 90_000},
        {"text": "What he said", "quote_of": other["id"]},
        {"text": "A picture", "media_count": 1},
        {"text": "An essay " + "with many words " * 20 + "https://blog.example.org/essay"},
    ):
        desk.x.control("POST", "/posts", {"author": handle, **post})


async def _type(tab: Tab, text: str) -> None:
    _editor, way = await tab.first_of(selectors.EDITOR, within_ms=10_000)
    await tab.click(way, is_trial=False)
    await tab.insert(text)


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
async def test_the_selectors_of_a_scene_are_found_in_simx(desk: Desk, scene: Scene) -> None:
    """Each by its first way, on the page of the simulated site that is named beside it."""
    person = desk.person()
    if scene.has_posts:
        _seed(desk, person)
    if scene.fault:
        desk.x.fault(scene.fault, account=person.account["handle"], **scene.wishes)
    profile = await desk.profile(person)

    async with profile.tab() as tab:
        await tab.goto("https://x.com" + scene.path.format(handle=identity(person).handle))
        if scene.typed:
            await _type(tab, scene.typed)
        for selector in scene.found:
            _found, way = await tab.first_of(selector, within_ms=10_000)
            assert way == selector.ways[0]


async def test_every_selector_has_its_scene() -> None:
    """A new selector comes with a scene, or with the reason why it has none here."""
    seen = {selector.name for scene in SCENES.values() for selector in scene.found}

    assert seen | set(ELSEWHERE) == {selector.name for selector in selectors.ALL}
