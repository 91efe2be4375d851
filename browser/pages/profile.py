"""The own profile page: what was posted last, before anything is typed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from browser import selectors
from browser.answers import error_codes, has_timeline, read_posts
from browser.errors import Stopped, TimedOut
from browser.facts import Baseline, Identity, StopCode
from browser.pages.page import Page

if TYPE_CHECKING:
    from browser.tab import Tab
    from browser.wire import Reading, Wire

TIMELINE = "UserTweets"
TOO_MANY_REQUESTS = 429
RATE_LIMIT_CODE = "88"


class ProfilePage(Page):
    """The Posts tab of an account's profile."""

    ADDRESS: ClassVar[str] = "/"

    def __init__(self, tab: Tab, identity: Identity) -> None:
        super().__init__(tab)
        self.identity = identity

    @property
    def address(self) -> str:
        """The profile's address; the handle is part of it."""
        return super().address + self.identity.handle

    async def open_watched(self, wire: Wire) -> None:
        """Opens the profile while the answer it fetches is watched for."""
        wire.reads(TIMELINE)
        await self.open()

    async def read_newest(self, wire: Wire) -> Baseline:
        """Reads the newest posts from the answer that the page itself has fetched.

        Raises:
            Stopped: Not the own profile, or a timeline that cannot be read.
        """
        self.must_be_here()
        reading = await self._timeline(wire)
        await self._must_be_own()
        posts = read_posts(reading.body)
        own = [int(post.id) for post in posts if post.author_id == self.identity.user_id]
        return Baseline(newest_id=str(max(own)) if own else None, posts=posts)

    async def _timeline(self, wire: Wire) -> Reading:
        try:
            async with asyncio.timeout(self.tab.policy.timeline_ms / 1000):
                while not wire.readings:
                    await wire.news.next()
        except TimeoutError:
            raise Stopped(
                StopCode.BASELINE_UNREADABLE,
                "the profile did not load its posts; look at it by hand, or let it try again",
            ) from None
        reading = wire.readings[0]
        codes = error_codes(reading.body)
        if reading.status == TOO_MANY_REQUESTS or RATE_LIMIT_CODE in codes:
            raise Stopped(
                StopCode.RATE_LIMITED, "X limits how often the profile is read; wait 15 minutes"
            )
        if not has_timeline(reading.body):
            raise Stopped(
                StopCode.BASELINE_UNREADABLE,
                f"the profile's posts came as status {reading.status}, codes {list(codes)}; "
                "look at it by hand, or let it try again",
            )
        return reading

    async def _must_be_own(self) -> None:
        try:
            await self.tab.first_of(selectors.OWN_PROFILE, within_ms=self.tab.policy.timeline_ms)
        except TimedOut as error:
            raise Stopped(
                StopCode.BASELINE_UNREADABLE,
                f"{self.address} is not shown as the own profile; look at it by hand",
            ) from error
