"""Whether the links of a post are ours: known in full, known in part, or others.

Only a link known in full is strong. A part of it, as X shows long ones, or the domain on a card,
keeps a post in the running and confirms nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from agent.domain.links import LinkRefused, canonical_link
from agent.domain.matching.terms import ANSWER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent.domain.matching.terms import SeenLink, SeenPost


class LinkFit(StrEnum):
    """How the links of a post stand to ours.

    Attributes:
        NONE_NEEDED: ours has no link, and the post has none.
        STRONG: they are ours, expanded and equal in canonical form.
        MARKER: one of them carries our marker.
        MEDIUM: what is shown of them is a beginning of ours.
        WEAK: only a card is known, and its domain is ours.
        UNKNOWN: nothing is known that tells.
        MISSING: ours has a link, and X's answer says that this post has not.
        CONFLICT: there is another link.
    """

    NONE_NEEDED = "none_needed"
    STRONG = "strong"
    MARKER = "marker"
    MEDIUM = "medium"
    WEAK = "weak"
    UNKNOWN = "unknown"
    MISSING = "missing"
    CONFLICT = "conflict"

    @property
    def passes(self) -> bool | None:
        """What the link gate says: passed, failed, or None where it is not known."""
        if self in (LinkFit.NONE_NEEDED, LinkFit.STRONG, LinkFit.MARKER):
            return True
        return False if self in (LinkFit.MISSING, LinkFit.CONFLICT) else None


@dataclass(frozen=True, kw_only=True)
class OurLinks:
    """The links of the frozen text.

    Attributes:
        raw: each as it was frozen.
        keys: each in canonical form.
        bare: each as X may show it: without scheme and `www`, in small letters.
        hosts: their hosts in canonical form.
        final_key: the final link's form among them.
        marker: the query parameter of the final link that is unique to the intent.
    """

    raw: frozenset[str]
    keys: frozenset[str]
    bare: tuple[str, ...]
    hosts: frozenset[str]
    final_key: str | None
    marker: str | None

    def and_more(self, links: Iterable[str]) -> OurLinks:
        """Return these links and some more."""
        more = our_links(links, final=None, marker=None)
        return replace(
            self,
            raw=self.raw | more.raw,
            keys=self.keys | more.keys,
            bare=self.bare + more.bare,
            hosts=self.hosts | more.hosts,
        )


def our_links(raw_links: Iterable[str], *, final: str | None, marker: str | None) -> OurLinks:
    """Return the links of the frozen text, ready to be compared with."""
    links = tuple(dict.fromkeys(raw_links))
    return OurLinks(
        raw=frozenset(links),
        keys=frozenset(map(link_key, links)),
        bare=tuple(map(bare_link, links)),
        hosts=frozenset(_host(link_key(link)) for link in links),
        final_key=link_key(final) if final else None,
        marker=marker,
    )


def fit_of(ours: OurLinks, post: SeenPost, strays: tuple[str, ...]) -> LinkFit:
    """Tell how the links of a post stand to ours.

    Args:
        ours: the links of the frozen text.
        post: what was read.
        strays: links that stand in its text and of which the reader told nothing more.
    """
    known, parts = _known_and_parts(ours, post, strays)
    keys = {link_key(raw) for raw in known if not _carries_marker(ours, raw)}
    has_marker = any(_carries_marker(ours, raw) for raw in known)
    lost_marker = ours.marker is not None and ours.final_key in keys
    if keys - ours.keys or lost_marker or any(_is_another(ours, part) for part in parts):
        return LinkFit.CONFLICT
    if not ours.keys:
        return _fit_without_link(post, has_parts=bool(parts))
    if has_marker and ours.final_key is not None:
        keys.add(ours.final_key)
    if keys == ours.keys and not parts:
        return LinkFit.MARKER if has_marker else LinkFit.STRONG
    return _fit_in_part(ours, post, has_known=bool(keys), parts=parts)


def is_about_the_post(link: SeenLink) -> bool:
    """Tell whether an anchor is a mention, a hashtag or a part of X, not a link of the text."""
    return (link.href or "").startswith("/") or (link.shown or "").startswith(("@", "#", "$"))


def is_added(link: SeenLink, ours: OurLinks) -> bool:
    """Tell whether X added a link for a picture, a video or a quoted post; ours are never that."""
    raw = known_form(link) or link.shown or ""
    return _ATTACHED.match(raw) is not None and link_key(raw) not in ours.keys


def known_form(link: SeenLink) -> str | None:
    """Return a link in full, or None where it is only known in part."""
    if link.expanded:
        return link.expanded
    return link.href if link.href and not SHORT_LINK.match(link.href) else None


@lru_cache(maxsize=16_384)
def link_key(raw: str) -> str:
    """Return the form by which links are compared; a bare domain is one, as it is for X.

    A fragment that names a page (`#/a`, `#!a`) is kept: behind it may lie another article.
    """
    whole = raw if "://" in raw else f"http://{raw}"
    if plain := _PLAIN.fullmatch(whole):
        return _site_key(plain[1]) + plain[2].rstrip("/")
    try:
        key = canonical_link(whole)
    except LinkRefused:
        return raw.strip()
    fragment = whole.partition("#")[2]
    return f"{key}#{fragment}" if fragment.startswith(("/", "!")) else key


def bare_link(raw: str) -> str:
    """Return a link as X shows it: without scheme and `www`, in small letters."""
    bare = raw.strip().lower().partition("://")[2] or raw.strip().lower()
    return bare.removeprefix("www.").rstrip("/")


@lru_cache(maxsize=1024)
def _site_key(site: str) -> str:
    """Return the form of a link's scheme and host; asked once for a site, since it is slow."""
    try:
        return canonical_link(site)
    except LinkRefused:
        return site


