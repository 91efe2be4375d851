"""After the release: whatever comes back is reported as it came, and one click is one post."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from browser.facts import Phase, StopCode
from tests.browser.desk import TEXT, Desk, Recorder
from tests.browser.processes import which
from tests.browser.waiting import until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True, kw_only=True)
class Case:
    """A fault of the simulation, how far the attempt comes, and what the site then has."""

    fault: str
    phase: Phase
    posts: int
    code: StopCode | None = None
    wishes: dict[str, object] = field(default_factory=dict)
    bounds: dict[str, float] = field(default_factory=dict)


def _lost(fault: str, posts: int) -> Case:
    return Case(
        fault=fault,
        phase=Phase.RELEASED,
        code=StopCode.OFFLINE,
        posts=posts,
        bounds={"toast_without_answer_ms": 200.0},
    )


def _whole(fault: str, **wishes: object) -> Case:
    return Case(fault=fault, phase=Phase.PERMALINK, posts=1, wishes=wishes)


CASES = {
    "row-32-answer-lost-with-effect": _lost("answer_lost_after_store", 1),
    "row-32-answer-lost-without-effect": _lost("answer_lost_before_store", 0),
    "row-35-reset-with-effect": _lost("reset_after_store", 1),
    "row-35-reset-without-effect": _lost("reset_before_store", 0),
    "row-35-close-with-effect": _lost("close_after_store", 1),
    "row-35-goaway-with-effect": _lost("goaway_after_store", 1),
    "row-36-answer-late": _whole("delay_ms", ms=2_000),
    "row-42-no-toast": _whole("no_toast"),
    "row-42-toast-of-another-post": _whole("toast_foreign_link"),
    "row-42-toast-in-another-language": _whole("toast_locale", locale="ja"),
    "row-43-graduated-access": _whole("graduated_access_redirect"),
    "row-46-permalink-error": Case(
        fault="permalink_error",
        phase=Phase.ACKNOWLEDGED,
        posts=1,
        bounds={"permalink_ms": 1_500.0},
    ),
    "error-beside-data": _whole("error_beside_data"),
    "visibility-wrapper": _whole("visibility_wrapper"),
    "row-37-answer-too-late": Case(
        fault="delay_ms",
        wishes={"ms": 60_000},
        bounds={"answer_ms": 1_000.0},
        phase=Phase.RELEASED,
        code=StopCode.TIMED_OUT,
        posts=1,
    ),
    "row-44-undo-send": Case(
        fault="undo_send_ms",
        wishes={"ms": 2_500},
        bounds={"request_ms": 1_000.0},
        phase=Phase.PERMALINK,
        posts=1,
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_after_the_release_the_report_says_what_came_and_one_click_is_one_post(
    desk: Desk, case: Case
) -> None:
    """The duplicate filter of the site is off: only the gate keeps the browser from resending."""
    person = desk.person()
    desk.x.fault("no_duplicate_check", account=person.account["handle"])
    desk.x.fault(case.fault, account=person.account["handle"], **case.wishes)

    report = await desk.send(person, bounds=case.bounds)

    assert report.phase is case.phase
    assert (report.stop.code if report.stop else None) is case.code
    assert desk.truth(person) == [TEXT] * case.posts


SOON = {"toast_without_answer_ms": 200.0}
REFUSALS = ["187", "186", "226", "344", "326", "64", "32", "89", "353", "88", "131", "185", "214"]


@pytest.mark.parametrize("code", REFUSALS)
async def test_rows_38_to_41_a_refusal_is_reported_with_its_code(desk: Desk, code: str) -> None:
    """The answer came; the code is X's own, and nothing is judged here."""
    person = desk.person()
    desk.x.fault("graphql_error", account=person.account["handle"], code=int(code))

    report = await desk.send(person, bounds=SOON)

    assert report.answer is not None
    assert (report.phase, report.answer.codes) == (Phase.ACKNOWLEDGED, (code,))
    assert (report.answer.post_id, desk.truth(person)) == (None, [])


