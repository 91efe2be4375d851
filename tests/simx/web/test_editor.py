from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.simx.web.composer import Composer

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.simx.web.site import SimulatedX

LONG_LINK = "https://blog.example.org/" + "p" * 90
TEXTS = [
    pytest.param("A plain sentence.", id="plain"),
    pytest.param("One\n\nTwo\nThree", id="newlines"),
    pytest.param("今日は良い天気 これは長い文", id="japanese"),
    pytest.param("Up 🚀 family 👩‍👩‍👧 flag 🇵🇱 key 1️⃣ end", id="emoji"),
    pytest.param("Ship it 🚀", id="emoji last"),
    pytest.param(
        "See https://blog.example.org/posts/one?x=1#top, and #tags by @nobody.", id="names"
    ),
    pytest.param("  two  spaces  ", id="spaces"),
    pytest.param("é" * 279, id="long"),
]


@pytest.mark.editors("plain", "draft")
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_put_in_whole_is_read_back_whole(composer: Composer, text: str) -> None:
    """One insertion after a click gives exactly the text, and the button is enabled."""
    composer.put(text)

    assert text == composer.text()
    expect(composer.button).to_be_enabled()


@pytest.mark.editors("plain", "draft")
@pytest.mark.parametrize("text", TEXTS[1:4])
def test_filling_an_empty_editor_is_an_insertion(composer: Composer, text: str) -> None:
    """Playwright's fill on an empty editor gives exactly the text."""
    composer.editor.fill(text)

    assert text == composer.text()
    expect(composer.button).to_be_enabled()


@pytest.mark.editors("plain", "draft")
def test_select_all_and_insert_replaces(composer: Composer, tab: Page) -> None:
    """Ctrl+A and one insertion leave nothing of the text before."""
    composer.put("first 🚀 words\nin two lines")

    tab.keyboard.press("Control+a")
    tab.keyboard.insert_text("second words")

    assert composer.text() == "second words"


@pytest.mark.editors("plain", "draft")
def test_enter_makes_a_new_block(composer: Composer, tab: Page) -> None:
    """A typed Enter splits the block; Backspace at its start joins it again."""
    composer.editor.click()
    tab.keyboard.type("ab")
    tab.keyboard.press("Enter")
    tab.keyboard.type("cd")
    blocks = composer.editor.locator("[data-block=true]")

    expect(blocks).to_have_count(2)
    tab.keyboard.press("Home")
    tab.keyboard.press("Backspace")

    assert composer.text() == "abcd"
    expect(blocks).to_have_count(1)


@pytest.mark.editors("plain", "draft")
def test_an_emoji_is_deleted_as_one(composer: Composer, tab: Page) -> None:
    """Backspace after an emoji takes the whole of it."""
    composer.put("a🚀b")

    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("Backspace")

    assert composer.text() == "ab"


@pytest.mark.editors("plain", "draft")
def test_an_emptied_editor_shows_its_placeholder_and_disables_the_button(
    composer: Composer, tab: Page
) -> None:
    """Without text there is a placeholder and nothing to send."""
    composer.put("something")

    tab.keyboard.press("Control+a")
    tab.keyboard.press("Delete")

    expect(composer.dialog.locator(".public-DraftEditorPlaceholder-root")).to_be_visible()
    expect(composer.button).to_be_disabled()
    expect(composer.button).to_have_attribute("aria-disabled", "true")


@pytest.mark.editors("plain", "draft")
def test_the_editor_has_the_nodes_of_the_real_one(composer: Composer) -> None:
    """Blocks, offset keys, text marks and the attributes of the text box are there."""
    composer.put("words #tag")

    expect(composer.editor).to_have_attribute("aria-multiline", "true")
    expect(composer.editor).to_have_attribute("contenteditable", "true")
    expect(composer.editor).to_have_class("notranslate public-DraftEditor-content")
    marked = composer.editor.locator("[data-contents=true] [data-block=true] [data-text=true]")
    assert marked.all_inner_texts() == ["words ", "#tag"]
    expect(composer.dialog.get_by_test_id("tweetTextarea_0RichTextInputContainer")).to_be_visible()


SYNTHETIC = [
    pytest.param("document.execCommand('insertText', false, 'scripted')", id="execCommand"),
    pytest.param(
        "{const d = new DataTransfer(); d.setData('text/plain', 'scripted');"
        " document.activeElement.dispatchEvent(new ClipboardEvent('paste',"
        " {clipboardData: d, bubbles: true, cancelable: true}))}",
        id="synthetic paste",
    ),
]


