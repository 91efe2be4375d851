from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.simx.web.site import SimulatedX


def test_the_shell_becomes_the_app_after_the_told_delay(tab: Page, x: SimulatedX) -> None:
    """Before hydration only the placeholder stands; afterwards the app, the failure text hidden."""
    x.fault("hydration_ms", ms=700)

    tab.goto("https://x.com/home", wait_until="domcontentloaded")
    before = tab.locator("[data-testid]").count()
    tab.get_by_test_id("primaryColumn").wait_for()

    assert before == 0
    expect(tab.locator("#placeholder")).to_have_count(0)
    expect(tab.locator("#ScriptLoadFailure")).to_be_hidden()


def test_a_page_that_never_hydrates_keeps_its_placeholder(tab: Page, x: SimulatedX) -> None:
    """The fault never_hydrates leaves a page without a single test id."""
    x.fault("never_hydrates")

    tab.goto("https://x.com/home", wait_until="networkidle")

    expect(tab.locator("#placeholder")).to_be_visible()
    expect(tab.locator("[data-testid]")).to_have_count(0)


def test_a_failed_script_shows_the_shells_own_message(tab: Page, x: SimulatedX) -> None:
    """The fault script_load_failure makes the hidden form visible."""
    x.fault("script_load_failure")

    tab.goto("https://x.com/home")

    expect(tab.locator("#ScriptLoadFailure")).to_be_visible()
    expect(tab.locator("#ScriptLoadFailure input[type=submit]")).to_have_value("Try again")


def test_the_frame_says_who_is_signed_in(tab: Page) -> None:
    """The profile link, the account button and its picture name the account."""
    tab.goto("https://x.com/home")

    expect(tab.get_by_test_id("AppTabBar_Profile_Link")).to_have_attribute("href", "/ada")
    switcher = tab.get_by_test_id("SideNav_AccountSwitcher_Button")
    expect(switcher.get_by_test_id("UserAvatar-Container-ada")).to_be_visible()
    expect(switcher).to_contain_text("@ada")


@pytest.mark.parametrize(
    ("address", "path", "mark"),
    [
        pytest.param("/compose/tweet", "/compose/post", "tweetTextarea_0", id="older composer"),
        pytest.param("/nobody_at_all", "/nobody_at_all", "emptyState", id="no such account"),
        pytest.param("/ada/status/12345", "/ada/status/12345", "error-detail", id="no such post"),
        pytest.param("/a/b/c/d", "/a/b/c/d", "error-detail", id="no such page"),
        pytest.param("/ada", "/ada", "editProfileButton", id="own profile"),
        pytest.param("/notifications", "/notifications", "emptyState", id="notifications"),
    ],
)
def test_each_address_shows_its_page(tab: Page, address: str, path: str, mark: str) -> None:
    """Known, moved and unknown addresses end at the page that a person would see on X."""
    tab.goto(f"https://x.com{address}")

    tab.get_by_test_id(mark).first.wait_for()
    assert tab.url == f"https://x.com{path}"


def test_polish_pages_keep_their_test_ids(tab: Page) -> None:
    """The lang cookie changes labels and nothing a selector should rely on."""
    cookie = {"name": "lang", "value": "pl", "domain": ".x.com", "path": "/"}
    tab.context.add_cookies([{**cookie, "secure": True}])  # type: ignore[typeddict-item]  # a plain cookie

    tab.goto("https://x.com/compose/post")

    expect(tab.get_by_test_id("tweetButton")).to_have_text("Opublikuj wpis")
    expect(tab.get_by_test_id("AppTabBar_Home_Link")).to_have_attribute("aria-label", "Główna")


def test_pages_work_without_test_ids(tab: Page, x: SimulatedX) -> None:
    """The fault no_testids leaves roles, links and names for fall-back selectors."""
    x.fault("no_testids")

    tab.goto("https://x.com/compose/post")

    tab.locator("[role=dialog] [role=textbox][contenteditable=true]").last.wait_for()
    expect(tab.locator("[data-testid]")).to_have_count(0)
    expect(tab.locator('header[role=banner] nav a[href="/ada"]')).to_be_visible()


def test_overlays_come_and_go(tab: Page, x: SimulatedX) -> None:
    """The cookie bar and an interstitial sheet are shown, and closing them frees the page."""
    x.fault("cookie_bar")
    x.fault("interstitial", kind="premium")
    tab.goto("https://x.com/home")

    tab.get_by_test_id("sheetDialog").wait_for()
    tab.get_by_test_id("app-bar-close").click()
    tab.get_by_test_id("BottomBar").get_by_role("button").last.click()

    expect(tab.get_by_test_id("sheetDialog")).to_have_count(0)
    expect(tab.get_by_test_id("BottomBar")).to_have_count(0)


def test_back_returns_to_the_same_place_of_the_page(tab: Page) -> None:
    """Opening a post and going back keeps the timeline and its scroll position."""
    tab.goto("https://x.com/home")
    tab.locator("article").nth(4).scroll_into_view_if_needed()
    tab.mouse.wheel(0, 900)
    link = tab.locator("article a:has(time)").nth(3)
    link.scroll_into_view_if_needed()
    before = tab.evaluate("scrollY")

    link.click()
    tab.locator('article[tabindex="-1"]').wait_for()
    tab.go_back()

    tab.locator("main [data-testid=tweetTextarea_0]").wait_for(state="attached")
    assert before == tab.evaluate("scrollY")