# A link whose path needs no work: nothing to escape, no dots, no query.
_PLAIN: Final = re.compile(r"(https?://[A-Za-z0-9.-]+)((?:/[A-Za-z0-9_~-]+)*/?)")
SHORT_LINK: Final = re.compile(r"https?://t\.co/\w+", re.ASCII | re.IGNORECASE)
_ATTACHED: Final = re.compile(
    r"(?:https?://)?(?:(?:mobile\.|www\.)?(?:x|twitter)\.com/[^/\s]+/(?:web/)?status/\d+"
    r"|pic\.(?:x|twitter)\.com/)",
    re.IGNORECASE,
)


def _known_and_parts(
    ours: OurLinks, post: SeenPost, strays: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """Sort the links of a post into those known in full and the shown parts of the others."""
    known: dict[str, str] = {}
    parts: dict[str, str] = {stray: stray for stray in strays}
    for link in post.links or ():
        whole = known_form(link)
        if is_about_the_post(link) or is_added(link, ours):
            continue
        if whole is None:
            parts[link.href or link.shown or ""] = link.shown or ""
        else:
            known[link.href or whole] = whole
    return list(known.values()), [part for href, part in parts.items() if href not in known]


def _carries_marker(ours: OurLinks, raw: str) -> bool:
    if ours.marker is None or ours.final_key is None:
        return False
    query = raw.partition("#")[0].partition("?")[2]
    return ours.marker in query.split("&") and _host(link_key(raw)) == _host(ours.final_key)


def _is_another(ours: OurLinks, part: str) -> bool:
    """Tell whether the shown part of a link belongs to none of ours.

    A part that shows nothing, or other than ASCII letters, cannot be told.
    """
    shown = _shown(part)
    if not shown or not shown.isascii():
        return False
    return not any(bare.startswith(shown) for bare in ours.bare)


def _fit_without_link(post: SeenPost, *, has_parts: bool) -> LinkFit:
    if has_parts or post.card_domain:
        return LinkFit.CONFLICT
    return LinkFit.UNKNOWN if post.links is None else LinkFit.NONE_NEEDED


def _fit_in_part(ours: OurLinks, post: SeenPost, *, has_known: bool, parts: list[str]) -> LinkFit:
    hosts = [bare.partition("/")[0] for bare in ours.bare]
    if has_known or any(_shown(part).startswith(host) for part in parts for host in hosts):
        is_short = has_known and not parts and post.source == ANSWER
        return LinkFit.MISSING if is_short else LinkFit.MEDIUM
    if post.card_domain:
        is_ours = _host(link_key(post.card_domain)) in ours.hosts
        return LinkFit.WEAK if is_ours else LinkFit.UNKNOWN
    if post.source == ANSWER and post.links is not None and not parts:
        return LinkFit.MISSING
    return LinkFit.UNKNOWN


def _shown(part: str) -> str:
    if SHORT_LINK.fullmatch(part):
        return ""
    return bare_link(part.strip().removesuffix("…").removesuffix("..."))


def _host(key: str) -> str:
    return key.partition("://")[2].partition("/")[0]
