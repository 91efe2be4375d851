"""How a kept look is shown: as JSON, and explained line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.cli.match_files import explained as explained_verdict
from agent.cli.output import local_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent.store.doubt_records import LookRecord
    from agent.store.records import JobTree


def look_as_json(look: LookRecord) -> dict[str, Any]:
    """Shows everything that was kept of a look."""
    return {
        "look_id": look.id,
        "number": look.number,
        "asked_by": look.asked_by,
        "began_at": look.claimed_at,
        "ended_at": look.ended_at,
        "result": look.result.value if look.result else None,
        "code": look.code,
        "why": look.why,
        "post_id": look.post_id,
        "reached_id": look.reached_id,
        "page_loads": look.page_loads,
        "posts_read": look.posts_read,
        "verdict": look.verdict,
        "wanted": look.wanted,
        "posts": list(look.posts),
        "facts": look.facts,
        "policy": look.policy,
    }


def explained(tree: JobTree) -> Iterator[str]:
    """Yields the lines that explain each look of a job; the caller makes them printable."""
    for look in tree.looks:
        yield headline(look)
        if look.verdict is not None:
            yield from (f"  {line}".rstrip() for line in explained_verdict(look.verdict))
        yield ""


def headline(look: LookRecord) -> str:
    """One line about a look: when, what it came to, and why."""
    result = look.result.value if look.result else "under way"
    asked = f", asked for by {look.asked_by}" if look.asked_by else ""
    read = "" if look.posts_read is None else f", {look.posts_read} readings of posts"
    why = f": {look.why}" if look.why else ""
    return f"look {look.number}  {local_time(look.claimed_at)}  {result}{asked}{read}{why}"
