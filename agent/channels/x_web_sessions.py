"""The accounts' sessions on X: a person signs in, and who it is is looked up. Sends nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.domain.classification import STOP_RULES
from agent.domain.ids import UserId
from browser.facts import Stop
from browser.launch import find_browser, open_profile
from browser.session import check_session as browser_check
from browser.session import wait_for_sign_in

if TYPE_CHECKING:
    from pathlib import Path

    from agent.channels.x_web import XWebSettings
    from agent.domain.breaker import BreakerKind
    from agent.domain.ids import AccountId


class SignInFailed(Exception):  # noqa: N818 - named for what happened
    """Nobody signed in, or the page did not let anybody; the message says what to do."""


@dataclass(frozen=True, kw_only=True)
class SignedIn:
    """Who is signed in."""

    user_id: UserId
    handle: str


@dataclass(frozen=True, kw_only=True)
class Session:
    """What a look at an account's session found; `breaker` is what it shows to be wrong."""

    signed_in: SignedIn | None
    detail: str
    breaker: BreakerKind | None


async def sign_in(settings: XWebSettings, *, account_id: AccountId, wait_s: float) -> SignedIn:
    """Opens the account's profile at the sign-in page and waits for a person.

    Raises:
        SignInFailed: Nobody signed in within the time, or X did not let anybody.
        Stopped: No browser, or the profile is open elsewhere.
    """
    folder = settings.folder_of(account_id)
    async with open_profile(folder=folder, settings=settings.browser()) as profile:
        found = await wait_for_sign_in(profile, timeout_s=wait_s)
    if isinstance(found, Stop):
        raise SignInFailed(found.detail)
    return SignedIn(user_id=UserId(found.user_id), handle=found.handle)


async def check_session(settings: XWebSettings, *, account_id: AccountId) -> Session:
    """Opens the account's profile and looks whether its session holds.

    Raises:
        Stopped: No browser, or the profile is open elsewhere.
    """
    folder = settings.folder_of(account_id)
    async with open_profile(folder=folder, settings=settings.browser()) as profile:
        found = await browser_check(profile)
    if isinstance(found, Stop):
        rule = STOP_RULES.get(found.code.value)
        breaker = rule.breaker if rule else None
        return Session(signed_in=None, detail=found.detail, breaker=breaker)
    who = SignedIn(user_id=UserId(found.user_id), handle=found.handle)
    detail = f"signed in as @{who.handle}, user id {who.user_id}"
    return Session(signed_in=who, detail=detail, breaker=None)


async def probe_browser(settings: XWebSettings, *, folder: Path) -> str:
    """Starts the browser once with an empty profile and says which it is and how long it took.

    Raises:
        Stopped: It cannot be found or started.
    """
    executable = find_browser(settings.executable)
    began_s = time.monotonic()
    async with open_profile(folder=folder, settings=settings.browser()) as profile:
        await profile.user_id()
    return f"{executable}, started, asked and closed in {time.monotonic() - began_s:.1f} s"
