"""The text of a post and the frozen text, made comparable: links marked, escapes undone.

X stores what was typed and sends it in its own way: links as t.co, `&`, `<` and `>` escaped, a
t.co for each picture at the end; and shows it in another: long links cut, a last link hidden
behind its card.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from agent.domain.matching.link_fit import (
    SHORT_LINK,
    is_about_the_post,
    is_added,
    known_form,
    link_key,
)
from agent.domain.matching.normal_form import SLOT
from agent.domain.matching.terms import ANSWER, SeenLink
from agent.domain.text import links_in

if TYPE_CHECKING:
    from agent.domain.matching.link_fit import OurLinks
    from agent.domain.matching.terms import SeenPost


def frozen_text(text: str, link: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the frozen text with `SLOT` for each link, and those links, the final one included."""
    text = text.replace(SLOT, "")
    links = [link] if link else []
    if link and not any(one != link and one.startswith(link) for one in links_in(text)):
        text = text.replace(link, SLOT)
    marked, rest = "", text
    for one in links_in(text):
        before, found, after = rest.partition(one)
        if found:
            marked, rest = marked + before + SLOT, after
            links.append(one)
    return marked + rest, tuple(links)


def seen_text(post: SeenPost, ours: OurLinks) -> tuple[str, tuple[str, ...]]:
    """Return the text of a post with `SLOT` for each link, and the links not told of otherwise.

    Args:
        post: what was read; its text is known.
        ours: the links of the frozen text.
    """
    text = _unescaped(post).replace(SLOT, "")
    links = [link for link in post.links or () if not is_about_the_post(link)]
    text, left, strays = _without_short_links(text, post, links, ours)
    for link in sorted(left, key=lambda one: -max(map(len, _cores(one)), default=0)):
        text = _without_spelling(text, link)
    if post.links is None:
        strays += tuple(_ADDRESS.findall(text))
        text = _ADDRESS.sub(SLOT, text)
    return text, strays


def with_unlinked(post: SeenPost, ours: OurLinks) -> SeenPost:
    """Return a post with what it says as plain text where our library sees a link of ours.

    X's list of domains is not the library's; what X did not link stands in its answer as typed.
    """
    if post.source != ANSWER or post.links is None:
        return post
    text = _unescaped(post)
    known = {link_key(whole) for whole in map(known_form, post.links) if whole}
    typed = [raw for raw in ours.raw if raw in text and link_key(raw) not in known]
    more = tuple(SeenLink(shown=None, href=None, expanded=raw) for raw in sorted(typed))
    return replace(post, links=post.links + more) if more else post


def linked_by_x(text: str, post: SeenPost, ours: OurLinks) -> tuple[str, tuple[str, ...]]:
    """Return our text with `SLOT` where X sees a link and our library does not, and those links."""
    more: list[str] = []
    for whole in map(known_form, post.links or ()):
        if whole is None or link_key(whole) in ours.keys:
            continue
        for spelling in (whole, whole.partition("://")[2]):
            if spelling and spelling in text:
                text = text.replace(spelling, SLOT, 1)
                more.append(spelling)
                break
    return text, tuple(more)


def without_added_mentions(text: str, ours: str) -> str:
    """Return the text of a reply without the mentions X puts before those that were typed."""
    added, typed = _LEADING_MENTIONS.match(text), _LEADING_MENTIONS.match(ours)
    if added is None or typed is None:
        return text
    names, kept = added[0].lower().split(), typed[0].lower().split()
    if len(names) <= len(kept) or names[len(names) - len(kept) :] != kept:
        return text
    return " ".join((*kept, text[added.end() :]))


def _unescaped(post: SeenPost) -> str:
    text = post.text or ""
    if post.source != ANSWER:
        return text
    return _ESCAPE.sub(lambda found: _UNESCAPED[found[1]], text)


_ESCAPE: Final = re.compile("&(amp|lt|gt|quot|#39);")  # X sends the first three
_UNESCAPED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "#39": "'"}
_ADDRESS: Final = re.compile(r"https?://[^\s\ufdd0]+", re.IGNORECASE)
_CUT_MARKS: Final = ("…", "...")
_LEADING_MENTIONS: Final = re.compile(r"(?:@\w{1,20}\s+)*", re.ASCII)


def _without_short_links(
    text: str, post: SeenPost, links: list[SeenLink], ours: OurLinks
) -> tuple[str, list[SeenLink], tuple[str, ...]]:
    """Mark each t.co; return also the links of which none stood there, and the unexplained t.co.

    One at the end of an answer that tells of its links, this one not among them, is a picture's.
    """
    told = {link.href: link for link in links if link.href}
    found = SHORT_LINK.findall(text)
    strays = [href for href in found if href not in told]
    if post.links is not None and post.source == ANSWER:
        while strays and (cut := _without_last(text, strays[-1])) is not None:
            text = cut
            strays.pop()

    def mark(match: re.Match[str]) -> str:
        link = told.get(match[0])
        return "" if link is not None and is_added(link, ours) else SLOT

    left = [link for link in links if link.href not in found]
    return SHORT_LINK.sub(mark, text), left, tuple(strays)


def _without_last(text: str, href: str) -> str | None:
    bare = text.rstrip()
    return bare.removesuffix(href) if bare.endswith(href) else None


def _without_spelling(text: str, link: SeenLink) -> str:
    """Mark the first place where a link stands in full or as shown, with scheme and cut mark."""
    core = next((core for core in _cores(link) if core in text), None)
    if core is None:
        return text
    before, _, after = text.partition(core)
    for lead in ("www.", "https://", "http://"):
        before = before.removesuffix(lead)
    if (link.shown or "").endswith(_CUT_MARKS):
        for mark in _CUT_MARKS:
            after = after.removeprefix(mark)
    return before + SLOT + after


def _cores(link: SeenLink) -> tuple[str, ...]:
    """Return the forms a link can have in a text, the longer one first."""
    spellings = (known_form(link), link.shown)
    bare = [one.strip().removesuffix("…").removesuffix("...") for one in spellings if one]
    cores = {one.partition("://")[2] or one for one in bare}
    return tuple(sorted(filter(None, cores), key=lambda core: -len(core)))
