"""One post read on its own page: the post, that it is gone, or trouble; never a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.look_facts import Gone, PostState, VoidReason
from tests.browser.looking import LINK, Seeds, names_in, read_at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_post_is_read_from_its_answer_and_its_page(desk: Desk, tmp_path: Path) -> None:
    """Both say the same, and the article is pictured."""
    seeds = Seeds.on(desk)
    wanted = seeds.post(f"An essay & more. {LINK}", age_s=60)
    seeds.post("A reply to it.", age_s=30, author="copycat", reply_to=wanted)

    reading = await read_at(desk, seeds.person, wanted, folder=tmp_path)

    assert (reading.void, reading.state) == (None, PostState.READ)
    assert reading.post is not None
    assert reading.shown is not None
    assert reading.post.id == reading.shown.id == wanted
    assert reading.post.author_id == seeds.person.user_id
    assert reading.post.links[0].expanded == LINK
    assert names_in(tmp_path) == {"post.jpg", "answer.json", "manifest.json"}


async def test_row_55_a_cut_post_is_read_in_full_on_its_page(desk: Desk, tmp_path: Path) -> None:
    """The page of the post shows what the timeline cuts."""
    seeds = Seeds.on(desk)
    text = f"{'A long thought on lost answers. ' * 12}And its end."
    wanted = seeds.post(text, age_s=60)
    desk.x.fault("show_more", account=seeds.handle, chars=60)

    reading = await read_at(desk, seeds.person, wanted, folder=tmp_path)

    assert reading.post is not None
    assert reading.shown is not None
    assert (reading.post.text, reading.shown.text) == (text, text)


@pytest.mark.parametrize(
    ("is_tombstone", "gone"), [(False, Gone.MISSING), (True, Gone.TOMBSTONE)], ids=["gone", "grave"]
)
async def test_row_57_a_deleted_post_is_gone(
    desk: Desk, *, is_tombstone: bool, gone: Gone, tmp_path: Path
) -> None:
    """X's answer and its page say so together, and the page is pictured."""
    seeds = Seeds.on(desk)
    wanted = seeds.post(f"An essay. {LINK}", age_s=60)
    desk.x.control("DELETE", f"/posts/{wanted}?tombstone={int(is_tombstone)}")

    reading = await read_at(desk, seeds.person, wanted, folder=tmp_path)

    assert (reading.void, reading.state, reading.gone) == (None, PostState.GONE, gone)
    assert "gone.jpg" in names_in(tmp_path)


async def test_row_57_the_old_address_of_an_edited_post_still_opens(
    desk: Desk, tmp_path: Path
) -> None:
    """It is read as it was, and says that it was edited since."""
    seeds = Seeds.on(desk)
    wanted = seeds.post(f"An essay. {LINK}", age_s=60)
    desk.x.control("POST", f"/posts/{wanted}/edit", {"text": "Something else."})

    reading = await read_at(desk, seeds.person, wanted, folder=tmp_path)

    assert reading.post is not None
    assert (reading.state, reading.post.edited) == (PostState.READ, True)
    assert reading.post.text.startswith("An essay.")


async def test_a_post_of_somebody_else_is_read_as_theirs(desk: Desk, tmp_path: Path) -> None:
    """The handle in the address proves nothing: the answer says whose it is."""
    seeds = Seeds.on(desk)
    theirs = seeds.post(f"An essay. {LINK}", age_s=60, author="copycat")

    reading = await read_at(desk, seeds.person, theirs, folder=tmp_path)

    assert reading.post is not None
    assert reading.post.author_handle == "copycat"
    assert reading.post.author_id != seeds.person.user_id


TROUBLE = {
    "page-error": ("permalink_error", VoidReason.ERROR_STATE),
    "signed-out": ("signed_out", VoidReason.SIGNED_OUT),
    "wrong-account": ("wrong_account", VoidReason.WRONG_ACCOUNT),
    "locked": ("lock_page", VoidReason.LOCKED),
}


@pytest.mark.parametrize(("fault", "reason"), TROUBLE.values(), ids=TROUBLE.keys())
async def test_row_46_a_page_in_trouble_says_nothing_about_the_post(
    desk: Desk, fault: str, reason: VoidReason, tmp_path: Path
) -> None:
    """It is neither there nor gone, and the reason is named."""
    seeds = Seeds.on(desk)
    wanted = seeds.post(f"An essay. {LINK}", age_s=60)
    desk.x.fault(fault, account=seeds.handle)

    reading = await read_at(desk, seeds.person, wanted, folder=tmp_path)

    assert (reading.state, reading.gone) == (PostState.TROUBLE, None)
    assert reading.void is not None
    assert reading.void.reason is reason
