"""The text of a post: its one form, and its length as X counts it.

Text is NFC with LF line ends and no control characters; over the limit is refused, never cut.
Lengths come from the library that carries X's own rules (links 23, emoji 2, CJK 2).
"""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import Final, assert_never

# The library carries no types; its two results used here are turned into int and str at once.
from twitter_text import (  # type: ignore[import-untyped]
    extract_urls_with_indices,
    parse_tweet,
)


class Tier(StrEnum):
    """What the account pays for, which decides how long a post may be."""

    BASIC = "basic"
    PREMIUM = "premium"


class TextRefused(ValueError):  # noqa: N818 - named for what happened, as every error here
    """The text cannot be posted as it is; the message says why."""


def length_max(tier: Tier) -> int:
    """Return the weighted length a post may have. Source: x-web-facts §7, 2026."""
    match tier:
        case Tier.BASIC:
            return 280
        case Tier.PREMIUM:
            return 25_000
        case _:
            assert_never(tier)


def normal_text(raw: str) -> str:
    """Return the text in NFC with LF line ends, without white space around it.

    X drops white space around a post by itself, so that keeping it would make the read-back fail.

    Raises:
        TextRefused: it holds a character that X drops or that moves the cursor.
    """
    unix = raw.replace("\r\n", "\n").replace("\r", "\n")
    for char in unix:
        if _is_refused(char):
            raise TextRefused(f"the text holds {_name(char)}, which does not survive a post")
    return unicodedata.normalize("NFC", unix).strip()


def weighted_length(text: str, link: str | None = None) -> int:
    """Return the length as X counts it.

    Args:
        text: the whole text, with the link in it.
        link: the final link, counted as a link even if its top-level domain is newer than the
            library's list.
    """
    counted = text if link is None else text.replace(link, _STAND_IN)
    return int(parse_tweet(counted).weightedLength)


def links_in(text: str) -> tuple[str, ...]:
    """Return what X would turn into links, in order."""
    return tuple(str(found["url"]) for found in extract_urls_with_indices(text))


_STAND_IN: Final = "https://example.com/"  # any link counts 23
# U+FFFE, U+FEFF and U+FFFF make a post invalid (x-web-facts §7).
_NEVER_VALID: Final = frozenset("\ufffe\ufeff\uffff")
_REFUSED_KINDS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control, lone surrogate, separators


def _is_refused(char: str) -> bool:
    if char == "\n":
        return False
    return char in _NEVER_VALID or unicodedata.category(char) in _REFUSED_KINDS


def _name(char: str) -> str:
    return f"U+{ord(char):04X} ({unicodedata.name(char, 'a control character')})"
