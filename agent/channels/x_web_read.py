"""Reads saved pages and answers of X's with the readers of the looks. Opens no session on X."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from browser.errors import Unreadable
from browser.reading import SavedReading, read_saved_answer, read_saved_page

if TYPE_CHECKING:
    from pathlib import Path

    from browser.facts import PostFacts

__all__ = ["SavedReading", "Unreadable", "read_answer", "read_page", "shape_of"]


def read_answer(raw: bytes) -> SavedReading:
    """Reads a saved answer.

    Raises:
        Unreadable: it is not JSON.
    """
    return read_saved_answer(raw)


async def read_page(html: str, *, executable: Path | None) -> SavedReading:
    """Reads a saved page in a browser without scripts and without network.

    Raises:
        Stopped: no browser could be started.
    """
    return await read_saved_page(html, executable=executable)


def shape_of(post: PostFacts) -> dict[str, Any]:
    """Returns a post in the shape that `postproof match` reads, with its time."""
    return {
        "id": post.id,
        "author_id": post.author_id,
        "author_handle": post.author_handle,
        "source": post.source,
        "kind": post.kind,
        "text": post.text,
        "links": [
            {"shown": link.shown, "href": link.href, "expanded": link.expanded}
            for link in post.links
        ],
        "card_domain": post.card_domain,
        "pinned": post.pinned,
        "truncated": post.truncated,
        "edited": post.edited,
        "media_count": post.media_count,
        "created_at": post.created_at,
    }
