"""The tabs of the own profile as a look walks them: opened once, changed by their own link.

The list is scrolled as a person does it, with the wheel, in steps that overlap, while X unmounts
what is far away. Sheets of X's own that lie over it are closed by their own button; a question is
never answered.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from browser import selectors
from browser.errors import Stopped, TimedOut, UnknownPage, Voided
from browser.facts import StopCode
from browser.look_facts import VoidReason
from browser.pages.page import READY, TROUBLE, Page, look
from browser.pages.posts import article_of
from browser.scripts import HAS_SCROLLED, IS_LAID_OUT, PRESENT, SCROLLED_TO

if TYPE_CHECKING:
    from browser.facts import Identity
    from browser.policy import LookPolicy
    from browser.tab import Tab

PROFILE = "UserByScreenName"


@dataclass(frozen=True, kw_only=True)
class ProfileTab:
    """One tab: its name, the operation that its answers belong to, and where it lies."""

    name: str
    operation: str
    suffix: str


POSTS = ProfileTab(name="posts", operation="UserTweets", suffix="")
REPLIES = ProfileTab(name="replies", operation="UserTweetsAndReplies", suffix="/with_replies")
TABS = (POSTS, REPLIES)


class TimelinePage(Page):
    """One tab of an account's own profile."""

    def __init__(
        self, tab: Tab, *, identity: Identity, place: ProfileTab, policy: LookPolicy
    ) -> None:
        super().__init__(tab)
        self._identity, self._place, self._policy = identity, place, policy

    @property
    def address(self) -> str:
        """The tab's address; the handle is part of it."""
        return f"https://x.com/{self._identity.handle}{self._place.suffix}"

    async def turn_to(self) -> None:
        """Changes to this tab from another one of the profile, without loading a page.

        Raises:
            Stopped: Its link is not there, or cannot be clicked.
        """
        await self.tab.press("Home")
        link = await self.tab.way(selectors.REPLIES_TAB)
        if link is None:
            raise UnknownPage("the profile shows no tab of replies; look at it by hand")
        await self.tab.click(link, is_trial=False)

    async def must_be_own(self) -> None:
        """Makes sure that the profile is shown as the own one.

        Raises:
            Stopped: It is not.
        """
        await self.tab.first_of(selectors.OWN_PROFILE, within_ms=self.tab.policy.timeline_ms)
        self.must_be_here()

    async def glance(self) -> None:
        """Asks a page that loads whether it shows something else instead.

        Raises:
            Stopped: Another page, by name.
            Voided: A state without posts.
        """
        try:
            seen = await look(self.tab)
            found = await self.tab.run(
                PRESENT, [selectors.EMPTY_STATE.ways, selectors.ERROR_DETAIL.ways]
            )
        except UnknownPage:
            return  # it is on its way to another page; the next glance sees that one
        if seen is not None and seen.state != READY:
            raise Stopped(*TROUBLE[seen.state])
        if found is not None and found["which"] == 0:
            raise Voided(
                VoidReason.EMPTY_STATE,
                f"{self.address} shows no posts at all; look at it by hand",
            )
        if found is not None:
            raise Voided(
                VoidReason.UNKNOWN_PAGE, f"X says that {self.address} does not exist; look by hand"
            )

    async def shown(self, post_id: str) -> None:
        """Waits for a post; when it does not come, what the page has is read all the same."""
        with suppress(TimedOut):
            await self.tab.first_of(article_of(post_id), within_ms=self._policy.settle_ms)

    async def laid_out(self) -> None:
        """Waits until what is in view has been laid out; what has not is read all the same."""
        with suppress(TimedOut):
            await self.tab.until(
                IS_LAID_OUT,
                selectors.CELL.ways,
                within_ms=self._policy.settle_ms,
                doing="waiting for the cells in view",
            )

    async def scroll(self) -> bool:
        """Scrolls one step down; returns whether the page moved."""
        before = await self.tab.run(SCROLLED_TO)
        await self.tab.wheel(self._policy.scroll_px)
        with suppress(TimedOut):
            await self.tab.until(
                HAS_SCROLLED,
                {"from": before, "by": self._policy.scroll_px},
                within_ms=self._policy.scroll_ms,
                doing="scrolling",
            )
        return bool(await self.tab.run(SCROLLED_TO) > before + 1)

    async def clear_the_way(self) -> int:
        """Closes sheets of X's own, each by its own button; returns how many there were.

        Raises:
            Stopped: A question, or a dialog without that button, or too many.
        """
        for closed in range(self._policy.sheets_max + 1):
            if await self.tab.way(selectors.OTHER_DIALOG) is None:
                return closed
            close = await self.tab.way(selectors.SHEET_CLOSE)
            is_question = await self.tab.way(selectors.QUESTION) is not None
            if close is None or is_question or closed == self._policy.sheets_max:
                break
            await self.tab.click(close, is_trial=False)
        raise Stopped(
            StopCode.INTERSTITIAL,
            "X shows a dialog of its own over the profile; open x.com and answer it",
        )
