"""Whether the post is on the profile already, before anything is typed.

A post of ours with the same link or the same text that no job owns was made by hand, by another
program, or by a release that this ledger no longer knows of (an old backup). It is never sent
over: the attempt stops and the job is unknown.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from agent.domain.likeness import has_link, has_same_text
from agent.domain.snowflake import time_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from agent.domain.facts import Expected, PostSeen
    from agent.domain.ids import PostId


def already_there(
    expected: Expected,
    posts: Iterable[PostSeen],
    *,
    taken: AbstractSet[PostId],
    now: datetime,
    horizon_s: int,
) -> PostSeen | None:
    """Return the first post that is what would be sent, or None.

    Args:
        expected: who posts, and what.
        posts: the newest posts of the own profile.
        taken: ids that confirm a job.
        now: the present instant.
        horizon_s: older posts do not count; an article may be announced again after that long.
    """
    oldest = now - timedelta(seconds=horizon_s)
    for post in posts:
        if post.id in taken or post.kind == "repost" or not is_ours(expected, post):
            continue
        if time_of(post.id) >= oldest and _is_the_same(expected, post):
            return post
    return None


def is_ours(expected: Expected, post: PostSeen) -> bool:
    """Tell whether the account wrote the post; by id, or by handle where no id is known."""
    if post.author_id is not None:
        return post.author_id == expected.user_id
    return (post.author_handle or "").lower() == expected.handle.lower()


def _is_the_same(expected: Expected, post: PostSeen) -> bool:
    if expected.link is not None and has_link(post, expected.link.canonical):
        return True
    return has_same_text(expected, post)
