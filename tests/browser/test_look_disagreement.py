"""Page and answers that differ: the look is void, and says in what."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.look_facts import PostState, VoidReason
from tests.browser.looking import LINK, Seeds, id_at, look_at, read_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Route

    from tests.browser.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")

APP = Path(__file__).parents[2] / "fixtures" / "simx" / "static" / "app"
DAY_S = 86_400


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A fault in the page's own scripts, and what it makes page and answers differ in."""

    script: str
    line: str
    instead: str
    what: set[str]


FAULTS = {
    "another-text": Fault(
        script="tweet-text.js",
        line="post.text.full : post.text.short;",
        instead='post.text.full : post.text.short.replace("not ", "");',
        what={"text"},
    ),
    "another-link": Fault(
        script="tweet-text.js",
        line="      href: url.url,",
        instead='      href: url.url + "x",',
        what={"links"},
    ),
    "not-shown": Fault(
        script="entries.js",
        line="  if (isPost(result)) {",
        instead='  if (isPost(result) && !result.legacy.full_text.includes("not")) {',
        what={"presence"},
    ),
    "another-id": Fault(
        script="article.js",
        line="      href: `/${post.author.handle}/status/${post.id}`,",
        instead="      href: `/${post.author.handle}/status/9${post.id.slice(1)}`,",
        what={"presence"},
    ),
}


@asynccontextmanager
async def _broken(desk: Desk, seeds: Seeds, fault: Fault) -> AsyncIterator[None]:
    """Lets the page load one of its scripts with a fault in it."""
    source = (APP / fault.script).read_text(encoding="utf-8")
    assert fault.line in source

    async def answer(route: Route) -> None:
        await route.fulfill(
            content_type="text/javascript",
            headers={"access-control-allow-origin": "*"},
            body=source.replace(fault.line, fault.instead),
        )

    profile = await desk.profile(seeds.person)
    await profile._context.route(f"**/{fault.script}", answer)
    try:
        yield
    finally:
        await profile._context.unroute(f"**/{fault.script}")


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
async def test_a_page_that_differs_from_its_answers_makes_a_look_void(
    desk: Desk, fault: Fault, tmp_path: Path
) -> None:
    """The post, and in what it differs, are in the report; what the answers say is kept."""
    seeds = Seeds.on(desk)
    seeds.posts(3, from_s=DAY_S)
    wanted = seeds.post(f"This is not so. {LINK} Indeed.", age_s=60)

    async with _broken(desk, seeds, fault):
        report = await look_at(desk, seeds.person, since_id=id_at(600), folder=tmp_path)

    assert report.void is not None
    assert report.void.reason is VoidReason.DISAGREEMENT
    assert {one.what for one in report.disagreements} == fault.what
    assert wanted in {one.post_id for one in report.disagreements}


async def test_a_post_page_that_differs_from_its_answer_is_trouble(
    desk: Desk, tmp_path: Path
) -> None:
    """Both readings are kept, and neither is believed."""
    seeds = Seeds.on(desk)
    wanted = seeds.post("This is not so.", age_s=60)
    fault = Fault(
        script="tweet-text.js",
        line="post.text.full : post.text.short;",
        instead='post.text.full.replace("not ", "") : post.text.short;',
        what={"text"},
    )

    async with _broken(desk, seeds, fault):
        reading = await read_at(desk, seeds.person, wanted, folder=tmp_path)

    assert reading.state is PostState.TROUBLE
    assert reading.void is not None
    assert reading.void.reason is VoidReason.DISAGREEMENT
    assert reading.post is not None
    assert reading.post.text == "This is not so."
