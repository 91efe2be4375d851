from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error, expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.simx.web.composer import Composer
    from tests.simx.web.site import SimulatedX

pytestmark = pytest.mark.editors("plain", "draft")

SHORT_TIMEOUT_MS = 500


@pytest.fixture(autouse=True)
def people(x: SimulatedX) -> None:
    """Have somebody to suggest."""
    x.ask("POST", "/accounts", {"handle": "adam_k", "name": "Adam K"})


@pytest.mark.parametrize("key", ["Enter", "Tab"])
def test_a_key_takes_the_first_suggestion(composer: Composer, tab: Page, key: str) -> None:
    """The first row is chosen from the start; Enter and Tab put it in place of the word."""
    composer.put("hello @adam")
    composer.suggestions.first.wait_for()
    expect(composer.suggestions.first).to_have_attribute("aria-selected", "true")

    tab.keyboard.press(key)

    assert composer.text() == "hello @adam_k "
    expect(composer.suggestions).to_have_count(0)


def test_the_mask_takes_a_click_meant_for_the_button(composer: Composer) -> None:
    """While suggestions are open no click reaches the button; the first only closes them."""
    composer.put("hello @adam")
    composer.suggestions.first.wait_for()

    with pytest.raises(Error, match="intercepts pointer events"):
        composer.button.click(timeout=SHORT_TIMEOUT_MS)
    composer.button.click(force=True)

    expect(composer.suggestions).to_have_count(0)
    expect(composer.editor).to_be_visible()


def test_escape_closes_the_list_and_nothing_else(composer: Composer, tab: Page) -> None:
    """Escape with an open list leaves the composer and its text as they are."""
    composer.put("hello @adam")
    composer.suggestions.first.wait_for()

    tab.keyboard.press("Escape")

    expect(composer.suggestions).to_have_count(0)
    assert composer.text() == "hello @adam"
    expect(tab.get_by_test_id("confirmationSheetDialog")).to_have_count(0)


def test_a_space_after_the_word_closes_the_list(composer: Composer, tab: Page) -> None:
    """The list follows the word at the caret."""
    composer.put("hello @adam")
    composer.suggestions.first.wait_for()

    tab.keyboard.type(" ")

    expect(composer.suggestions).to_have_count(0)
    assert composer.text() == "hello @adam "


def test_the_list_has_the_ids_of_the_real_one(composer: Composer) -> None:
    """The editor names the wrapper it controls, and the list stands in it."""
    composer.put("hello @adam")
    composer.suggestions.first.wait_for()

    wrapper = composer.editor.get_attribute("aria-controls")

    assert wrapper is not None
    assert wrapper.startswith("typeaheadDropdownWrapped-")
    expect(
        composer.tab.locator(f"#{wrapper} [id^=typeaheadDropdown-][role=listbox]")
    ).to_be_visible()
