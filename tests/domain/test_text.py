from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from twitter_text import parse_tweet  # type: ignore[import-untyped]  # the library has no types

from agent.domain.text import TextRefused, Tier, length_max, normal_text, weighted_length

HERE = Path(__file__).parent
OWN: list[dict[str, Any]] = json.loads((HERE / "text_vectors.json").read_text())


@pytest.mark.parametrize("case", OWN, ids=[case["name"] for case in OWN])
def test_lengths_are_counted_as_x_counts(case: dict[str, Any]) -> None:
    """Links count 23, an emoji 2 however it is built, CJK 2, most of the rest 1."""
    length = weighted_length(case["text"])

    assert length == case["length"]


def conformance() -> list[dict[str, Any]]:
    """Return X's own vectors where a checkout has them beside it; they are not ours to commit."""
    path = HERE.parents[2] / "shared" / "samples" / "text" / "validate.yml"
    if not path.exists():
        return []
    tests = yaml.safe_load(path.read_text())["tests"]
    groups = ("WeightedTweetsWithDiscountedEmojiCounterTest", "UnicodeDirectionalMarkerCounterTest")
    return [case for group in groups for case in tests[group]]


def test_the_lengths_of_the_conformance_vectors_agree() -> None:
    """Every vector of twitter-text that counts emoji as X does, counts the same here."""
    wrong = [
        case["description"]
        for case in conformance()
        if weighted_length(case["text"]) != case["expected"]["weightedLength"]
    ]

    assert wrong == []


def test_a_link_with_a_new_top_level_domain_counts_as_a_link() -> None:
    """Our own link counts 23 even where the library's list does not know its domain."""
    link = "https://blog.newest-domain/a-long-path-that-is-much-longer-than-that"

    length = weighted_length(f"Read {link}", link)

    assert length == len("Read ") + 23


def test_the_tier_decides_how_long_a_post_may_be() -> None:
    """280 for most, 25,000 for those who pay."""
    assert length_max(Tier.BASIC) == 280
    assert length_max(Tier.PREMIUM) == 25_000


SAME_TEXT = {
    "windows line ends": ("a\r\nb", "a\nb"),
    "old line ends": ("a\rb", "a\nb"),
    "decomposed": (unicodedata.normalize("NFD", "Café ü"), "Café ü"),
    "white space around": ("\n  a b \n", "a b"),
    "blank line inside": ("a\n\nb", "a\n\nb"),
    "joined emoji": ("👩‍💻", "👩‍💻"),
}


@pytest.mark.parametrize(("raw", "normal"), SAME_TEXT.values(), ids=SAME_TEXT)
def test_text_has_one_form(raw: str, normal: str) -> None:
    """NFC, LF, nothing around it; what is inside stays."""
    assert normal_text(raw) == normal


REFUSED = {
    "null": "a\x00b",
    "tab": "a\tb",
    "escape": "a\x1b[31mb",
    "next line": "a\x85b",
    "line separator": "a\u2028b",
    "byte order mark": "\ufeffa",
    "not a character": "a\uffff",
    "lone surrogate": "a\ud800b",
}


@pytest.mark.parametrize("raw", REFUSED.values(), ids=REFUSED)
def test_characters_that_do_not_survive_a_post_are_refused(raw: str) -> None:
    """They are named and refused, never dropped in silence."""
    with pytest.raises(TextRefused, match=r"U\+[0-9A-F]{4}"):
        normal_text(raw)


@given(
    st.text(
        st.characters(
            exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff\ufffe\uffff"
        )
    )
)
def test_the_normal_form_is_its_own_normal_form(raw: str) -> None:
    """Normalising twice changes nothing, and never makes a text longer for X."""
    once = normal_text(raw)

    assert normal_text(once) == once
    assert weighted_length(once) <= int(parse_tweet(raw).weightedLength)
