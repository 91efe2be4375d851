from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.ids import PostId
from agent.domain.matching.policy import MatchPolicy
from agent.domain.matching.terms import (
    AttemptTimes,
    Gate,
    Grade,
    Outcome,
    SeenLink,
    SeenPost,
    Sibling,
)
from agent.domain.matching.verdict import MatchRefused, match
from tests.domain.matching.made import CLICKED_AT, LINK, link, post, segment, wanted
from tests.matching_cases.measure import labelled_cases

if TYPE_CHECKING:
    from agent.domain.matching.terms import Wanted

POLICY = MatchPolicy()
SIBLING = Sibling(
    segments=(segment(),),
    attempt=AttemptTimes(clicked_at=CLICKED_AT, released_at=None, baseline_id=PostId("1")),
)
NEEDED_OF_A_POST = ("id", "author_id", "kind", "text", "links")
JUNK = st.one_of(
    st.none(),
    st.text(max_size=40),
    st.sampled_from(("", "\ud800", "\ufdd0", "0" * 5000, "&#x0;", "https://[::1", "%ff%", "…")),
)
JUNK_POSTS = st.builds(
    SeenPost,
    id=st.one_of(JUNK, st.integers(0, 2**63).map(str)),
    author_id=st.one_of(JUNK, st.just("42")),
    author_handle=JUNK,
    source=st.sampled_from(("answer", "dom")),
    kind=st.sampled_from((None, "post", "reply")),
    text=st.one_of(JUNK, st.just(f"Slow software: 3 ways out {LINK}")),
    links=st.none()
    | st.lists(st.builds(SeenLink, shown=JUNK, href=JUNK, expanded=JUNK), max_size=3).map(tuple),
    card_domain=JUNK,
    pinned=st.none(),
    truncated=st.sampled_from((None, True, False)),
    edited=st.none(),
    media_count=st.none() | st.integers(0, 5),
)


def test_ours_alone_is_unique_and_passes_every_gate() -> None:
    """The plain case: each gate was asked and passed, and nothing is left to explain."""
    verdict = match(wanted(), [post()], POLICY)

    assert verdict.outcome is Outcome.UNIQUE
    assert dict.fromkeys(Gate, True) == dict(verdict.candidates[0].gates)
    assert verdict.candidates[0].reasons == ()


@pytest.mark.parametrize("name", NEEDED_OF_A_POST)
def test_what_is_not_known_of_a_post_confirms_nothing(name: str) -> None:
    """Each fact that the rule needs, taken away, sends the post to a person, with a reason."""
    verdict = match(wanted(), [post(**{name: None})], POLICY)

    assert verdict.outcome is Outcome.AMBIGUOUS
    assert verdict.id is None
    assert verdict.candidates[0].reasons


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param({"baseline_id": None}, id="baseline"),
        pytest.param({"baseline_id": "x1"}, id="a baseline that is no number"),
        pytest.param({"clicked_at": None, "released_at": None}, id="click and release"),
    ],
)
def test_what_is_not_known_of_the_attempt_confirms_nothing(attempt: dict[str, Any]) -> None:
    """Without a baseline or a start of the window, no post is known to be newer."""
    job = wanted(attempt=replace(wanted().attempt, **attempt))

    assert match(job, [post()], POLICY).outcome is Outcome.AMBIGUOUS


@pytest.mark.parametrize(
    ("after_s", "outcome"),
    [(-5.001, "none"), (-5, "unique"), (0, "unique"), (605, "unique"), (605.001, "none")],
)
def test_the_window_is_open_five_seconds_at_both_ends(after_s: float, outcome: str) -> None:
    """From five seconds before the click to five seconds from now, by the time in the id."""
    at_ms = int((CLICKED_AT + timedelta(seconds=after_s)).timestamp() * 1000 + 0.5)
    seen = post(id=PostId(str(at_ms - 1_288_834_974_657 << 22)))

    assert outcome == match(wanted(), [seen], POLICY).outcome


def test_two_posts_of_ours_are_marked_a_duplicate() -> None:
    """Both are shown, none is confirmed."""
    second = post(id=PostId(str(int(post().id or 0) + 1)))

    verdict = match(wanted(), [post(), second], POLICY)

    assert verdict.outcome is Outcome.AMBIGUOUS
    assert "duplicate" in verdict.reasons
    assert {one.id for one in verdict.candidates} == {post().id, second.id}


def test_an_open_sibling_of_the_same_text_stops_a_confirmation() -> None:
    """Whose post it is cannot be told, and it is no duplicate where each job has one."""
    second = post(id=PostId(str(int(post().id or 0) + 1)))
    job = wanted(open_siblings=(SIBLING,))

    assert match(job, [post()], POLICY).outcome is Outcome.AMBIGUOUS
    assert "duplicate" not in match(job, [post(), second], POLICY).reasons


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        pytest.param("Slow software: 3 ways out", "unique", id="equal"),
        pytest.param("Slow software: three ways out", "ambiguous", id="another word"),
        pytest.param("Slow software - 3 ways out!", "unique", id="other marks"),
        pytest.param("Coffee first", "ambiguous", id="another text"),
    ],
)
def test_our_marker_stands_for_the_link(text: str, outcome: str) -> None:
    """The marker is strong where the link's path is another; the text still has to be near."""
    final = f"{LINK}?utm_content=pp1"
    job = wanted(
        segments=(segment(text=f"Slow software: 3 ways out {final}", link=final),),
        marker="utm_content=pp1",
    )
    seen = post(text=f"{text} {link().href}", links=(link(expanded=f"{LINK}/amp?utm_content=pp1"),))

    assert outcome == match(job, [seen], POLICY).outcome


