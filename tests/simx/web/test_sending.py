from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.simx.web.composer import Composer

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.simx.web.site import SimulatedX

LINK = "https://blog.example.org/posts/one?x=1"
TEXT = f"Über 🚀 <b> & 'q' 你好\n\nsecond line {LINK}"


@pytest.mark.editors("plain", "draft")
def test_what_was_written_is_what_is_sent(composer: Composer, x: SimulatedX) -> None:
    """One click makes one request, whose text is the editor's text to the letter."""
    composer.send(TEXT)

    composer.toast.wait_for()
    assert [post["text"] for post in x.sent()] == [TEXT]
    assert len(x.requests("CreateTweet")) == 1


def test_the_request_carries_the_headers_of_the_signed_in_client(composer: Composer) -> None:
    """Token, csrf value of the cookie, session kind and a transaction id are sent along."""
    with composer.tab.expect_request("**/CreateTweet") as waiting:
        composer.send("with headers")
    headers = waiting.value.headers
    cookies = {c.get("name"): c.get("value") for c in composer.tab.context.cookies()}

    assert headers["x-csrf-token"] == cookies["ct0"]
    assert headers["authorization"].startswith("Bearer ")
    assert headers["x-twitter-auth-type"] == "OAuth2Session"
    assert headers["x-client-transaction-id"]
    assert set(waiting.value.post_data_json or ()) == {"variables", "features", "queryId"}


def test_a_sent_post_closes_the_dialog_and_gives_a_toast_with_its_link(
    composer: Composer, x: SimulatedX
) -> None:
    """The address returns to /home, and the toast's link, hidden from roles, is the permalink."""
    composer.send("a first post")

    link = composer.toast.locator('a[href*="/status/"]')
    link.wait_for()
    expect(composer.toast).to_contain_text("Your post was sent.")
    assert link.get_attribute("href") == f"/ada/status/{x.sent()[0]['id']}"
    assert composer.toast.get_by_role("link").count() == 0
    expect(composer.dialog).to_have_count(0)
    assert composer.tab.url == "https://x.com/home"


def test_the_toast_lives_six_seconds(tab: Page) -> None:
    """By the page's own clock the toast is there after 4.5 s and gone after 6.5 s."""
    tab.clock.install()
    composer = Composer.open(tab)
    composer.send("soon gone")
    composer.toast.wait_for()

    tab.clock.fast_forward(4_500)
    is_there = composer.toast.count() == 1
    tab.clock.fast_forward(2_000)

    assert is_there
    expect(composer.toast).to_have_count(0)


def test_ctrl_enter_sends(composer: Composer, x: SimulatedX) -> None:
    """The key does what the button does, once."""
    composer.put("by key")

    composer.tab.keyboard.press("Control+Enter")

    composer.toast.wait_for()
    assert [post["text"] for post in x.sent()] == ["by key"]


def test_the_own_post_is_on_top_of_home_without_a_reload(composer: Composer) -> None:
    """The client puts its own post into the timeline of the tab."""
    composer.send("on top at once")

    composer.toast.wait_for()
    expect(composer.tab.locator("article").first).to_contain_text("on top at once")


def test_the_inline_composer_sends_and_clears(tab: Page, x: SimulatedX) -> None:
    """On /home the same ids stand in the page, and the button is the inline one."""
    tab.goto("https://x.com/home")
    editor = tab.locator("main").get_by_test_id("tweetTextarea_0")
    editor.click()
    tab.keyboard.insert_text("from the page")

    tab.get_by_test_id("tweetButtonInline").click()

    tab.get_by_test_id("toast").wait_for()
    expect(tab.get_by_test_id("tweetButtonInline")).to_be_disabled()
    assert [post["text"] for post in x.sent()] == ["from the page"]


def test_a_thread_is_sent_part_by_part(composer: Composer, tab: Page, x: SimulatedX) -> None:
    """Each part answers the one before; the toast links to the first."""
    composer.put("part one")
    composer.dialog.get_by_test_id("addButton").click()
    composer.dialog.get_by_test_id("tweetTextarea_1").wait_for()
    tab.keyboard.insert_text("part two")
    expect(composer.button).to_have_text("Post all")

    composer.button.click()

    composer.toast.wait_for()
    first, second = x.sent()
    assert (first["text"], second["text"]) == ("part one", "part two")
    assert second["reply"] == first["id"]
    expect(composer.toast.locator("a")).to_have_attribute("href", f"/ada/status/{first['id']}")


REFUSALS: list[Any] = [
    pytest.param(187, "Whoops! You already said that.", id="187"),
    pytest.param(186, "The text of your post exceeds the maximum allowed limit.", id="186"),
    pytest.param(226, re.compile("looks like it might be automated"), id="226"),
    pytest.param(344, re.compile("daily limit"), id="344"),
    pytest.param(131, re.compile("Something went wrong"), id="131"),
]


