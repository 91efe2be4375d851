"""A look at a healthy profile: everything of the window is read, in both tabs, from both sources."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from browser.look_facts import LookEnd
from tests.browser.looking import LINK, Seeds, id_at, look_at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY_S = 86_400


async def test_a_post_inside_the_window_is_read_with_its_facts(desk: Desk, tmp_path: Path) -> None:
    """Link, text and time come from the answer, and the page is opened once."""
    person = desk.person()
    seeds = Seeds(x=desk.x, person=person)
    seeds.posts(3, from_s=DAY_S)
    wanted = seeds.post(f"On lost answers & what they cost. {LINK}", age_s=60)

    report = await look_at(desk, person, since_id=id_at(600), folder=tmp_path)

    assert (report.void, report.end, report.reaches_back) == (None, LookEnd.READ, True)
    assert report.candidate_ids == (wanted,)
    assert report.posts[0].id == wanted
    assert report.posts[0].text.startswith("On lost answers &amp; what they cost. https://t.co/")
    assert report.posts[0].author_id == person.user_id
    assert (report.page_loads, report.disagreements) == (1, ())


async def test_the_evidence_is_each_candidates_article_and_the_own_posts_only(
    desk: Desk, tmp_path: Path
) -> None:
    """One picture, the answers' own posts of the window, the manifest; nothing of the page."""
    person = desk.person()
    seeds = Seeds(x=desk.x, person=person)
    seeds.posts(3, from_s=DAY_S)
    wanted = seeds.post(f"An essay. {LINK}", age_s=60)

    await look_at(desk, person, since_id=id_at(600), folder=tmp_path)

    kept = json.loads((tmp_path / "answers.json").read_text())
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert {path.name for path in tmp_path.iterdir()} == {
        *(f"candidate-{wanted}.jpg", "answers.json", "manifest.json"),
    }
    assert [[post["rest_id"] for post in tab["posts"]] for tab in kept] == [[wanted], [wanted]]
    assert manifest["facts"]["look"]["end"] == "read"
