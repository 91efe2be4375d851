"""Looks and readings through X's website, in the ledger's words. Reads only.

Called by `x_web` with a profile of the account that it has open; the gate stays open, since
nothing is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.channels.channel import PageSight, Sight, Trouble
from agent.channels.x_web_facts import captured_of
from agent.domain.breaker import BreakerKind
from agent.domain.ids import PostId, UserId
from agent.domain.matching.terms import SeenLink, SeenPost
from browser.facts import Identity
from browser.look import look
from browser.read_post import read_post

if TYPE_CHECKING:
    from agent.channels.channel import LookOrder, ReadOrder
    from agent.domain.clock import Clock
    from browser.facts import PostFacts, Stop
    from browser.look_facts import LookReport, PostReading, Void
    from browser.profile import Profile

# The reasons that are the account's own trouble bear the names of the breakers they open.
_BREAKERS = {kind.value: kind for kind in BreakerKind}


async def look_in(profile: Profile, order: LookOrder, *, clock: Clock) -> Sight:
    """Reads the own profile, both tabs, back past the window's start."""
    report = await look(
        profile,
        identity=Identity(user_id=order.user_id, handle=order.handle),
        since_id=order.since_id,
        is_candidate=lambda post: order.is_candidate(seen_post_of(post)),
        folder=order.evidence_dir,
        clock=clock.now,
        known_id=order.known_id,
    )
    return sight_of(report)


async def read_in(profile: Profile, order: ReadOrder, *, clock: Clock) -> PageSight:
    """Opens one post's page."""
    reading = await read_post(
        profile,
        identity=Identity(user_id=order.user_id, handle=order.handle),
        post_id=order.post_id,
        folder=order.evidence_dir,
        clock=clock.now,
    )
    return page_sight_of(reading)


def sight_of(report: LookReport) -> Sight:
    """Returns the facts of a look."""
    return Sight(
        trouble=None if report.void is None else _trouble_of(report.void),
        posts=tuple(seen_post_of(post) for post in (*report.posts, *report.shown)),
        has_reached_start=report.reaches_back,
        has_reached_end=bool(report.tabs) and all(tab.has_ended for tab in report.tabs),
        reached_id=_reached_id(report),
        page_loads=report.page_loads,
        facts=_kept(report),
        captures=tuple(captured_of(capture) for capture in report.captures),
    )


def page_sight_of(reading: PostReading) -> PageSight:
    """Returns the facts of a post's page."""
    return PageSight(
        post=None if reading.post is None else seen_post_of(reading.post),
        gone=None if reading.gone is None else reading.gone.value,
        trouble=None if reading.void is None else _trouble_of(reading.void),
        captures=tuple(captured_of(capture) for capture in reading.captures),
    )


def trouble_of_stop(stop: Stop) -> Trouble:
    """Returns the trouble of a reading for which not even a browser opened."""
    return Trouble(code=stop.code.value, detail=stop.detail, breaker=_BREAKERS.get(stop.code.value))


def seen_post_of(post: PostFacts) -> SeenPost:
    """Returns a post as the matcher takes it."""
    return SeenPost(
        id=PostId(post.id),
        author_id=None if post.author_id is None else UserId(post.author_id),
        author_handle=post.author_handle,
        source=post.source,
        kind=post.kind,
        text=post.text,
        links=tuple(
            SeenLink(shown=link.shown, href=link.href, expanded=link.expanded)
            for link in post.links
        ),
        card_domain=post.card_domain,
        pinned=post.pinned,
        truncated=post.truncated,
        edited=post.edited,
        media_count=post.media_count,
    )


def _trouble_of(void: Void) -> Trouble:
    return Trouble(
        code=void.reason.value, detail=void.detail, breaker=_BREAKERS.get(void.reason.value)
    )


def _reached_id(report: LookReport) -> PostId | None:
    """Returns the oldest id of the tab that was read the least far."""
    oldest = [tab.oldest_id for tab in report.tabs]
    known = [each for each in oldest if each is not None]
    return PostId(max(known, key=int)) if known and len(known) == len(oldest) else None


def _kept(report: LookReport) -> dict[str, Any]:
    """How the look went; the posts themselves are kept with the verdict and in the evidence."""
    return {
        "since_id": report.since_id,
        "tabs": [
            {
                "name": tab.name,
                "answers": tab.answers,
                "scrolls": tab.scrolls,
                "newest_id": tab.newest_id,
                "oldest_id": tab.oldest_id,
                "reaches_start": tab.reaches_start,
                "has_ended": tab.has_ended,
                "unreadable": [list(each) for each in tab.unreadable],
            }
            for tab in report.tabs
        ],
        "disagreements": [
            {
                "tab": each.tab,
                "post_id": each.post_id,
                "what": each.what,
                "answer": each.answer,
                "page": each.page,
            }
            for each in report.disagreements
        ],
    }