@pytest.mark.parametrize(("code", "words"), REFUSALS)
def test_a_refusal_is_shown_twice_and_keeps_the_text(
    composer: Composer, x: SimulatedX, code: int, words: str | re.Pattern[str]
) -> None:
    """Toast and callout name the reason; the dialog stays open with what was written."""
    x.fault("graphql_error", code=code)

    composer.send("not taken")

    expect(composer.callout).to_have_text(words)
    expect(composer.toast).to_have_text(words)
    assert composer.text() == "not taken"
    assert composer.tab.url == "https://x.com/compose/post"


@pytest.mark.parametrize(
    ("fault", "parameters", "address"),
    [
        pytest.param("graphql_error", {"code": 326}, "/account/access", id="locked"),
        pytest.param("signed_out", {"on": "CreateTweet"}, "/i/jf/onboarding/web", id="signed out"),
        pytest.param("graduated_access_redirect", {}, "/i/graduated-access", id="graduated"),
    ],
)
def test_some_answers_lead_to_another_page(
    composer: Composer, x: SimulatedX, fault: str, parameters: dict[str, Any], address: str
) -> None:
    """A lock, a dead session and the graduated access leave the composer behind."""
    x.fault(fault, **parameters)
    composer = Composer.open(composer.tab)

    composer.send("and then")

    composer.tab.wait_for_url(f"https://x.com{address}*")


def test_a_lost_answer_looks_like_any_failure(composer: Composer, x: SimulatedX) -> None:
    """The post is stored, yet the person is told to try again: the doubt that matters."""
    x.fault("answer_lost_after_store")

    composer.send("stored all the same")

    expect(composer.callout).to_contain_text("Something went wrong")
    assert [post["text"] for post in x.sent()] == ["stored all the same"]


@pytest.mark.parametrize(
    ("fault", "text", "href"),
    [
        pytest.param({"do": "toast_locale", "locale": "de"}, "Dein Post", "/ada/", id="language"),
        pytest.param({"do": "toast_foreign_link", "href": "/b/status/1"}, "sent", "/b/", id="link"),
    ],
)
def test_toasts_can_mislead(
    tab: Page, x: SimulatedX, fault: dict[str, Any], text: str, href: str
) -> None:
    """The scenario changes the toast's language or link."""
    x.fault(**fault)
    composer = Composer.open(tab)

    composer.send("misleading")

    expect(composer.toast).to_contain_text(text)
    expect(composer.toast.locator("a")).to_have_attribute("href", re.compile(f"^{href}"))


def test_no_toast_comes_when_the_scenario_takes_it(tab: Page, x: SimulatedX) -> None:
    """The dialog closes as after every sent post; nothing else tells of it."""
    x.fault("no_toast")
    composer = Composer.open(tab)

    composer.send("silent")

    expect(composer.dialog).to_have_count(0)
    expect(composer.toast).to_have_count(0)
    assert [post["text"] for post in x.sent()] == ["silent"]


def test_a_post_held_back_can_be_undone(tab: Page, x: SimulatedX) -> None:
    """With undo on, the toast has no link, and Undo brings the text back unsent."""
    x.fault("undo_send_ms", ms=60_000)
    composer = Composer.open(tab)
    composer.send("think again")
    expect(composer.toast).to_contain_text("Sending post...")
    expect(composer.toast.locator("a")).to_have_count(0)

    composer.toast.locator("button").click()

    composer.editor.wait_for()
    assert composer.text() == "think again"
    assert x.requests("CreateTweet") == []


def test_leaving_a_full_composer_asks_and_can_keep_a_draft(composer: Composer, tab: Page) -> None:
    """Save keeps the text as a draft that can be opened again."""
    composer.put("for later")
    composer.dialog.get_by_test_id("app-bar-close").click()
    expect(tab.get_by_test_id("confirmationSheetDialog")).to_contain_text("Save post?")

    tab.get_by_test_id("confirmationSheetConfirm").click()
    composer.toast.locator("a").click()
    tab.get_by_test_id("unsentTweet").click()

    composer.editor.wait_for()
    assert composer.text() == "for later"


def test_the_mask_beside_the_dialog_dismisses_an_empty_composer(composer: Composer) -> None:
    """A click on the transparent mask closes the dialog and returns to /home."""
    mask = composer.tab.get_by_test_id("twc-cc-mask")

    mask.click(position={"x": 8, "y": 8})

    expect(composer.dialog).to_have_count(0)
    assert composer.tab.url == "https://x.com/home"


def test_flipped_ids_are_flipped_in_dialog_and_page(tab: Page, x: SimulatedX) -> None:
    """The fault button_id_flip swaps the names of the two buttons."""
    x.fault("button_id_flip")

    composer = Composer.open(tab)

    expect(composer.dialog.get_by_test_id("tweetButtonInline")).to_be_visible()
    expect(composer.button).to_have_count(0)
