from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.matching.normal_form import SLOT, form_of

EQUAL = {
    "case": ("Slow SOFTWARE", "slow software"),
    "composed letters": ("caf\u00e9", "cafe\u0301"),
    "wide letters": ("\uff33\uff2c\uff2f\uff37", "slow"),
    "spaces of any kind": ("a\u00a0b\u3000c\n\nd", "a b c d"),
    "invisible signs": ("a\u200bb\u2060\ufeff\u00adc", "abc"),
    "bidi controls": ("\u2067abc\u2069\u200f", "abc"),
    "quotes": ("\u201ca\u201d \u2018b\u2019 \u300cc\u300d \u00abd\u00bb", '"a" \'b\' "c" "d"'),
    "dashes": ("a\u2014b\u2013c\u2212d", "a-b-c-d"),
    "Chinese marks": ("\u4f60\u597d\uff0c\u4e16\u754c\u3002", "\u4f60\u597d,\u4e16\u754c."),
    "an ellipsis": ("wait\u2026", "wait..."),
    "an emoji's selector": ("\u2764\ufe0f", "\u2764"),
    "a superscript": ("10\u00b2", "10^2"),
}
DIFFERENT = {
    "a superscript and a digit": ("10\u00b2", "102"),
    "a fraction beside a digit": ("1\u00bd", "11/2"),
    "a circled digit beside a digit": ("1\u2460", "11"),
    "a long vowel and a dash": ("\u30b9\u30fc\u30d1\u30fc", "\u30b9-\u30d1-"),
    "emoji": ("\U0001f44d", "\U0001f44e"),
    "skin tones": ("\U0001f44d\U0001f3fb", "\U0001f44d"),
}
NUMBERS = {
    "a decimal point": ("1.5", "15"),
    "a thousands sign": ("1,000", "1000"),
    "a minus": ("-5", "5"),
    "a minus after a word": ("v-3", "v3"),
    "a minus after a Chinese word": ("\u6c14\u6e29-5", "\u6c14\u6e295"),
    "a unit": ("5%", "5"),
    "a currency": ("$5", "\u20ac5"),
    "a range": ("10-15", "1015"),
    "a repeated number": ("5 5", "5"),
}


@pytest.mark.parametrize(("left", "right"), EQUAL.values(), ids=EQUAL)
def test_what_reading_may_change_is_folded(left: str, right: str) -> None:
    """Two readings of one text have one normal form."""
    assert form_of(left).normal == form_of(right).normal


@pytest.mark.parametrize(("left", "right"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_a_reader_tells_apart_stays_apart(left: str, right: str) -> None:
    """Folding makes no two texts equal that say different things."""
    assert form_of(left).normal != form_of(right).normal
    assert form_of(left).meaning != form_of(right).meaning or (
        form_of(left).numbers != form_of(right).numbers
    )


@pytest.mark.parametrize(("left", "right"), NUMBERS.values(), ids=NUMBERS)
def test_numbers_differ_in_sign_separator_unit_and_count(left: str, right: str) -> None:
    """Numbers are compared as they are written, as a multiset."""
    assert form_of(left).numbers != form_of(right).numbers


def test_links_leave_the_form_and_keep_their_places() -> None:
    """A link is no part of the text; how many letters stand before it is kept."""
    form = form_of(f"See {SLOT} for 3 ways {SLOT}")

    assert form.normal == "see for 3 ways"
    assert form.places == (3, 11)


@given(text=st.text(max_size=200))
def test_the_normal_form_of_a_normal_form_is_itself(text: str) -> None:
    """Folding a second time changes nothing."""
    once = form_of(text).normal

    assert once == form_of(once).normal


@given(text=st.text(alphabet=st.characters(max_codepoint=127), max_size=200))
def test_the_short_way_for_ascii_is_the_long_way(text: str) -> None:
    """Plain text gets the form that it has behind an emoji, the emoji left out."""
    long_way = form_of("\U0001f389 " + text).normal

    assert long_way.removeprefix("\U0001f389").strip() == form_of(text).normal
