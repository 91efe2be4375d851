"""A look at a healthy profile: all of the window is read, in both tabs, from answers and page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from browser.look_facts import LookEnd
from tests.browser.looking import LINK, Seeds, id_at, look_at, names_in

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY_S = 86_400


async def test_a_post_inside_the_window_is_read_with_its_facts(desk: Desk, tmp_path: Path) -> None:
    """Link, text and time come from the answer, and the page is opened once."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    wanted = seeds.post(f"On lost answers & what they cost. {LINK}", age_s=60)

    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    assert (report.void, report.end, report.reaches_back) == (None, LookEnd.READ, True)
    assert report.candidate_ids == (wanted,)
    assert report.posts[0].id == wanted
    assert report.posts[0].text.startswith("On lost answers &amp; what they cost. https://t.co/")
    assert report.posts[0].author_id == seeds.person.user_id
    assert (report.page_loads, report.disagreements) == (1, ())


async def test_the_evidence_is_each_candidates_article_and_the_own_posts_only(
    desk: Desk, tmp_path: Path
) -> None:
    """One picture, the answers' own posts of the window, the manifest; nothing of the page."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    wanted = seeds.post(f"An essay. {LINK}", age_s=60)

    await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    kept = json.loads((tmp_path / "answers.json").read_text())
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert names_in(tmp_path) == {f"candidate-{wanted}.jpg", "answers.json", "manifest.json"}
    assert [[post["rest_id"] for post in tab["posts"]] for tab in kept] == [[wanted], [wanted]]
    assert manifest["facts"]["look"]["end"] == "read"


async def test_row_59_a_long_window_is_read_without_a_gap(desk: Desk, tmp_path: Path) -> None:
    """Seventy posts on four pages of a list that unmounts them, with the wanted one at the end."""
    seeds = Seeds.on(desk)
    seeds.posts(5, from_s=DAY_S)
    oldest = seeds.post(f"The essay. {LINK}", age_s=6_000)
    window = seeds.posts(70, from_s=60)

    report = await look_at(desk, seeds.person, since_id=id_at(7_000), folder=tmp_path)

    assert (report.void, report.candidate_ids) == (None, (oldest,))
    assert [post.id for post in report.posts][:71] == [*window, oldest]
    assert {post.id for post in report.shown} >= {*window, oldest}
    assert report.page_loads == 1
    assert (tmp_path / f"candidate-{oldest}.jpg").stat().st_size > 0


async def test_row_51_a_pinned_twin_is_read_as_pinned_and_proves_no_depth(
    desk: Desk, tmp_path: Path
) -> None:
    """The old post on top is not taken for the start of the window."""
    seeds = Seeds.on(desk)
    seeds.posts(5, from_s=2 * DAY_S)
    window = seeds.posts(25, from_s=60)
    pinned = seeds.post(f"An essay. {LINK}", age_s=DAY_S, pinned=True)

    report = await look_at(desk, seeds.person, since_id=id_at(3_600), folder=tmp_path)

    assert report.void is None
    assert {post.id for post in report.posts if post.pinned} == {pinned}
    assert {post.id for post in report.posts} >= set(window)
    assert report.reaches_back


async def test_row_51_repost_quote_and_reply_are_read_as_what_they_are(
    desk: Desk, tmp_path: Path
) -> None:
    """Each carries the text and the link, and each says its kind."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    text = f"An essay. {LINK}"
    foreign = seeds.post(text, age_s=500, author="copycat")
    kinds = {
        seeds.post(text, age_s=300): "post",
        seeds.post("", age_s=200, repost_of=foreign): "repost",
        seeds.post(text, age_s=150, quote_of=foreign): "quote",
        seeds.post(text, age_s=100, reply_to=foreign): "reply",
    }

    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    assert report.void is None
    assert {post.id: post.kind for post in report.posts if post.id in kinds} == kinds
    assert foreign not in {post.id for post in (*report.posts, *report.shown)}


async def test_row_56_our_text_inside_anothers_quote_is_no_post_of_ours(
    desk: Desk, tmp_path: Path
) -> None:
    """The repost of a quote of ours is one post of kind repost; the quoted card is none."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    ours = seeds.post(f"An essay. {LINK}", age_s=300)
    quote = seeds.post(f"An essay. {LINK}", age_s=200, author="copycat", quote_of=ours)
    repost = seeds.post("", age_s=100, repost_of=quote)

    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    assert report.void is None
    assert [(post.id, post.kind) for post in report.posts[:2]] == [
        (repost, "repost"),
        (ours, "post"),
    ]


async def test_a_reply_in_an_old_thread_proves_no_depth(desk: Desk, tmp_path: Path) -> None:
    """A conversation stands where its newest post does, whatever is above it."""
    seeds = Seeds.on(desk)
    seeds.posts(5, from_s=3 * DAY_S)
    root = seeds.post("The start of a thread.", age_s=2 * DAY_S)
    window = seeds.posts(25, from_s=400)
    reply = seeds.post(f"And on. {LINK}", age_s=60, reply_to=root)

    report = await look_at(desk, seeds.person, since_id=id_at(3_600), folder=tmp_path)

    assert (report.void, report.candidate_ids) == (None, (reply,))
    assert {post.id for post in report.posts} >= {*window, root, reply}


@pytest.mark.parametrize(
    "fault", ["promoted_entries", "missing_author", "older_shapes", "card_missing"]
)
async def test_what_is_strange_but_healthy_is_read(desk: Desk, fault: str, tmp_path: Path) -> None:
    """Advertisements, posts without an author's object, last year's shapes, cards to come."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    window = seeds.posts(12, from_s=100)
    wanted = seeds.post(f"An essay. {LINK}", age_s=60)
    desk.x.fault(fault, account=seeds.handle)

    report = await look_at(desk, seeds.person, since_id=id_at(3_600), folder=tmp_path)

    assert (report.void, report.candidate_ids) == (None, (wanted,))
    assert [post.id for post in report.posts][:13] == [wanted, *window]


