"""Ways in which a post is nearly ours and is not, and ways in which ours may read otherwise.

A change that leaves the text as it was would make a false label; each one here changes something
that a reader sees, and says what.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.matching_cases.as_x_shows import Typed, Url
from tests.matching_cases.world import (
    Draft,
    new_draft,
    new_link,
    other_adjective,
    other_negation,
    other_subject,
    words,
)

if TYPE_CHECKING:
    import random


def with_other_word(rng: random.Random, draft: Draft) -> Draft:
    """Change the subject, or the adjective where the text has one."""
    if "{a}" in draft.lead and rng.random() < 0.5:
        return replace(draft, adjective=other_adjective(rng, draft))
    return replace(draft, subject=other_subject(rng, draft))


def with_the_opposite(draft: Draft) -> Draft:
    """Put a "not" in, or take it out."""
    return replace(draft, negation=other_negation(draft))


def with_other_number(rng: random.Random, draft: Draft) -> Draft:
    """Change one number so that few characters differ."""
    at = rng.randrange(len(draft.numbers))
    numbers = list(draft.numbers)
    numbers[at] = rng.choice(_nearly(numbers[at]))
    return replace(draft, numbers=tuple(numbers))


def with_other_sign(rng: random.Random, draft: Draft) -> Draft:
    """Change an emoji, a unit, a currency or a hash sign; put an emoji in where there is none."""
    changed = {"detail": draft.detail, "tag": draft.tag}
    if draft.tag.startswith("#") and rng.random() < 0.3:
        return replace(draft, tag=draft.tag.removeprefix("#"))
    for sign, other in (("%", ""), ("$", "€"), ("¥", "$"), ("₩", "¥")):
        if sign in draft.detail and rng.random() < 0.5:
            return replace(draft, detail=changed["detail"].replace(sign, other))
    emoji = [one for one in words()["emoji"] if one != draft.emoji]
    return replace(draft, emoji=rng.choice(emoji))


def edited_by_hand(rng: random.Random, draft: Draft) -> Typed:
    """Return what the writer types about the same article in a hurry."""
    other = new_draft(rng)
    own_words = replace(other, link=draft.link, subject=draft.subject)
    if own_words.typed().text == draft.typed().text:
        own_words = replace(own_words, negation=other_negation(own_words))
    return own_words.typed()


def with_other_link(rng: random.Random, draft: Draft) -> Typed:
    """Return the same words with another link, a second one, or none."""
    link = draft.link or ""
    typed = draft.typed()
    way = rng.randrange(4)
    if way == 0:
        return replace(draft, link=new_link(rng)).typed()
    if way == 1:
        return replace(typed, parts=(*typed.parts, " ", Url(new_link(rng))))
    if way == 2:
        return replace(draft, link=link.replace("://", "://other.")).typed()
    return Typed(tuple(part for part in typed.parts if isinstance(part, str)))


def with_other_marks(draft: Draft) -> Typed:
    """Return the same letters and signs, with a mark put in before the link or at the end."""
    typed = draft.typed()
    first = next(at for at, part in enumerate(typed.parts) if isinstance(part, str))
    parts = list(typed.parts)
    parts[first] = str(parts[first]).rstrip() + " ... "
    return replace(typed, parts=tuple(parts))


def without_its_link_place(draft: Draft) -> Typed:
    """Return the same words and the same link, the link in another place."""
    other = "end" if draft.link_stands == "middle" else "middle"
    return replace(draft, link_stands=other).typed()


def otherwise_typed(rng: random.Random, typed: Typed) -> Typed:
    """Return the same post as another way of reading gives it."""
    change = rng.choice(_READINGS)
    return replace(typed, parts=tuple(change(p) if isinstance(p, str) else p for p in typed.parts))


def _nearly(number: str) -> tuple[str, ...]:
    """Return numbers that differ in a sign or two."""
    digits = re.sub(r"\D", "", number)
    shifted = digits[:-1] + "." + digits[-1] if len(digits) > 1 else f"{digits}.0"
    last = str((int(digits[-1]) + 1) % 10)
    return tuple(
        one
        for one in (digits + "0", digits[:-1] + last, f"-{number}", shifted, f"{number}5")
        if one != number
    )


def _with_plain_marks(text: str) -> str:
    for fancy, plain in (
        ("“", '"'),
        ("”", '"'),
        ("—", "-"),
        ("「", "『"),
        ("」", "』"),
        ("'", "\u2019"),
    ):
        text = text.replace(fancy, plain)
    return text


def _with_wide_letters(text: str) -> str:
    """Widen the digits and capitals outside of handles and tags, as an input method may."""
    return "".join(
        chr(ord(char) + 0xFEE0) if char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" else char for char in text
    )


_READINGS = (
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: re.sub(r"\s+", "\n", text),
    lambda text: text.replace("\ufe0f", ""),
    lambda text: (
        "\u200b".join(text.split("o")).join(("\u2067", "\u2069"))
        if "o" not in text
        else text.replace(" ", " \u200b")
    ),
    lambda text: text.replace("\u200d", ""),
    _with_plain_marks,
    _with_wide_letters,
    lambda text: text.replace("\u2026", "").replace("!", "."),
    str.upper,
)