@pytest.mark.parametrize(
    ("fault", "posts"),
    [("error_500_after_store", 1), ("error_500_before_store", 0)],
    ids=["with-effect", "without-effect"],
)
async def test_row_33_a_server_error_is_reported_with_its_status(
    desk: Desk, fault: str, posts: int
) -> None:
    """500 says nothing about whether the post is out."""
    person = desk.person()
    desk.x.fault(fault, account=person.account["handle"])

    report = await desk.send(person, bounds=SOON)

    assert report.answer is not None
    assert (report.answer.status, report.answer.post_id) == (500, None)
    assert len(desk.truth(person)) == posts


@pytest.mark.parametrize(
    ("fault", "posts"),
    [("empty_result_stored", 1), ("empty_result_not_stored", 0)],
    ids=["stored", "not-stored"],
)
async def test_row_34_an_empty_result_is_reported_as_one(
    desk: Desk, fault: str, posts: int
) -> None:
    """200 with `tweet_results: {}` has no id and no error."""
    person = desk.person()
    desk.x.fault(fault, account=person.account["handle"])

    report = await desk.send(person, bounds=SOON)

    assert report.answer is not None
    assert (report.answer.status, report.answer.empty_result) == (200, True)
    assert len(desk.truth(person)) == posts


async def test_row_45_an_id_of_another_author_is_reported_as_such(desk: Desk) -> None:
    """Whose id it is stands beside it."""
    person = desk.person()
    desk.x.fault("foreign_author_in_answer", account=person.account["handle"])

    report = await desk.send(person, bounds={"permalink_ms": 1_500})

    assert report.answer is not None
    assert report.answer.post_id is not None
    assert report.answer.author_id not in {None, person.user_id}


async def test_row_22_a_redirect_of_the_post_is_cut_off(desk: Desk) -> None:
    """307 would make the browser post again by itself: it does not get that far."""
    person = desk.person()
    desk.x.fault("no_duplicate_check", account=person.account["handle"])
    desk.x.fault("redirect_307", account=person.account["handle"], times=1, stored=True)

    report = await desk.send(person, bounds=SOON)

    assert report.answer is not None
    assert (report.answer.status, report.answer.post_id) == (307, None)
    assert desk.truth(person) == [TEXT]


async def _renderer_dies(desk: Desk) -> None:
    await desk.crash()


def _dies(whom: str) -> Callable[[Desk], Awaitable[None]]:
    async def kill(_desk: Desk) -> None:
        os.kill(which(os.getpid(), whom), signal.SIGKILL)

    return kill


DEATHS = {
    "driver": _dies("driver"),
    "browser": _dies("browser"),
    "renderer": _renderer_dies,
    "network": _dies("network"),
}


@pytest.mark.parametrize("die", DEATHS.values(), ids=DEATHS.keys())
async def test_row_31_a_kill_after_the_release_is_reported_as_released(
    desk: Desk, die: Callable[[Desk], Awaitable[None]]
) -> None:
    """Whoever dies while the answer is waited for: the phase says that the post may be out."""
    person = desk.person()
    desk.x.fault("delay_ms", account=person.account["handle"], ms=3_000)
    released = asyncio.Event()

    async def tell() -> None:
        released.set()

    sending = asyncio.ensure_future(
        desk.send(
            person,
            journal=Recorder(at={"released": tell}),
            bounds={**SOON, "ping_every_s": 0.3, "ping_timeout_s": 1},
        )
    )
    await asyncio.wait_for(released.wait(), 30)
    await until(lambda: desk.truth(person))
    await die(desk)
    report = await sending

    assert report.phase is Phase.RELEASED
    assert (len(desk.truth(person)), report.answer and report.answer.post_id) == (1, None)


async def test_row_47_evidence_that_cannot_be_kept_after_the_answer_changes_nothing(
    desk: Desk, tmp_path: Path
) -> None:
    """The post is acknowledged and read back; the captures are recorded as failed."""
    person, folder = desk.person(), tmp_path / "evidence"

    async def fill_the_disk() -> None:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
        folder.write_text("a file where the folder belongs")

    report = await desk.send(
        person, folder=folder, journal=Recorder(at={"released": fill_the_disk})
    )

    assert (report.phase, report.stop) == (Phase.PERMALINK, None)
    failed = {capture.kind for capture in report.captures if capture.failure}
    assert {"answer", "after", "permalink", "manifest"} <= failed
