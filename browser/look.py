"""One look at the own profile: what stands there, from the page's own answers and from the page.

A look opens the profile once, reads Posts and then Replies from the newest back past the start of
the window, and asks X nothing that the page does not ask by itself. It reports facts: whether a
post of ours is among them is decided by the caller. Whatever is not as it should be makes the look
void, with the reason; a void look says nothing about what is not there.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from browser import selectors
from browser.capture import Captures
from browser.errors import Stopped, TimedOut, Voided
from browser.look_facts import VoidReason
from browser.look_run import LookRun
from browser.pages.page import must_be
from browser.pages.post_page import PostPage
from browser.pages.posts import article_of, read_shown
from browser.pages.timeline import POSTS, PROFILE, REPLIES, TABS, TimelinePage
from browser.policy import LookPolicy
from browser.trouble import as_seen, named, void_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from browser.facts import Identity, PostFacts
    from browser.look_facts import LookReport
    from browser.pages.timeline import ProfileTab
    from browser.profile import Profile
    from browser.tab import Tab
    from browser.tab_sight import TabSight
    from browser.wire import Wire


async def look(
    profile: Profile,
    *,
    identity: Identity,
    since_id: str,
    is_candidate: Callable[[PostFacts], bool],
    folder: Path,
    clock: Callable[[], datetime],
    known_id: str | None = None,
    policy: LookPolicy | None = None,
) -> LookReport:
    """Reads the own profile back to a post from before the window.

    Args:
        profile: Open and usable; it stays so.
        identity: Whose profile, and who must be signed in.
        since_id: The start of the window; own posts with an id above it are read without gap.
        is_candidate: Which own posts get a picture, and are opened when X gives them cut. Called
            once for each, with its facts.
        folder: Where the evidence of this look goes; its own folder.
        clock: Tells the time, aware UTC.
        known_id: A post that is known to be on the profile or was the newest before: a profile
            without it and without any newer one is stale. None when nothing is known.
        policy: The bounds; the defaults when None.

    Returns:
        What was seen; never raises but when it is cancelled.
    """
    run = LookRun(
        profile=profile,
        expected=identity,
        since_id=since_id,
        known_id=known_id,
        is_candidate=is_candidate,
        captures=Captures(folder=folder, clock=clock),
        policy=policy or LookPolicy(),
        clock=clock,
        started_at=clock(),
    )
    void = await void_of(_looked(run), within_s=run.policy.look_s)
    run.void = await as_seen(void, profile=profile, was_signed_in=run.identity is not None)
    await _keep(run)
    return run.report()


async def _looked(run: LookRun) -> None:
    if not run.profile.is_usable:
        raise Voided(
            VoidReason.BROWSER_DIED, "this browser is used up; the next look opens another"
        )
    async with run.profile.tab() as tab:
        await run.profile.supervise(tab, named(tab, _steps(run, tab)))


async def _steps(run: LookRun, tab: Tab) -> None:
    """The look, step by step."""
    async with tab.wire() as wire:
        wire.reads(PROFILE, *(place.operation for place in TABS))
        page = _page(run, tab, POSTS)
        run.page_loads += 1
        await page.open()
        run.identity = await must_be(run.profile, tab, run.expected)
        await _read_tab(run, wire, page, run.sights[POSTS.operation])

        page = _page(run, tab, REPLIES)
        await page.clear_the_way()
        await page.turn_to()
        await _read_tab(run, wire, page, run.sights[REPLIES.operation])
        await must_be(run.profile, tab, run.expected)
    run.must_be_fresh()
    run.find_disagreements()
    await _picture_others(run, tab)
    await _open_cut_ones(run, tab)


async def _read_tab(run: LookRun, wire: Wire, page: TimelinePage, sight: TabSight) -> None:
    """Reads one tab from the newest post down to where nothing more is needed."""
    await _until_answered(run, wire, page, sight)
    await page.must_be_own()
    await page.clear_the_way()
    with suppress(TimedOut):  # then the page has nothing where its answer has posts
        await page.tab.first_of(selectors.ARTICLE, within_ms=page.tab.policy.timeline_ms)
    is_at_end = False
    while True:
        await page.laid_out()
        await run.take(wire, sight)
        sight.see(await read_shown(page.tab))
        await _picture(run, page.tab, sight)
        if sight.is_answered and (sight.is_passed or is_at_end):
            return  # at the end of the list, what was not shown is a disagreement, found below
        if sight.scrolls >= run.policy.scrolls_max or sight.answers >= run.policy.answers_max:
            raise Voided(
                VoidReason.BOUND_REACHED,
                f"{sight.scrolls} steps and {sight.answers} answers did not reach the start of "
                "the window; look at the profile by hand",
            )
        sight.scrolls += 1
        if await page.scroll() or await page.clear_the_way():
            continue
        if not sight.is_answered:
            await _until_answered(run, wire, page, sight)
        else:
            is_at_end = True
            await page.shown(sight.unseen()[0])


async def _until_answered(run: LookRun, wire: Wire, page: TimelinePage, sight: TabSight) -> None:
    """Waits for the next answer, asking the page meanwhile whether it shows trouble instead.

    Raises:
        Stopped: Another page, or no answer in time.
        Voided: The answer failed, or the page shows a state without posts.
    """
    before = sight.answers
    try:
        async with asyncio.timeout(page.tab.policy.timeline_ms / 1000):
            while True:
                news = wire.news.next()
                await run.take(wire, sight)
                if sight.answers > before:
                    return
                await page.glance()
                await asyncio.wait({news}, timeout=run.policy.glance_ms / 1000)
    except TimeoutError:
        raise TimedOut(
            f"the profile's {sight.name} did not load; it is looked at again later"
        ) from None


async def _picture(run: LookRun, tab: Tab, sight: TabSight) -> None:
    """Takes a picture of each candidate while the list has it mounted."""
    wanted = [
        post_id
        for post_id, shown in sight.shown.items()
        if post_id not in run.judged and run.is_wanted(sight.posts.get(post_id, shown))
    ]
    for post_id in wanted:
        await _picture_one(run, tab, post_id)
    if wanted:
        sight.see(await read_shown(tab))  # a picture scrolls the page to what it shows


async def _picture_others(run: LookRun, tab: Tab) -> None:
    """Asks for the posts that no tab showed as themselves, and records what cannot be pictured."""
    for post in list(run.posts().values()):
        if post.id not in run.judged and run.is_wanted(post):
            await _picture_one(run, tab, post.id)


async def _picture_one(run: LookRun, tab: Tab, post_id: str) -> None:
    if sum(run.judged.values()) <= run.policy.pictures_max:
        await run.captures.picture(f"candidate-{post_id}", tab, article_of(post_id))
    else:
        run.notes.append(f"{post_id} was not pictured: {run.policy.pictures_max} others were")


async def _open_cut_ones(run: LookRun, tab: Tab) -> None:
    """Reads in full, on their own pages, candidates that the answers give cut."""
    cut = [post for post in run.posts().values() if post.truncated and run.judged[post.id]]
    for post in cut[: run.policy.permalinks_max]:
        run.page_loads += 1
        page = PostPage(tab, handle=run.expected.handle, post_id=post.id)
        reading = await page.read()
        if reading.post is None or reading.post.truncated:
            run.notes.append(f"{post.id} stays cut: {reading.trouble or 'so does its page'}")
        else:
            run.whole[post.id] = reading.post


async def _keep(run: LookRun) -> None:
    await run.captures.keep("answers", "answers.json", run.raw())
    if run.profile.is_usable:
        try:
            await run.profile.save_session()
        except (Stopped, OSError) as error:
            run.notes.append(f"the session's copy was not written: {error}")
    await run.captures.write_manifest(run.facts())


def _page(run: LookRun, tab: Tab, place: ProfileTab) -> TimelinePage:
    return TimelinePage(tab, identity=run.expected, place=place, policy=run.policy)
