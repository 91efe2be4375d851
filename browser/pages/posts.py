"""Reads the posts that a page shows, live or saved, into facts."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from browser import selectors
from browser.facts import Link, PostFacts
from browser.scripts import POSTS
from browser.selectors import Selector

if TYPE_CHECKING:
    from browser.tab import Tab

CSS = {
    "article": selectors.ARTICLE.ways,
    "postLink": selectors.POST_LINK.ways,
    "postText": selectors.POST_TEXT.ways,
    "quoted": selectors.QUOTED.ways,
    "socialContext": selectors.SOCIAL_CONTEXT.ways,
    "card": selectors.CARD.ways,
    "showMore": selectors.SHOW_MORE.ways,
    "photo": selectors.PHOTO.ways,
    "userName": selectors.USER_NAME.ways,
}


async def read_shown(tab: Tab) -> tuple[PostFacts, ...]:
    """The posts in the page now, in its order. A list of X's shows only what is near the view."""
    return (await read_articles(tab))[0]


async def read_articles(tab: Tab) -> tuple[tuple[PostFacts, ...], int]:
    """The posts in the page now, and how many articles there hold none that can be read."""
    found = await tab.run(POSTS, CSS)
    posts = tuple(_post(raw) for raw in found if raw is not None)
    return posts, len(found) - len(posts)


def article_of(post_id: str) -> Selector:
    """The post with this id, among the others of its page; never a quoted one."""
    link = f"a[href*='/status/{post_id}']"
    ways = (f"article:has({link} > time)", f"article:has({link})")
    return Selector(name="the post", ways=ways, seen_on=date(2025, 10, 23))


def _post(raw: dict[str, Any]) -> PostFacts:
    return PostFacts(
        id=raw["id"],
        author_id=None,
        author_handle=raw["handle"],
        source="dom",
        kind=raw["kind"],
        text=raw["text"],
        links=tuple(Link(**link) for link in raw["links"]),
        card_domain=raw["cardDomain"],
        pinned=raw["isPinned"],
        truncated=raw["isTruncated"],
        edited=raw["isEdited"],
        media_count=raw["media"],
        created_at=_time(raw["createdAt"]),
    )


def _time(value: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if value else None
    except ValueError:
        return None
