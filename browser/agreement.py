"""Whether the page shows a post as its own answer tells it. Pure.

X hides things on purpose when it renders: the link that ends a text and has a card, the address of
the picture, the middle of a long address, the rest of a long text, the names that a reply answers.
What differs beyond that is a disagreement, and no look is built on it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from browser.facts import Link, PostFacts

SHORT_LINK = re.compile(r"https?://t\.co/\w+", re.ASCII)
LEADING_NAMES = re.compile(r"^\s*(?:@\w{1,20}\s+)+", re.ASCII)
VARIATION_SELECTORS = "\ufe0e\ufe0f"  # X's pictures of emoji are named with or without them
TRAILING_LINKS_MAX = 2  # the card's and the quote's


def differences(answer: PostFacts, page: PostFacts) -> Iterator[tuple[str, str, str]]:
    """Yields what differs between the two readings of one post: what, in the answer, on the page.

    Args:
        answer: From an answer.
        page: From the page; the same id.
    """
    if not _is_same_name(answer.author_handle, page.author_handle):
        yield "author", str(answer.author_handle), str(page.author_handle)
    if not _is_same_text(answer, page):
        yield "text", answer.text, page.text
    if not _are_same_links(answer, page):
        yield "links", _listed(answer.links), _listed(page.links)


def _is_same_name(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one.lower() == other.lower()


def _is_same_text(answer: PostFacts, page: PostFacts) -> bool:
    shown = _letters(_without_links(page), is_reply=answer.kind == "reply")
    wanted = [
        _letters(SHORT_LINK.sub(" ", text), is_reply=answer.kind == "reply")
        for text in (html.unescape(answer.text), answer.text)
    ]
    if page.truncated and (cut := shown.rstrip("…")):
        return any(one.startswith(cut) for one in wanted)
    if answer.truncated and shown:
        return any(shown.startswith(one.rstrip("…")) for one in wanted)
    return shown in wanted


def _without_links(page: PostFacts) -> str:
    """The page's text without its links, each taken out where it stands."""
    kept, rest = "", page.text
    for link in page.links:
        spelling = link.expanded or link.shown
        before, found, after = rest.partition(spelling)
        if found:
            kept, rest = f"{kept}{before} ", after
    return kept + rest


def _letters(text: str, *, is_reply: bool) -> str:
    """A text without white space and without signs that cannot be seen."""
    if is_reply:
        text = LEADING_NAMES.sub("", f"{text} ")
    return "".join(
        sign
        for sign in unicodedata.normalize("NFC", text)
        if not sign.isspace()
        and sign not in VARIATION_SELECTORS
        and unicodedata.category(sign) != "Cf"
    )


def _are_same_links(answer: PostFacts, page: PostFacts) -> bool:
    told = _by_href(link for link in answer.links if link.href not in answer.media_hrefs)
    shown = _by_href(page.links)
    if list(shown) != list(told)[: len(shown)]:
        return False
    hidden = len(told) - len(shown)
    if hidden > TRAILING_LINKS_MAX and not (page.truncated or answer.truncated):
        return False
    return all(_is_same_link(told[href], link) for href, link in shown.items())


def _by_href(links: Iterable[Link]) -> dict[str | None, Link]:
    """Links in their order; one that stands twice has one short address."""
    found: dict[str | None, Link] = {}
    for link in links:
        found.setdefault(link.href, link)
    return found


def _is_same_link(told: Link, shown: Link) -> bool:
    if told.expanded is None:
        return True
    if shown.expanded is not None:
        return _plain(told.expanded) == _plain(shown.expanded)
    return told.shown.rstrip("…") == shown.shown.rstrip("…")


def _plain(address: str) -> str:
    return unquote(address).rstrip("/").lower()


def _listed(links: Sequence[Link]) -> str:
    return " ".join(link.expanded or link.shown for link in links)
