from __future__ import annotations

import pytest

from agent.domain.facts import LinkSeen, PostSeen
from agent.domain.ids import AccountId
from agent.domain.likeness import are_twins, has_link, has_same_text, shows_other_links
from agent.domain.payload import freeze
from agent.domain.text import Tier
from tests.domain.sights import EXPECTED, LINK, post

T_CO = "https://t.co/abc"
OTHER_LINK = (LinkSeen(shown="example.com/b", href=T_CO, expanded="https://example.com/b"),)
NO_EXPANSION = (LinkSeen(shown="example.com/a", href=T_CO, expanded=None),)

ALIKE = {
    "as X answers": post(),
    "escaped": post(text="Read &quot;this&quot; now: https://t.co/abc"),
    "straight quotes": post(text='Read "this" now: https://t.co/abc', source="dom"),
    "link only on the card": post(text="Read “this” now:", links=()),
    "link as shown": post(text="Read “this” now: example.com/a", source="dom"),
    "link as shown, cut": post(
        text="Read “this” now: example.com/…",
        source="dom",
        links=(LinkSeen(shown="example.com/…", href=T_CO, expanded=None),),
    ),
    "link written out": post(text=f"Read “this” now: {LINK}", source="dom", links=()),
    "link cut in a way of its own": post(text="Read “this” now: example.com/a/ve…", source="dom"),
    "link with hidden parts": post(
        text="Read “this” now: https://www.example.com/a…", source="dom"
    ),
    "other white space": post(text="Read\n“this”\u00a0now:  https://t.co/abc"),
    "full width": post(text="\uff32ead “this” now\uff1a https://t.co/abc"),
}


@pytest.mark.parametrize("seen", ALIKE.values(), ids=ALIKE)
def test_what_x_changes_by_itself_leaves_the_text_alike(seen: PostSeen) -> None:
    """Links, quotes, white space and widths are X's; letters and digits are the writer's."""
    assert has_same_text(EXPECTED, seen)


UNLIKE = {
    "a word more": post(text="Read “this” not now: https://t.co/abc"),
    "a word less": post(text="Read “this”: https://t.co/abc"),
    "another number": post(text="Read “this” now 2: https://t.co/abc"),
    "empty": post(text="", links=()),
    "a short beginning": post(text="Read", is_truncated=True, links=()),
}


@pytest.mark.parametrize("seen", UNLIKE.values(), ids=UNLIKE)
def test_one_other_word_is_another_text(seen: PostSeen) -> None:
    """One inserted "not" makes another post, however alike the rest is."""
    assert not has_same_text(EXPECTED, seen)


LONG = "One two three four five six seven eight nine ten"


def test_a_post_cut_by_show_more_agrees_with_its_beginning() -> None:
    """The beginning has to be long enough to say something."""
    expected = type(EXPECTED)(user_id=EXPECTED.user_id, handle="Writer", text=LONG, link=None)

    assert has_same_text(expected, post(text=LONG[:30], is_truncated=True, links=()))
    assert not has_same_text(expected, post(text=LONG[5:40], is_truncated=True, links=()))


def test_emoji_alone_are_compared_as_they_stand() -> None:
    """A text without letters matches its like, and nothing else."""
    expected = type(EXPECTED)(user_id=EXPECTED.user_id, handle="Writer", text="🎉 ❤️", link=None)

    assert has_same_text(expected, post(text="🎉❤", links=()))
    assert not has_same_text(expected, post(text="🎉", links=()))


LINKS = {
    "ours": (post(), True, False),
    "ours with tracking": (
        post(links=(LinkSeen(shown="x", href=T_CO, expanded=f"{LINK}?utm_source=x"),)),
        True,
        False,
    ),
    "not expanded": (post(links=NO_EXPANSION), False, False),
    "none": (post(links=()), False, False),
    "another": (post(links=OTHER_LINK), False, True),
}


@pytest.mark.parametrize(("seen", "ours", "other"), LINKS.values(), ids=LINKS)
def test_a_link_speaks_only_where_it_was_seen(seen: PostSeen, ours: bool, other: bool) -> None:  # noqa: FBT001 - columns of the table
    """Not seeing the link proves nothing; seeing another in its place does."""
    assert has_link(seen, LINK) is ours
    assert shows_other_links(EXPECTED, seen) is other


TWINS = {
    "the same text": ("A hundred boats", None, True),
    "other signs and case": ("a HUNDRED boats!", None, True),
    "one letter more": ("A hundred boatss", None, True),
    "the same text, another link": ("A hundred boats", "https://example.com/b", True),
    "another text": ("A thousand trains", None, False),
    "another text, the same link": ("Trains", "http://www.example.com/a?utm_source=x", True),
    "nothing in common": ("Trains", "https://example.com/b", False),
}


@pytest.mark.parametrize(("text", "link", "are_alike"), TWINS.values(), ids=TWINS)
def test_row_53_contents_with_one_link_or_nearly_one_text_are_twins(
    text: str, link: str | None, *, are_alike: bool
) -> None:
    """Row 53: whichever went out, nobody could tell it from the other."""
    ours, theirs = (
        freeze(account_id=AccountId("acc_1"), tier=Tier.BASIC, text=one, link=target)
        for one, target in (("A hundred boats", "https://example.com/a"), (text, link))
    )

    assert are_twins(ours, theirs, pct_min=90.0) == are_alike
    assert are_twins(theirs, ours, pct_min=90.0) == are_alike
