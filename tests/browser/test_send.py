"""A whole attempt on the simulated X: what is told, what is seen, what is kept."""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from browser.facts import Phase, StopCode
from tests.browser.desk import TEXT, Desk, Recorder, identity

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_post_goes_out_once_and_every_step_is_told_first(desk: Desk) -> None:
    """From the open profile to the permalink; the site has exactly what was ordered."""
    person, journal = desk.person(), Recorder()

    report = await desk.send(person, journal=journal)

    assert (report.phase, report.stop) == (Phase.PERMALINK, None)
    assert desk.truth(person) == [TEXT]
    assert journal.told == [
        *("opened", "signed_in", "baseline", "composed", "armed"),
        *("clicked", "released", "acknowledged", "permalink"),
    ]


async def test_the_report_names_post_author_and_link(desk: Desk) -> None:
    """Answer, toast and the post's own page say the same of one post of ours."""
    person = desk.person()

    report = await desk.send(person)

    assert report.answer is not None
    assert report.toast is not None
    assert report.read_back is not None
    assert report.read_back.post is not None
    assert report.identity == identity(person)
    assert report.answer.post_id == report.toast.post_id == report.read_back.post.id
    assert report.answer.author_id == report.read_back.post.author_id == person.user_id
    assert report.read_back.post.links[0].expanded == "https://blog.example.org/essay"


TEXTS = {
    "chinese": "答案丢了 代价是什么 https://blog.example.org/zh",
    "emoji": "A family 👨‍👩‍👧‍👦, a flag 🇩🇪, a hand 👍🏽 https://blog.example.org/e",
    "lines": "First line\n\nThird line\nhttps://blog.example.org/lines",
    "mention-at-the-end": "With thanks to @simx",
    "hashtag-at-the-end": "On writing #essay",
    "cashtag-at-the-start": "$TEST and more #tag",
    "quotes": "“Never” — she said, 'ever' … https://blog.example.org/q?a=1&b=2",
    "link-alone": "https://blog.example.org/alone",
    "right-to-left": "תשובה שאבדה https://blog.example.org/he",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
async def test_every_kind_of_text_arrives_as_it_was_ordered(desk: Desk, text: str) -> None:
    """The site has the text letter by letter, and no suggestion took a token of it."""
    person = desk.person()

    report = await desk.send(person, text=text)

    assert (report.stop, desk.truth(person)) == (None, [text])


async def test_a_long_post_of_a_premium_account_goes_out_whole(desk: Desk) -> None:
    """The other operation for long posts is the expected one as well."""
    person, text = desk.person(tier="premium"), "A long thought. " * 60 + "End."

    report = await desk.send(person, text=text)

    assert (report.stop, desk.truth(person)) == (None, [text])
    assert report.request is not None
    assert report.request.operation == "CreateNoteTweet"


async def test_the_evidence_is_whole_and_named_with_its_hashes(desk: Desk, tmp_path: Path) -> None:
    """Each file of the manifest is there, with the hash it says, and no file is left over."""
    await desk.send(desk.person(), folder=tmp_path / "evidence")

    manifest = json.loads((tmp_path / "evidence" / "manifest.json").read_text())
    names = {file["name"]: file["sha256"] for file in manifest["files"]}
    assert set(names) == {"composer.jpg", "answer.json", "after.jpg", "permalink.jpg"}
    for name, digest in names.items():
        content = (tmp_path / "evidence" / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest
    assert manifest["facts"]["phase"] == "permalink"


async def test_a_second_post_finds_the_first_in_its_baseline(desk: Desk) -> None:
    """The newest own post is known before anything is typed."""
    person, journal = desk.person(), Recorder()
    first = await desk.send(person)

    await desk.send(person, text="Another one.", journal=journal)

    assert first.answer is not None
    assert journal.baselines[0].newest_id == first.answer.post_id


async def test_a_rehearsal_does_everything_up_to_the_click(desk: Desk) -> None:
    """The gate is armed, the composer is cleared, nothing is sent."""
    person, journal = desk.person(), Recorder()

    report = await desk.send(person, journal=journal, is_rehearsal=True)

    assert report.stop is not None
    assert (report.stop.code, report.phase) == (StopCode.REHEARSED, Phase.ARMED)
    assert journal.told[-1] == "armed"
    assert desk.truth(person) == []


async def test_row_21_a_draft_left_over_is_pictured_and_cleared(desk: Desk) -> None:
    """What an earlier visit left behind is not sent, and not lost without a picture."""
    person = desk.person()
    desk.x.fault("stale_draft", account=person.account["handle"])

    report = await desk.send(person)

    assert (report.stop, desk.truth(person)) == (None, [TEXT])
    assert "left_over_draft" in {capture.kind for capture in report.captures if capture.path}


async def test_row_21_a_doubled_text_is_typed_once_more_on_a_fresh_page(desk: Desk) -> None:
    """The second try is right, and it alone is sent."""
    person = desk.person()
    desk.x.fault("doubles_pristine", account=person.account["handle"], on="/compose/post", times=1)

    report = await desk.send(person)

    assert (report.stop, desk.truth(person)) == (None, [TEXT])
    assert "other_text" in {capture.kind for capture in report.captures if capture.path}


@pytest.mark.parametrize("kind", ["notifications", "premium", "passkey", "security"])
async def test_row_29_a_sheet_over_the_composer_is_closed_by_its_own_button(
    desk: Desk, kind: str
) -> None:
    """X's own sheets are closed, never answered, and the post goes out."""
    person = desk.person()
    desk.x.fault("interstitial", account=person.account["handle"], on="/compose/post", kind=kind)

    report = await desk.send(person)

    assert (report.stop, desk.truth(person)) == (None, [TEXT])


@pytest.mark.parametrize("fault", ["cookie_bar", "button_id_flip"])
async def test_what_is_harmless_does_not_stop_a_post(desk: Desk, fault: str) -> None:
    """Row 29: a cookie bar; and the two names of the button, changed over."""
    person = desk.person()
    desk.x.fault(fault, account=person.account["handle"])

    report = await desk.send(person)

    assert (report.stop, desk.truth(person)) == (None, [TEXT])


async def test_a_trace_is_kept_when_it_is_asked_for(desk: Desk) -> None:
    """A debugging option: the whole attempt, to be opened in Playwright's viewer."""
    person = desk.person()
    profile = await desk.profile(person)
    profile.settings = replace(desk.settings, is_traced=True)

    report = await desk.send(person)
    profile.settings = desk.settings

    (trace,) = [capture for capture in report.captures if capture.kind == "trace"]
    assert (report.stop, trace.failure) == (None, None)
    assert trace.path is not None
    assert zipfile.is_zipfile(trace.path)
