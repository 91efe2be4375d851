"""The normal form of a text, by which what was frozen and what was read are compared.

It takes away what reading may change (widths, quotes, dashes, case, spaces, invisible signs) and
keeps what carries meaning. Links are no part of it: the caller puts `SLOT` where one stands, so
that their places can be compared too.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Final

SLOT: Final = "\ufdd0"  # a noncharacter: no text that can be posted holds it


@dataclass(frozen=True)
class Form:
    """A text in normal form, seen in the ways it is compared by; each is made when asked for."""

    marked: str

    @cached_property
    def normal(self) -> str:
        """The normal form, without its links."""
        return " ".join(self.marked.replace(SLOT, " ").split())

    @cached_property
    def letters(self) -> str:
        """Letters, marks and digits only."""
        return self.normal.translate(_LETTERS)

    @cached_property
    def meaning(self) -> str:
        """Letters, digits and the signs that carry meaning, in order."""
        return self.normal.translate(_MEANING)

    @cached_property
    def signs(self) -> str:
        """The signs that carry meaning, in order, without the letters."""
        return self.normal.translate(_SIGNS)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Every number with its sign, separators and unit, as a multiset."""
        return tuple(sorted("".join(found.split()) for found in _NUMBER.findall(self.normal)))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """For each link, how many letters stand before it."""
        before, places = 0, []
        for part in self.marked.split(SLOT)[:-1]:
            before += len(part.translate(_LETTERS))
            places.append(before)
        return tuple(places)


def form_of(text: str) -> Form:
    """Return the normal form of a text in which `SLOT` stands for each link."""
    if text.replace(SLOT, "").isascii():
        return Form(" ".join(text.lower().replace("`", "'").split()))
    text = _NUMBER_IN_ONE_SIGN.sub(_spelled, text).translate(_FOLDS)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return Form(" ".join(folded.translate(_FOLDS).split()))


def weighted_length(text: str) -> int:
    """Return roughly the length as X counts it: two for what lies beyond the European scripts.

    Source: x-web-facts §7. Good enough to tell a post that may be cut from one that may not.
    """
    return sum(1 if ord(char) <= _LIGHT_MAX else 2 for char in text)


_LIGHT_MAX: Final = 4351

# Invisible: they change how a text is set, not what it says. Tags (U+E0020 on) are kept, since
# they tell the flags of England and Scotland apart.
_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d\u200e"
    "\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069"
    "\u3164\ufeff\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
_FOLDS: Final = str.maketrans(
    dict.fromkeys(_INVISIBLE)
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bc\u2039\u203a\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f", '"')
    | dict.fromkeys("\u300c\u300d\u300e\u300f\u300a\u300b\u3008\u3009", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63", "-")
    | dict.fromkeys("\u3010\u3014\u3016", "[")
    | dict.fromkeys("\u3011\u3015\u3017", "]")
    | {"\u3001": ",", "\u3002": ".", "\u301c": "~", "\u2044": "/"}
)

# NFKC would make 102 of 10², and 11 of 1①: such signs are spelled out with a space around.
_NUMBER_IN_ONE_SIGN: Final = re.compile(
    "[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c\u2150-\u215f\u2189\u2460-\u249b\u24ea-\u24ff"
    "\u2776-\u2793\u3220-\u3247\u3251-\u325f\u3280-\u32bf\u32c0-\u32cb\u3358-\u3370\u33e0-\u33fe"
    "\U0001f100-\U0001f10c]"
)


def _spelled(match: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", match[0])
    decomposition = unicodedata.decomposition(match[0])
    if decomposition.startswith("<super>"):
        return f"^{plain}"
    if decomposition.startswith("<sub>"):
        return f"_{plain}"
    return f" {plain} "


# A sign counts that stands right before a number, whatever stands before it: v-3 is not v3.
_NUMBER: Final = re.compile(
    r"[-+±]?(?:[$€£¥₩₹]\s?)?[-+±]?\d+(?:[.,:/'^_-]\d+)*(?:\s?[%‰°]|\s?[$€£¥₩₹](?!\s?\d))?"
)
# Besides every symbol, and every sign newer than this Python's tables, such as new emoji: marks
# that change what is said, and the tags that tell one flag from another.
_MEANINGFUL: Final = "%‰#@&*/\\?\u055e\u061f\u203d_" + "".join(map(chr, range(0xE0020, 0xE0080)))
_SYMBOLS: Final = ("S", "Cn", "Co")


class _Kept(dict[int, int | None]):
    """A table for `str.translate` that learns each sign when it first meets it."""

    def __init__(self, kinds: tuple[str, ...], also: str) -> None:
        super().__init__()
        self._kinds = kinds
        self._also = also

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        is_kept = unicodedata.category(char).startswith(self._kinds) or char in self._also
        self[code] = code if is_kept else None
        return self[code]


_LETTERS: Final = _Kept(("L", "M", "N"), "")
_MEANING: Final = _Kept(("L", "M", "N", *_SYMBOLS), _MEANINGFUL)
_SIGNS: Final = _Kept(_SYMBOLS, _MEANINGFUL)
