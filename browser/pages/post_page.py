"""A post's own page: the last check that it is there, ours, and says what it should."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browser import selectors
from browser.answers import read_posts
from browser.errors import Stopped
from browser.facts import ReadBack
from browser.pages.page import SITE, Page, settle
from browser.pages.posts import article_of, read_shown

if TYPE_CHECKING:
    from browser.facts import PostFacts
    from browser.selectors import Selector
    from browser.tab import Tab
    from browser.wire import Wire

DETAIL = ("TweetDetail", "TweetResultByRestId")


class PostPage(Page):
    """The page of one post, by the handle of its author and its id."""

    def __init__(self, tab: Tab, *, handle: str, post_id: str) -> None:
        super().__init__(tab)
        self.post_id = post_id
        self.permalink = f"{SITE}/{handle}/status/{post_id}"

    @property
    def address(self) -> str:
        """The permalink."""
        return self.permalink

    @property
    def article(self) -> Selector:
        """The post itself, among the others of its page."""
        return article_of(self.post_id)

    async def read(self) -> ReadBack:
        """Opens the page and reads the post; what went wrong is a fact, not an error."""
        try:
            async with self.tab.wire() as wire:
                wire.reads(*DETAIL)
                await self.tab.goto(self.permalink)
                await settle(self.tab)
                found, _way = await self.tab.first_of(
                    self.article,
                    selectors.ERROR_DETAIL,
                    within_ms=self.tab.policy.permalink_ms,
                )
                if found is selectors.ERROR_DETAIL:
                    return self._trouble("the page says that the post does not exist")
                post = self._answered(wire) or await self._shown()
        except Stopped as stopped:
            return self._trouble(str(stopped))
        if post is None:
            return self._trouble("the page shows other posts, but not this one")
        return ReadBack(permalink=self.permalink, post=post, trouble=None)

    def _answered(self, wire: Wire) -> PostFacts | None:
        posts = (post for reading in wire.readings for post in read_posts(reading.body))
        return next((post for post in posts if post.id == self.post_id), None)

    async def _shown(self) -> PostFacts | None:
        posts = await read_shown(self.tab)
        return next((post for post in posts if post.id == self.post_id), None)

    def _trouble(self, words: str) -> ReadBack:
        return ReadBack(permalink=self.permalink, post=None, trouble=words)
