"""Who is signed in, and waiting while a person signs in. Nothing here types or clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browser import selectors
from browser.errors import Stopped, TimedOut
from browser.facts import Identity, Stop, StopCode
from browser.pages.home import Home
from browser.pages.page import who

if TYPE_CHECKING:
    from browser.profile import Profile


async def check_session(profile: Profile) -> Identity | Stop:
    """Opens the home page and tells who is signed in, or why nobody can work here."""
    try:
        async with profile.tab() as tab:
            home = Home(tab)
            await home.open()
            identity = await home.who(profile)
        await profile.save_session()
    except Stopped as stopped:
        return stopped.stop
    return identity


async def wait_for_sign_in(profile: Profile, *, timeout_s: float) -> Identity | Stop:
    """Opens X and waits until a person has signed in there, or is signed in already.

    X itself leads who is signed out to its sign-in page, and who is locked out or asked something
    to that page: whatever the person has to do is in the window.

    Args:
        profile: Opened with a window.
        timeout_s: How long the person has.

    Returns:
        Who signed in; or why nobody did.
    """
    try:
        async with profile.tab() as tab:
            await tab.goto(Home(tab).address)
            await tab.first_of(selectors.ACCOUNT_BUTTON, within_ms=timeout_s * 1000)
            identity = await who(profile, tab)
        await profile.save_session()
    except TimedOut:
        return Stop(
            code=StopCode.SIGNED_OUT,
            detail="nobody signed in within the time; run `postproof account login` again",
        )
    except Stopped as stopped:
        return stopped.stop
    return identity
