"""Signing in is a person's work: the program opens the page, waits, and then looks who it is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from browser.facts import Stop, StopCode
from browser.session import wait_for_sign_in
from tests.browser.desk import Desk, identity
from tests.browser.waiting import until

if TYPE_CHECKING:
    from browser.profile import Profile
    from tests.simx.clients import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _signed_out(desk: Desk, person: Person) -> Profile:
    profile = await desk.profile(person)
    await profile._context.clear_cookies()
    return profile


async def test_the_program_waits_until_the_person_has_signed_in(desk: Desk) -> None:
    """It types nothing; once somebody is signed in it tells who, and keeps the session."""
    person = desk.person()
    profile = await _signed_out(desk, person)

    waiting = asyncio.ensure_future(wait_for_sign_in(profile, timeout_s=30))
    await until(lambda: "onboarding" in desk.page.url)
    await _sign_in_by_hand(desk, person)

    assert await waiting == identity(person)
    assert (profile._session_file).exists()


async def _sign_in_by_hand(desk: Desk, person: Person) -> None:
    page = desk.page
    await page.locator("input[name=username_or_email]").first.fill(identity(person).handle)
    await page.keyboard.press("Enter")
    await page.locator("input[name=password]").first.fill(str(person.account["password"]))
    await page.keyboard.press("Enter")


async def test_nobody_signing_in_is_told_as_such(desk: Desk) -> None:
    """When the time is over the account stays signed out."""
    profile = await _signed_out(desk, desk.person())

    found = await wait_for_sign_in(profile, timeout_s=0.5)

    assert isinstance(found, Stop)
    assert found.code is StopCode.SIGNED_OUT


async def test_a_window_that_is_closed_ends_the_waiting(desk: Desk) -> None:
    """The person changed their mind."""
    profile = await _signed_out(desk, desk.person())

    waiting = asyncio.ensure_future(wait_for_sign_in(profile, timeout_s=30))
    await until(lambda: "onboarding" in desk.page.url)
    await desk.page.close()

    found = await waiting
    assert isinstance(found, Stop)
    assert found.code is StopCode.BROWSER_DIED
