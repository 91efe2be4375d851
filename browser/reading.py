"""Reads saved pages and saved answers with the very readers that a look uses.

An answer is read as it is. A page is laid out in a browser of its own that runs no script, has no
profile and reaches no network, and is read there by the same script as a live one. For
`postproof read`: so that drift of X's can be seen and reported without a session on X.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.async_api import async_playwright

from browser.answer_shape import at, instructions, items, text
from browser.answers import error_codes, read_item, read_posts, what_is_missing
from browser.errors import Unreadable
from browser.install import find_browser
from browser.launch import FLAGS, VIEWPORT_HEIGHT_PX, VIEWPORT_WIDTH_PX
from browser.pages.posts import read_articles
from browser.policy import BrowserPolicy
from browser.tab import Tab, edge

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from playwright.async_api import BrowserContext, Route

    from browser.facts import PostFacts

NO_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND"
ADDRESS = "https://x.com/"
INERT = {
    # a sandbox also keeps a page from leaving by itself (meta refresh)
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
}
PAGE = "page"
UNKNOWN = "unknown"
UNREAD_ARTICLE = "article without a post"
FORMS: Mapping[str, str] = {
    "create_tweet": "CreateTweet",
    "notetweet_create": "CreateNoteTweet",
    "tweetResult": "TweetResultByRestId",
    "threaded_conversation_with_injections_v2": "TweetDetail",
    "search_by_raw_query": "SearchTimeline",
    "home": "HomeTimeline",
}
"""The operation of an answer by the first key of its data; profiles are told apart below."""


@dataclass(frozen=True, kw_only=True)
class SavedReading:
    """What a saved file holds.

    Args:
        form: `page`, or the operation whose answer it looks like, or `unknown`.
        posts: In the order of the file, each id once in an answer.
        skipped: What stands in the place of a post, by X's own word, and how often.
        codes: The codes of an answer's errors.
    """

    form: str
    posts: tuple[PostFacts, ...]
    skipped: tuple[tuple[str, int], ...]
    codes: tuple[str, ...]


def read_saved_answer(raw: bytes) -> SavedReading:
    """Reads a saved answer.

    Args:
        raw: JSON, an answer or a list of answers.

    Raises:
        Unreadable: It is not JSON.
    """
    try:
        parsed = json.loads(raw)
        return _read_answers(parsed if isinstance(parsed, list) else [parsed])
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is not JSON: {error}") from error


async def read_saved_page(html: str, *, executable: Path | None) -> SavedReading:
    """Reads a saved page.

    Args:
        html: The page's source.
        executable: The browser to lay it out in, or None to search for one.

    Raises:
        Stopped: No browser could be started, or it did not take the page.
    """
    policy = BrowserPolicy()

    async def answer(route: Route) -> None:
        if route.request.is_navigation_request() and route.request.url == ADDRESS:
            await route.fulfill(content_type="text/html; charset=utf-8", headers=INERT, body=html)
        else:
            await route.abort()

    async with _sealed(policy, executable) as context:
        async with edge("laying the page out", within_s=policy.load_ms / 1000):
            page = await context.new_page()
            await page.route("**/*", answer)
            await page.goto(ADDRESS, wait_until="domcontentloaded")
        posts, unread = await read_articles(Tab(page, policy=policy))
    skipped = ((UNREAD_ARTICLE, unread),) if unread else ()
    return SavedReading(form=PAGE, posts=posts, skipped=skipped, codes=())


def _read_answers(bodies: list[object]) -> SavedReading:
    posts: dict[str, PostFacts] = {}
    for body in bodies:
        posts |= {post.id: post for post in read_posts(body) if post.id not in posts}
    missing = Counter(
        what_is_missing(item) for body in bodies for item in items(body) if read_item(item) is None
    )
    return SavedReading(
        form=", ".join(dict.fromkeys(map(_form, bodies))) or UNKNOWN,
        posts=tuple(posts.values()),
        skipped=tuple(sorted(missing.items())),
        codes=tuple(code for body in bodies for code in error_codes(body)),
    )


def _form(body: object) -> str:
    data = at(body, "data")
    for key, form in FORMS.items():
        if at(data, key) is not None:
            return form
    if at(data, "user") is not None:
        return "UserTweets" if any(True for _ in instructions(data)) else "UserByScreenName"
    if text(at(body, "__typename")) is not None:
        return str(text(at(body, "__typename")))
    return "errors" if error_codes(body) else UNKNOWN


@asynccontextmanager
async def _sealed(policy: BrowserPolicy, executable: Path | None) -> AsyncIterator[BrowserContext]:
    """A browser without profile, scripts and network."""
    program = await asyncio.to_thread(find_browser, executable)
    async with edge(f"starting {program}", within_s=policy.launch_s):
        playwright = await async_playwright().start()
    try:
        async with edge(f"starting {program}", within_s=policy.launch_s):
            browser = await playwright.chromium.launch(
                executable_path=program, args=[*FLAGS, NO_HOSTS]
            )
            context = await browser.new_context(
                offline=True,
                java_script_enabled=False,
                service_workers="block",
                accept_downloads=False,
                viewport={"width": VIEWPORT_WIDTH_PX, "height": VIEWPORT_HEIGHT_PX},
            )
        yield context
    finally:
        async with edge("closing the browser", within_s=policy.close_s):
            await playwright.stop()  # the browser at the end of its pipe goes with it