def test_an_edited_text_that_stays_near_is_ours_by_the_marker() -> None:
    """A marker belongs to one intent, so a letter mended by the writer does not hide it."""
    final = f"{LINK}?utm_content=pp1"
    job = wanted(
        segments=(segment(text=f"Slow softwear: 3 ways out {final}", link=final),),
        marker="utm_content=pp1",
    )

    verdict = match(job, [post(links=(link(expanded=final),), edited=True)], POLICY)

    assert verdict.outcome is Outcome.UNIQUE
    assert verdict.candidates[0].grade is Grade.NEAR


def test_a_person_sees_the_likeliest_first() -> None:
    """What may be ours is ranked by how alike it is; what cannot be ours comes behind it."""
    base = int(post().id or 0)
    texts = ("Coffee first, then software", "Slow software: 3 ways in", "Slow software")
    posts = [
        post(id=PostId(str(base + at)), text=f"{text} {link().href}")
        for at, text in enumerate(texts)
    ]
    repost = post(id=PostId(str(base + 9)), kind="repost")

    verdict = match(wanted(), [*posts, repost], POLICY)

    order = [int(one.id or 0) - base for one in verdict.candidates]
    assert order == [1, 2, 0, 9]


def test_the_order_of_reading_changes_no_verdict() -> None:
    """The posts of a look come in any order."""
    for case in labelled_cases(seed=11, count=150):
        shuffled = list(case.posts)
        random.Random(case.seed).shuffle(shuffled)  # noqa: S311 - for variety

        first, second = (match(case.wanted, posts, POLICY) for posts in (case.posts, shuffled))

        assert (first.outcome, first.id) == (second.outcome, second.id), case.seed


def test_a_long_look_gets_the_verdict_of_a_short_one() -> None:
    """Comparing only what no cheap gate excludes changes no verdict."""
    hasty = replace(POLICY, compared_max=0)

    for case in labelled_cases(seed=12, count=300):
        full, short = (match(case.wanted, case.posts, one) for one in (POLICY, hasty))

        assert (full.outcome, full.id) == (short.outcome, short.id), case.seed
        assert {one.id for one in full.candidates} == {one.id for one in short.candidates}


@given(posts=st.lists(JUNK_POSTS, max_size=6))
def test_junk_confirms_nothing_and_breaks_nothing(posts: list[SeenPost]) -> None:
    """Whatever a reader brings, a verdict comes of it; a unique one names a post of the author."""
    verdict = match(wanted(), posts, POLICY)

    authors = {one.author_id for one in posts if one.id == verdict.id}
    assert verdict.outcome is not Outcome.UNIQUE or authors == {"42"}
    assert len(verdict.candidates) <= len(posts)


@given(text=st.text(max_size=120))
def test_what_x_stores_as_typed_is_found(text: str) -> None:
    """Any text is found again in X's answer, also where X links less of it than our library."""
    job = wanted(segments=(segment(text=f"x {text} {LINK}"),))
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    verdict = match(job, [post(text=f"x {escaped} {link().href}")], POLICY)

    assert verdict.outcome is not Outcome.NONE or "t.co" in text


@pytest.mark.parametrize(
    ("job", "count"),
    [
        pytest.param(wanted(), POLICY.posts_max + 1, id="posts"),
        pytest.param(wanted(segments=()), 1, id="no text"),
        pytest.param(wanted(segments=(segment(text="x" * 60_001),)), 1, id="text"),
        pytest.param(wanted(open_siblings=(SIBLING,) * 201), 1, id="siblings"),
    ],
)
def test_more_than_the_bounds_allow_is_refused(job: Wanted, count: int) -> None:
    """Absurd input ends with a sentence, not with a long wait."""
    with pytest.raises(MatchRefused):
        match(job, [post()] * count, POLICY)


def test_a_post_far_longer_than_any_is_not_ours() -> None:
    """It is not even compared."""
    seen = post(text="x" * (POLICY.text_length_max + 1))

    verdict = match(wanted(), [seen], POLICY)

    assert verdict.outcome is Outcome.AMBIGUOUS
    assert verdict.candidates[0].grade is Grade.OTHER


def test_a_post_with_more_links_than_any_has_is_not_confirmed() -> None:
    """Those beyond the bound are not read, so that its links are not known in full."""
    seen = post(links=(link(),) * (POLICY.links_max + 1))

    assert match(wanted(), [seen], POLICY).outcome is Outcome.AMBIGUOUS
