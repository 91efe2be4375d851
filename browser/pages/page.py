"""What every page of x.com has in common: an address, a state, and how to get there.

`settle` tells the healthy page from everything else that X may serve at the same address, and
stops with the account's trouble by name. Page text is data; nothing here acts on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from browser import selectors
from browser.errors import Stopped, TimedOut, UnknownPage
from browser.facts import Identity, StopCode
from browser.scripts import PAGE_STATE

if TYPE_CHECKING:
    from browser.profile import Profile
    from browser.tab import Tab

SITE = "https://x.com"
READY = "ready"

TROUBLE = {
    "signed_out": (
        StopCode.SIGNED_OUT,
        "X shows its sign-in page; sign in again with `postproof account login`",
    ),
    "locked": (
        StopCode.LOCKED,
        "X has locked the account; open x.com in a browser and follow what it asks",
    ),
    "challenge": (
        StopCode.CHALLENGE,
        "X asks for proof of a person; answer it in `postproof account login`",
    ),
    "never_hydrated": (
        StopCode.NEVER_HYDRATED,
        "X's scripts did not load; check the connection, then let it try again",
    ),
}
"""The states of a page that end an attempt. Source: x-web-facts §1, §6, seen 2026-09-28."""

CSS = {
    "accountButton": selectors.ACCOUNT_BUTTON.ways,
    "profileLink": selectors.PROFILE_LINK.ways,
    "signIn": selectors.SIGN_IN.ways,
    "challenge": selectors.CHALLENGE.ways,
    "scriptFailure": selectors.SCRIPT_FAILURE.ways,
}


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a page was seen to be. `handle` is who is signed in there."""

    state: str
    handle: str | None
    path: str


class Page:
    """A page of x.com in a tab. `ADDRESS` is its path."""

    ADDRESS: ClassVar[str]

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    @property
    def address(self) -> str:
        """The whole address of this page."""
        return SITE + self.ADDRESS

    def is_here(self) -> bool:
        """Whether the tab is at this page's address."""
        return self.tab.url.split("?")[0].rstrip("/").lower() == self.address.lower()

    async def open(self) -> Seen:
        """Goes to the page and waits until it is usable."""
        await self.tab.goto(self.address)
        return await self.loaded()

    async def loaded(self) -> Seen:
        """Waits until the page is usable.

        Raises:
            Stopped: It is another page; the code says which.
        """
        return await settle(self.tab)

    def must_be_here(self) -> None:
        """What each verb asks first.

        Raises:
            UnknownPage: The tab is somewhere else.
        """
        if not self.is_here():
            raise UnknownPage(
                f"expected {self.address}, the browser is at {self.tab.url}; "
                "look at the page by hand"
            )


async def look(tab: Tab) -> Seen | None:
    """What the page is now; None while it cannot be told."""
    found = await tab.run(PAGE_STATE, CSS)
    return None if found is None else Seen(**found)


async def settle(tab: Tab) -> Seen:
    """Waits until the page can be told; returns it when it is a healthy one.

    Raises:
        Stopped: Signed out, locked, challenged, never hydrated, or unknown.
    """
    try:
        found = await tab.until(
            PAGE_STATE, CSS, within_ms=tab.policy.hydrate_ms, doing="waiting for the page"
        )
    except TimedOut as error:
        if await tab.way(selectors.SHELL) is not None:
            raise Stopped(*TROUBLE["never_hydrated"]) from error
        raise UnknownPage(f"nothing known is at {tab.url}; look at the page by hand") from error
    seen = Seen(**found)
    if seen.state != READY:
        raise Stopped(*TROUBLE[seen.state])
    return seen


async def who(profile: Profile, tab: Tab) -> Identity:
    """Who is signed in, by two independent signs: the session's cookie and the profile link.

    Raises:
        Stopped: Signed out, or a sign is missing.
    """
    seen = await settle(tab)
    user_id = await profile.user_id()
    if user_id is None:
        raise Stopped(*TROUBLE["signed_out"])
    if seen.handle is None:
        raise UnknownPage("the page does not say who is signed in; look at it by hand")
    return Identity(user_id=user_id, handle=seen.handle)


async def must_be(profile: Profile, tab: Tab, expected: Identity) -> Identity:
    """Makes sure that the account signed in is the expected one.

    Raises:
        Stopped: It is another one, or none.
    """
    found = await who(profile, tab)
    if found.user_id != expected.user_id or found.handle.lower() != expected.handle.lower():
        raise Stopped(
            StopCode.WRONG_ACCOUNT,
            f"@{found.handle} ({found.user_id}) is signed in where @{expected.handle} "
            f"({expected.user_id}) belongs; sign in again with `postproof account login`",
        )
    return found
