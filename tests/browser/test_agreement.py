"""What X hides when it renders is no difference; everything else is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from browser.agreement import differences
from browser.facts import Link, PostFacts

ESSAY = Link(
    shown="blog.example.org/2026/11/on-lost…",
    href="https://t.co/AAAAAAAAA1",
    expanded="https://blog.example.org/2026/11/on-lost-answers/",
)
OTHER = Link(
    shown="blog.example.org/other",
    href="https://t.co/AAAAAAAAA2",
    expanded="https://blog.example.org/other",
)
ANSWER = PostFacts(
    id="21",
    author_id="7",
    author_handle="Ada_Writes",
    source="answer",
    kind="post",
    text="On lost answers &amp; more: https://t.co/AAAAAAAAA1 and what they cost.",
    links=(ESSAY,),
    card_domain=None,
    pinned=False,
    truncated=False,
    edited=False,
    media_count=0,
    created_at=None,
)
PAGE = replace(
    ANSWER,
    author_id=None,
    author_handle="ada_writes",
    source="dom",
    text=f"On lost answers & more: {ESSAY.expanded} and what they cost.",
)
LAST = replace(ANSWER, text="An essay\nin two lines https://t.co/AAAAAAAAA1")
PICTURE = replace(
    ANSWER,
    text="A desk https://t.co/PICTURE001",
    links=(),
    media_hrefs=("https://t.co/PICTURE001",),
)
REPLY = replace(ANSWER, kind="reply", text="@copycat @ada_writes Thank you!", links=())
NOTE = replace(ANSWER, text=f"{'A long thought & more. ' * 20}The end.", links=())
TWICE = replace(
    ANSWER, text="https://t.co/AAAAAAAAA1 and https://t.co/AAAAAAAAA1", links=(ESSAY, ESSAY)
)

SAME = {
    "shown-in-full": (ANSWER, PAGE),
    "no-handle-told": (replace(ANSWER, author_handle=None), PAGE),
    "link-cut": (
        ANSWER,
        replace(
            PAGE,
            text=f"On lost answers & more: {ESSAY.shown} and what they cost.",
            links=(replace(ESSAY, expanded=None),),
        ),
    ),
    "last-link-behind-its-card": (LAST, replace(PAGE, text="An essay in two lines", links=())),
    "picture-address-hidden": (PICTURE, replace(PAGE, text="A desk", links=())),
    "names-hidden-in-a-reply": (REPLY, replace(PAGE, text="Thank you!", links=())),
    "cut-by-show-more": (
        NOTE,
        replace(PAGE, text="A long thought & more. A long…", links=(), truncated=True),
    ),
    "emoji-by-another-spelling": (
        replace(ANSWER, text="A heart ❤\ufe0f", links=()),
        replace(PAGE, text="A heart ❤", links=()),
    ),
    "escapes-typed-by-hand": (
        replace(ANSWER, text="Write &amp;amp; for it", links=()),
        replace(PAGE, text="Write &amp; for it", links=()),
    ),
    "one-link-twice": (
        TWICE,
        replace(PAGE, text=f"{ESSAY.expanded} and", links=(ESSAY,)),
    ),
}


@pytest.mark.parametrize(("answer", "page"), SAME.values(), ids=SAME.keys())
def test_what_x_hides_is_no_difference(answer: PostFacts, page: PostFacts) -> None:
    """The page shows the same post in its own way."""
    assert list(differences(answer, page)) == []


DIFFERENT = {
    "one-word-more": (ANSWER, replace(PAGE, text=PAGE.text.replace("cost", "do not cost")), "text"),
    "one-number": (
        replace(ANSWER, text="Part 1 of 3", links=()),
        replace(PAGE, text="Part 2 of 3", links=()),
        "text",
    ),
    "cut-from-another-text": (
        NOTE,
        replace(PAGE, text="Another thought…", links=(), truncated=True),
        "text",
    ),
    "nothing-shown": (NOTE, replace(PAGE, text="", links=()), "text"),
    "nothing-before-show-more": (NOTE, replace(PAGE, text="", links=(), truncated=True), "text"),
    "another-link": (
        ANSWER,
        replace(
            PAGE,
            text=PAGE.text.replace(ESSAY.expanded or "", "https://blog.example.org/other"),
            links=(OTHER,),
        ),
        "links",
    ),
    "same-address-of-another-link": (
        ANSWER,
        replace(
            PAGE,
            text=f"On lost answers & more: {OTHER.expanded} and what they cost.",
            links=(replace(OTHER, href=ESSAY.href),),
        ),
        "links",
    ),
    "a-link-that-no-answer-has": (
        replace(ANSWER, text="See", links=()),
        replace(PAGE, text=f"See {OTHER.expanded}", links=(OTHER,)),
        "links",
    ),
    "another-author": (ANSWER, replace(PAGE, author_handle="copycat"), "author"),
}


@pytest.mark.parametrize(("answer", "page", "what"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_everything_else_is_a_difference(answer: PostFacts, page: PostFacts, what: str) -> None:
    """It is named, with what either of them says."""
    assert [found for found, _, _ in differences(answer, page)] == [what]
