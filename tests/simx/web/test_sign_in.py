from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

VISIBLE_FORM = "form.sign-in:visible"


@pytest.fixture
def stranger(page: Page, ada: dict[str, Any]) -> Page:
    """Give a page without a session, while the account exists."""
    assert ada["handle"] == "ada"
    return page


def test_a_person_signs_in(stranger: Page, ada: dict[str, Any]) -> None:
    """/home leads to the form; name, Continue, password, Log in lead back to /home."""
    stranger.goto("https://x.com/home")
    assert "/i/jf/onboarding/web" in stranger.url
    form = stranger.locator(VISIBLE_FORM)

    form.locator("input[name=username_or_email]").fill("ada")
    form.get_by_role("button", name="Continue").click()
    form.locator("input[name=password]").fill(ada["password"])
    form.get_by_role("button", name="Log in").click()

    stranger.get_by_test_id("SideNav_AccountSwitcher_Button").wait_for()
    assert stranger.url == "https://x.com/home"
    assert {"auth_token", "ct0", "twid"} <= {c.get("name") for c in stranger.context.cookies()}


def test_a_wrong_password_is_told(stranger: Page) -> None:
    """The form stays, with a message."""
    stranger.goto("https://x.com/i/flow/login")
    form = stranger.locator(VISIBLE_FORM)
    form.locator("input[name=username_or_email]").fill("ada")
    form.get_by_role("button", name="Continue").click()
    form.locator("input[name=password]").fill("wrong")

    form.get_by_role("button", name="Log in").click()

    expect(form.get_by_role("alert")).not_to_be_empty()
    assert "/i/jf/onboarding/web" in stranger.url


def test_the_form_stands_twice_and_hides_its_password(stranger: Page) -> None:
    """Both copies are in the document; the password cannot be reached before Continue."""
    stranger.goto("https://x.com/i/flow/login")

    expect(stranger.locator("input[name=username_or_email]")).to_have_count(2)
    expect(stranger.locator("input[name=password]")).to_have_count(2)
    secret = stranger.locator(f"{VISIBLE_FORM} .secret")
    expect(secret).to_have_css("opacity", "0")
    expect(secret).to_have_css("pointer-events", "none")


def test_a_strangers_profile_page_is_the_other_front_end(stranger: Page) -> None:
    """Its scripts are those of x-web, and nothing of the signed-in frame is there."""
    stranger.goto("https://x.com/ada")

    assert stranger.locator('script[src*="/x-web/"]').count() == 1
    expect(stranger.get_by_test_id("SideNav_AccountSwitcher_Button")).to_have_count(0)