@pytest.mark.parametrize("script", SYNTHETIC)
def test_synthetic_input_shows_text_and_enables_nothing(
    composer: Composer, tab: Page, script: str
) -> None:
    """Untrusted input changes the page's nodes only; the next real key brings the truth back."""
    composer.editor.click()

    tab.evaluate(f"() => {{ {script} }}")
    shown = composer.text()

    assert shown == "scripted"
    expect(composer.button).to_be_disabled()
    tab.keyboard.type("z")
    assert composer.text() == "z"


def test_synthetic_keys_and_insertions_change_nothing(composer: Composer, tab: Page) -> None:
    """Dispatched beforeinput and keydown events are not taken for typing."""
    composer.editor.click()

    tab.evaluate(
        "() => { const e = document.activeElement;"
        " e.dispatchEvent(new InputEvent('beforeinput',"
        " {inputType: 'insertText', data: 'q', bubbles: true, cancelable: true}));"
        " e.dispatchEvent(new KeyboardEvent('keydown', {key: 'q', bubbles: true})) }"
    )

    assert composer.text() == ""
    expect(composer.button).to_be_disabled()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("a" * 259, None, id="21 left: no number"),
        pytest.param("a" * 260, "20", id="20 left"),
        pytest.param("a" * 280, "0", id="none left"),
        pytest.param("a" * 281, "-1", id="one over"),
        pytest.param("字" * 141, "-2", id="wide signs weigh two"),
        pytest.param("🚀" * 140, "0", id="an emoji weighs two"),
        pytest.param("a" * 256 + f" {LONG_LINK}", "0", id="a link weighs 23"),
    ],
)
def test_the_counter_counts_as_x_does(composer: Composer, text: str, left: str | None) -> None:
    """The number appears for the last twenty and decides over the button when it is negative."""
    composer.put(text)

    number = composer.dialog.get_by_test_id("dual-phase-countdown-circle-text")
    expect(number).to_have_text(left) if left else expect(number).to_have_count(0)
    expect(composer.button).to_be_enabled(enabled=left is None or not left.startswith("-"))


def test_a_links_card_is_shown_until_it_is_closed(composer: Composer, x: SimulatedX) -> None:
    """A second after the link its card appears; closed, it stays away for that link."""
    x.ask("POST", "/cards", {"url": LONG_LINK, "title": "A long read"})
    composer.put(f"Read {LONG_LINK}")
    card = composer.dialog.get_by_text("A long read")
    card.wait_for()

    composer.dialog.get_by_role("button", name="Remove link preview").click()
    composer.editor.press("End")
    composer.tab.keyboard.insert_text(" again")

    expect(card).to_have_count(0)


@pytest.mark.editors("textarea")
def test_the_plain_text_box_of_narrow_screens_sends_as_well(
    composer: Composer, x: SimulatedX
) -> None:
    """A textarea has the same id, takes fill, and its text is what is sent."""
    composer.editor.fill("first\n\nsecond 🚀")
    expect(composer.editor).to_have_js_property("tagName", "TEXTAREA")

    composer.button.click()

    composer.toast.wait_for()
    assert [post["text"] for post in x.sent()] == ["first\n\nsecond 🚀"]


@pytest.mark.editors("plain", "draft")
def test_a_composed_word_is_taken_when_it_is_finished(composer: Composer, tab: Page) -> None:
    """Input through an input method reaches the text once, in place."""
    composer.put("before ")
    devtools = tab.context.new_cdp_session(tab)

    shape = {"text": "にほ", "selectionStart": 2, "selectionEnd": 2}
    devtools.send("Input.imeSetComposition", shape)
    devtools.send("Input.insertText", {"text": "日本"})
    tab.keyboard.insert_text(" after")

    expect(composer.editor).to_contain_text("after")
    assert composer.text() == "before 日本 after"


def test_a_stale_draft_is_there_and_can_be_replaced(tab: Page, x: SimulatedX) -> None:
    """The fault stale_draft restores a text, in the dialog, once."""
    x.fault("stale_draft", text="left over")

    composer = Composer.open(tab)

    assert composer.text() == "left over"
    composer.editor.click()
    tab.keyboard.press("Control+a")
    tab.keyboard.insert_text("fresh")
    assert composer.text() == "fresh"
