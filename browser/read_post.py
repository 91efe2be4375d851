"""Reads one post on its own page: for a read-back that is owed, and to see whether it still stands.

What X's answer and its page say together is a fact: the post, or that it is gone. When they differ,
or when only one of them speaks, that is trouble, and nothing follows from it.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from browser import selectors
from browser.agreement import differences
from browser.answer_shape import items
from browser.answers import error_codes, has_timeline, read_item, what_is_missing
from browser.capture import Captures
from browser.errors import TimedOut, Voided
from browser.look_facts import Gone, PostReading, PostState, VoidReason
from browser.pages.page import must_be
from browser.pages.post_page import DETAIL, PostPage
from browser.pages.posts import read_shown
from browser.policy import LookPolicy
from browser.scripts import PRESENT
from browser.trouble import as_seen, named, trouble_of, void_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from pathlib import Path

    from browser.facts import Identity, PostFacts
    from browser.look_facts import Void
    from browser.profile import Profile
    from browser.tab import Tab
    from browser.wire import Reading, Wire

NOT_FOUND_CODE = "144"
GONE: Mapping[str, Gone] = {
    "TweetTombstone": Gone.TOMBSTONE,
    "TweetUnavailable": Gone.UNAVAILABLE,
}
"""What stands in the place of a post that is not there. Source: x-web-facts §4.4, 2026-10."""


@dataclass(kw_only=True)
class _Read:
    """What has been seen so far."""

    page: PostPage
    identity: Identity | None = None
    post: PostFacts | None = None
    shown: PostFacts | None = None
    gone: Gone | None = None
    raw: object = None


async def read_post(
    profile: Profile,
    *,
    identity: Identity,
    post_id: str,
    folder: Path,
    clock: Callable[[], datetime],
    policy: LookPolicy | None = None,
) -> PostReading:
    """Opens a post's own page and reads it.

    Args:
        profile: Open and usable; it stays so.
        identity: Who must be signed in, and whose handle stands in the address.
        post_id: Which post; whose it is stands in the reading, for the caller to check.
        folder: Where the evidence goes; its own folder.
        clock: Tells the time, aware UTC.
        policy: The bounds; the defaults when None.

    Returns:
        What was seen; never raises but when it is cancelled.
    """
    bounds = policy or LookPolicy()
    captures = Captures(folder=folder, clock=clock)
    read: list[_Read] = []

    async def reading() -> None:
        if not profile.is_usable:
            raise Voided(VoidReason.BROWSER_DIED, "this browser is used up; open another")
        async with profile.tab() as tab:
            read.append(_Read(page=PostPage(tab, handle=identity.handle, post_id=post_id)))
            steps = _steps(read[0], profile, identity, captures, bounds)
            await profile.supervise(tab, named(tab, steps))

    void = await void_of(reading(), within_s=bounds.look_s)
    seen = read[0] if read else None
    void = await as_seen(
        void, profile=profile, was_signed_in=seen is not None and seen.identity is not None
    )
    await captures.write_manifest({"post_id": post_id, "void": void, "seen": _facts(seen)})
    return _report(
        seen, void, captures, permalink=f"https://x.com/{identity.handle}/status/{post_id}"
    )


async def _steps(
    read: _Read, profile: Profile, expected: Identity, captures: Captures, policy: LookPolicy
) -> None:
    """The reading, step by step."""
    tab = read.page.tab
    async with tab.wire() as wire:
        wire.reads(*DETAIL)
        await tab.goto(read.page.permalink)
        read.identity = await must_be(profile, tab, expected)
        await _until_both_say(read, wire, policy)
    thing = selectors.ERROR_DETAIL if read.gone else read.page.article
    await captures.picture("gone" if read.gone else "post", tab, thing, selectors.ARTICLE)
    await captures.keep("answer", "answer.json", _json(read.raw))
    if read.post is None or read.shown is None:
        return
    for what, answer, page in differences(read.post, read.shown):
        raise Voided(
            VoidReason.DISAGREEMENT,
            f"the {what} is {answer!r} in X's answer and {page!r} on the page; look by hand",
        )


async def _until_both_say(read: _Read, wire: Wire, policy: LookPolicy) -> None:
    """Waits until answer and page say the same: the post, or that it is gone.

    Raises:
        Voided: They do not, or the answer failed.
    """
    tab = read.page.tab
    try:
        async with asyncio.timeout(tab.policy.permalink_ms / 1000):
            while True:
                news = wire.news.next()
                await wire.drained()
                _hear(read, wire)
                if await _is_seen_as_told(read, tab):
                    return
                await asyncio.wait({news}, timeout=policy.glance_ms / 1000)
    except TimeoutError:
        raise _unsettled(read) from None


def _hear(read: _Read, wire: Wire) -> None:
    """Takes what the answers say so far: the post, that it is gone, or nothing yet."""
    for reading in wire.readings:
        for item in items(reading.body):
            post = read_item(item)
            if post is not None and post.id == read.page.post_id:
                read.post, read.gone, read.raw = post, None, item.result
                return
            is_its_place = not item.item_id or item.item_id.endswith(f"tweet-{read.page.post_id}")
            if post is None and is_its_place:
                read.gone = GONE.get(what_is_missing(item), read.gone)
                read.raw = item.result
    if read.gone is None and wire.readings:
        read.gone = _missing(wire.readings[0])
    if not wire.readings and wire.failures:
        raise Voided(VoidReason.OFFLINE, "the connection broke while X answered; check it")


def _missing(reading: Reading) -> Gone:
    """A first answer that is healthy and does not hold the post.

    Raises:
        Voided: It is not healthy.
    """
    is_told_so = NOT_FOUND_CODE in error_codes(reading.body)
    if is_told_so or has_timeline(reading.body) or _is_empty_result(reading):
        return Gone.MISSING
    raise trouble_of(reading, is_first=True)


def _is_empty_result(reading: Reading) -> bool:
    data = reading.body.get("data") if isinstance(reading.body, dict) else None
    return isinstance(data, dict) and data.get("tweetResult") == {}


async def _is_seen_as_told(read: _Read, tab: Tab) -> bool:
    """Whether the page shows what the answers say."""
    things = [read.page.article.ways, selectors.ERROR_DETAIL.ways, selectors.ARTICLE.ways]
    found = await tab.run(PRESENT, things)
    is_there = found is not None and found["which"] == 0
    if is_there and read.shown is None:
        posts = await read_shown(tab)
        read.shown = next((one for one in posts if one.id == read.page.post_id), None)
    if read.post is not None:
        return read.shown is not None
    return read.gone is not None and found is not None and not is_there


def _unsettled(read: _Read) -> TimedOut | Voided:
    if read.post is None and read.gone is None and read.shown is None:
        return TimedOut("the post's page did not load; it is read again later")
    if read.post is None and read.gone is None:
        return Voided(VoidReason.PARTIAL_LOAD, "no answer of X's was seen; it is read again later")
    said = "gone" if read.gone else "there"
    return Voided(
        VoidReason.DISAGREEMENT,
        f"X's answer says that the post is {said}, its page does not; look at it by hand",
    )


def _report(
    read: _Read | None, void: Void | None, captures: Captures, *, permalink: str
) -> PostReading:
    state = PostState.TROUBLE
    if void is None:
        state = PostState.GONE if read is not None and read.gone else PostState.READ
    return PostReading(
        permalink=permalink,
        state=state,
        post=read.post if read else None,
        shown=read.shown if read else None,
        gone=read.gone if read and void is None else None,
        void=void,
        captures=captures.taken,
    )


def _facts(read: _Read | None) -> dict[str, object] | None:
    if read is None:
        return None
    return {
        "identity": read.identity,
        "post": read.post,
        "shown": read.shown,
        "gone": read.gone,
    }


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()
