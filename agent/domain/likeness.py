"""Whether a post that was read is the one that was frozen: by its link, and by its text.

Texts are compared by their letters and digits, since X changes the rest: links become t.co or a
card, quotes and spaces move, emoji are images. Nothing here says which post is ours; that needs
the author, and for finding a post without an id the matcher. Two frozen contents are compared in
the same way, so that none is sent while another like it is in doubt.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from agent.domain.links import LinkRefused, canonical_link
from agent.domain.text import links_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent.domain.facts import Expected, PostSeen
    from agent.domain.payload import Payload

TRUNCATED_LENGTH_MIN: Final = 20  # a shorter beginning is shared by unrelated posts


def has_link(post: PostSeen, canonical: str) -> bool:
    """Tell whether one of the post's links, expanded, is that one."""
    return canonical in _expanded(post)


def shows_other_links(expected: Expected, post: PostSeen) -> bool:
    """Tell whether every link of the frozen text could be seen, and ours is not among them.

    A link that is only on a card, or that was not expanded, is not seen and proves nothing.
    """
    if expected.link is None or has_link(post, expected.link.canonical):
        return False
    wanted = {*links_in(expected.text), expected.link.final}
    return len(_expanded(post)) >= len(wanted)


def has_same_text(expected: Expected, post: PostSeen) -> bool:
    """Tell whether letters and digits agree, links left out on both sides.

    A post cut by "Show more" agrees when it is a beginning of the frozen text.
    """
    final = [expected.link.final] if expected.link else []
    ours = _without(expected.text, [*links_in(expected.text), *final])
    read = unescape(post.text) if post.source == "answer" else post.text
    theirs = _without(read, [*_spellings(post), *links_in(expected.text), *final])
    if post.is_truncated:
        cut = _letters_and_digits(theirs)
        long_enough = len(cut) >= TRUNCATED_LENGTH_MIN
        return long_enough and _letters_and_digits(ours).startswith(cut)
    return _compared(ours) == _compared(theirs)


def are_twins(ours: Payload, theirs: Payload, *, pct_min: float) -> bool:
    """Tell whether two frozen contents are so alike that one could be taken for the other.

    They are when the link is the same in canonical form, or when the texts, links left out, are
    equal in letters and digits or nearly so.

    Args:
        ours: one content.
        theirs: the other.
        pct_min: RapidFuzz's ratio of the letters and digits from which they are nearly equal.
    """
    if ours.link and theirs.link and ours.link.canonical == theirs.link.canonical:
        return True
    one, other = (_compared(_without_links(each)) for each in (ours, theirs))
    return one == other or fuzz.ratio(one, other, score_cutoff=pct_min) >= pct_min


def _without_links(payload: Payload) -> str:
    final = [payload.link.final] if payload.link else []
    return _without(payload.text, [*links_in(payload.text), *final])


def _expanded(post: PostSeen) -> set[str]:
    found: set[str] = set()
    for link in post.links:
        try:
            found.add(canonical_link(link.expanded or ""))
        except LinkRefused:
            continue
    return found


def _spellings(post: PostSeen) -> list[str]:
    return [form for link in post.links for form in (link.expanded, link.href, link.shown) if form]


def _without(text: str, links: Iterable[str]) -> str:
    """Take links out: whatever reads like an address, and those that are known."""
    text = _ADDRESS.sub(" ", text)
    for link in sorted(set(links), key=len, reverse=True):
        text = text.replace(link, " ").replace(link.partition("://")[2] or link, " ")
    return text


def _compared(text: str) -> str:
    """Return letters and digits; a text without any, such as emoji alone, as it stands."""
    return _letters_and_digits(text) or "".join(
        char for char in text if not char.isspace() and char not in _SELECTORS
    )


def _letters_and_digits(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(
        char
        for char in unicodedata.normalize("NFKC", folded)
        if unicodedata.category(char)[0] in "LNM" and char not in _SELECTORS
    )


# In ASCII, since X ends a link at the first character of another script; cut ones end in "…".
_ADDRESS: Final = re.compile(r"https?://[!-~]+…?|[!-~]+\.[!-~]+/[!-~]*…")
_SELECTORS: Final = "\ufe0e\ufe0f\u200d"  # they only say how an emoji is drawn