TEXTS = (
    f"An essay. {LINK}",
    f"An essay, {LINK} it is called, and more of it.",
    f"See https://blog.example.org/2026/11/30/{'a-very-long-name' * 4} and {LINK} now",
    f"A family 👨‍👩‍👧‍👦, a heart ❤️, a flag 🇩🇪, a hand 👍🏽 {LINK} and a sun ☀️",
    f'R&D < 5 > 4 &amp; "quotes" {LINK} end',
    f"答案丢了 代价是什么 {LINK} 请看",
    f"First line\n\nThird line\n{LINK}\nLast",
    f"With @copycat, on #essays and $TEST {LINK} today",
    LINK,
    f"{LINK} or https://blog.example.org/other/",
    f"{LINK} and again {LINK}",
)
"""A card for the last link, a link in the middle, one cut; emoji as pictures, escapes, lines."""


async def test_row_55_what_x_hides_in_rendering_is_no_disagreement(
    desk: Desk, tmp_path: Path
) -> None:
    """Card for link, hidden middles, pictures for emoji: page and answer are read as one post."""
    seeds = Seeds.on(desk)
    seeds.posts(2, from_s=DAY_S)
    wanted = [seeds.post(text, age_s=60 + age) for age, text in enumerate(TEXTS)]

    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    assert (report.void, report.disagreements) == (None, ())
    assert report.candidate_ids == tuple(wanted)
    assert [post.id for post in report.shown][: len(wanted)] == wanted


async def test_row_55_a_post_behind_show_more_is_read_in_full(desk: Desk, tmp_path: Path) -> None:
    """The page cuts it, the answer's note has the whole text; no further page is opened."""
    seeds = Seeds.on(desk)
    seeds.posts(2, from_s=DAY_S)
    text = f"{'A long thought on lost answers. ' * 12}{LINK} And its end."
    wanted = seeds.post(text, age_s=60)
    desk.x.fault("show_more", account=seeds.handle, chars=60)

    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    assert (report.void, report.candidate_ids) == (None, (wanted,))
    assert report.posts[0].text.endswith("And its end.")
    assert (report.posts[0].truncated, report.shown[0].truncated) == (False, True)
    assert report.page_loads == 1


async def test_a_young_account_is_read_to_its_bottom(desk: Desk, tmp_path: Path) -> None:
    """Everything there is was read, and the report says that nothing older was."""
    seeds = Seeds.on(desk)
    wanted = seeds.post(f"The first post of all. {LINK}", age_s=60)

    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    assert (report.void, report.candidate_ids) == (None, (wanted,))
    assert not report.reaches_back
    assert all(tab.has_ended for tab in report.tabs)


async def test_row_57_an_edited_post_is_read_as_edited_and_a_deleted_one_not_at_all(
    desk: Desk, tmp_path: Path
) -> None:
    """The edited post has an id of its own; the deleted one leaves nothing on the profile."""
    seeds = Seeds.on(desk)
    seeds.posts(2, from_s=DAY_S)
    first = seeds.post(f"An essay. {LINK}", age_s=120)
    edited = str(desk.x.control("POST", f"/posts/{first}/edit", {"text": f"Edited. {LINK}"})["id"])
    deleted = seeds.post(f"Gone. {LINK}", age_s=60, deleted=True)

    report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    assert report.void is None
    assert [(post.id, post.edited) for post in report.posts if post.id == edited] == [
        (edited, True)
    ]
    assert deleted not in {post.id for post in report.posts}


@pytest.mark.parametrize("kind", ["notifications", "premium"])
async def test_a_sheet_over_the_profile_is_closed_by_its_own_button(
    desk: Desk, kind: str, tmp_path: Path
) -> None:
    """X's own sheet holds the page still; closed, the look goes on to the end."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    wanted = seeds.post(f"The essay. {LINK}", age_s=5_000)
    seeds.posts(30, from_s=60)
    desk.x.fault("interstitial", account=seeds.handle, kind=kind)

    report = await look_at(desk, seeds.person, since_id=id_at(6_000), folder=tmp_path)

    assert (report.void, report.candidate_ids) == (None, (wanted,))
