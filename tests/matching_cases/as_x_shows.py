"""What X makes of a typed post: as its answer sends it, and as its page shows it.

Written from x-web-facts §4.4, §5.2 and §7, knowing nothing of the matcher. The result is a
post in the shape that `postproof match` reads.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import random

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
DISPLAY_LENGTH_MAX = 27
CUT_AT = 270  # a page shows about this much of a long post before "Show more"
Post = dict[str, Any]  # a post of a file, as JSON


@dataclass(frozen=True)
class Url:
    """A link as it was typed."""

    raw: str


@dataclass(frozen=True)
class Typed:
    """A post as it was typed: texts and links in order."""

    parts: tuple[str | Url, ...]
    media_count: int = 0

    @property
    def text(self) -> str:
        """The frozen text."""
        return "".join(part if isinstance(part, str) else part.raw for part in self.parts).strip()

    @property
    def links(self) -> tuple[str, ...]:
        """The links in order."""
        return tuple(part.raw for part in self.parts if isinstance(part, Url))


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A post as X stored it."""

    typed: Typed
    id: str
    author_id: str
    handle: str
    kind: str = "post"
    edited: bool = False
    pinned: bool = False


def as_answer(stored: Stored, rng: random.Random, *, has_card: bool = True) -> Post:
    """Return the post as an answer sends it: escaped, links as t.co, pictures at the end."""
    typed = stored.typed
    hrefs = [_short(rng) for _ in typed.links]
    taken = iter(hrefs)
    is_long = len(typed.text) > CUT_AT  # a long post's text comes unescaped
    texts = [
        next(taken)
        if isinstance(part, Url)
        else part
        if is_long
        else html.escape(part, quote=False)
        for part in typed.parts
    ]
    media = f" {_short(rng)}" if typed.media_count else ""
    return _post(
        stored,
        source="answer",
        author_id=stored.author_id,
        text="".join(texts).strip() + media,
        links=[
            {"shown": _display(raw), "href": href, "expanded": _expanded(raw)}
            for raw, href in zip(typed.links, hrefs, strict=True)
        ],
        card_domain=_domain(typed) if has_card and not typed.media_count else None,
        media_count=typed.media_count,
    )


def as_page(
    stored: Stored, rng: random.Random, *, has_card: bool, hides_links: bool = False
) -> Post:
    """Return the post as the page shows it.

    Args:
        stored: the post.
        rng: draws the t.co links.
        has_card: a card stands below; a link at the very end is then not shown.
        hides_links: the parts of long links that are not shown cannot be read either.
    """
    typed = stored.typed
    parts = list(typed.parts)
    while parts and isinstance(parts[-1], str) and not parts[-1].strip():
        parts.pop()
    if has_card and parts and isinstance(parts[-1], Url):
        parts.pop()
    shown, links = "", []
    for part in parts:
        if isinstance(part, str):
            shown += part
            continue
        visible = _display(part.raw)
        is_whole = not hides_links or not visible.endswith("…")
        links.append(
            {
                "shown": visible,
                "href": _short(rng),
                "expanded": _expanded(part.raw) if is_whole else None,
            }
        )
        shown += _expanded(part.raw) if is_whole else visible
    is_cut = len(shown) > CUT_AT
    return _post(
        stored,
        source="dom",
        author_id=None,
        text=(shown[:CUT_AT] if is_cut else shown).strip(),
        links=links,
        card_domain=_domain(typed) if has_card else None,
        media_count=typed.media_count,
        truncated=is_cut,
    )


def _post(stored: Stored, **fields: object) -> Post:
    return {
        "id": stored.id,
        "author_handle": stored.handle,
        "kind": stored.kind,
        "pinned": stored.pinned,
        "truncated": False,
        "edited": stored.edited,
        **fields,
    }


def _short(rng: random.Random) -> str:
    return "https://t.co/" + "".join(rng.choices(ALPHABET, k=10))


def _expanded(raw: str) -> str:
    return raw if "://" in raw else f"http://{raw}"


def _display(raw: str) -> str:
    bare = raw.partition("://")[2] or raw
    bare = bare.removeprefix("www.")
    return bare if len(bare) <= DISPLAY_LENGTH_MAX else bare[: DISPLAY_LENGTH_MAX - 1] + "…"


def _domain(typed: Typed) -> str | None:
    host = urlsplit(_expanded(typed.links[-1])).hostname if typed.links else None
    return host.removeprefix("www.") if host else None
