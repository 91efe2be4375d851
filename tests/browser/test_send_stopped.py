"""Before the release: whatever is wrong has its name, and the site never sees a posting request."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from browser.errors import Stopped
from browser.facts import Phase, StopCode
from browser.gate import GateState
from tests.browser.desk import Desk, Recorder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.simx.clients import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True, kw_only=True)
class Case:
    """A fault of the simulation, and how the attempt is to end."""

    fault: str
    code: StopCode
    phase: Phase | None
    wishes: dict[str, object] = field(default_factory=dict)
    bounds: dict[str, float] = field(default_factory=dict)
    text: str = "On lost answers."


IN_A_SECOND = {"hydrate_ms": 1_000.0}
CASES = {
    "row-19-signed-out": Case(fault="signed_out", code=StopCode.SIGNED_OUT, phase=None),
    "row-19-signed-out-shell": Case(
        fault="signed_out", wishes={"how": "shell"}, code=StopCode.SIGNED_OUT, phase=None
    ),
    "row-19-wrong-account": Case(
        fault="wrong_account", code=StopCode.WRONG_ACCOUNT, phase=Phase.OPENED
    ),
    "row-19-lock-page": Case(fault="lock_page", code=StopCode.LOCKED, phase=None),
    "row-19-never-hydrates": Case(
        fault="never_hydrates", code=StopCode.NEVER_HYDRATED, phase=None, bounds=IN_A_SECOND
    ),
    "row-19-scripts-fail": Case(
        fault="script_load_failure", code=StopCode.NEVER_HYDRATED, phase=None
    ),
    "profile-error": Case(
        fault="profile_error", code=StopCode.BASELINE_UNREADABLE, phase=Phase.SIGNED_IN
    ),
    "profile-rate-limited": Case(
        fault="profile_rate_limited", code=StopCode.RATE_LIMITED, phase=Phase.SIGNED_IN
    ),
    "composer-never-hydrates": Case(
        fault="never_hydrates",
        wishes={"on": "/compose/post"},
        code=StopCode.NEVER_HYDRATED,
        phase=Phase.SIGNED_IN,
        bounds=IN_A_SECOND,
    ),
    "row-20-session-lost-before-the-composer": Case(
        fault="signed_out",
        wishes={"on": "/compose/post"},
        code=StopCode.SIGNED_OUT,
        phase=Phase.SIGNED_IN,
    ),
    "row-21-line-ends-dropped": Case(
        fault="drops_newlines",
        text="One\nTwo",
        code=StopCode.TEXT_MISMATCH,
        phase=Phase.SIGNED_IN,
    ),
    "every-test-id-is-gone": Case(
        fault="no_testids", code=StopCode.COMPOSER_MISSING, phase=Phase.COMPOSED
    ),
    "row-23-over-the-limit": Case(
        fault="cookie_bar",
        text="x" * 281,
        code=StopCode.OVER_LIMIT,
        phase=Phase.COMPOSED,
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_trouble_before_the_release_is_named_and_nothing_leaves(
    desk: Desk, case: Case
) -> None:
    """The stop code says what it was, the phase how far it came, and the site saw no post."""
    person = desk.person()
    desk.x.fault(case.fault, account=person.account["handle"], **case.wishes)

    report = await desk.send(person, text=case.text, bounds=case.bounds)

    assert report.stop is not None
    assert (report.stop.code, report.phase) == (case.code, case.phase)
    assert _requests(desk, person) == []


PHASE_AFTER = {
    "opened": None,
    "signed_in": Phase.OPENED,
    "baseline": Phase.SIGNED_IN,
    "composed": Phase.SIGNED_IN,
    "armed": Phase.COMPOSED,
    "clicked": Phase.ARMED,
    "released": Phase.CLICKED,
}


@pytest.mark.parametrize("step", PHASE_AFTER)
async def test_rows_24_25_a_journal_that_refuses_stops_everything(desk: Desk, step: str) -> None:
    """A fence that is lost or a store that cannot write, at any step: nothing leaves."""
    person = desk.person()

    async def refuse() -> None:
        raise OSError("no space left on device")

    report = await desk.send(person, journal=Recorder(at={step: refuse}))

    assert report.stop is not None
    assert (report.stop.code, report.phase) == (StopCode.JOURNAL_REFUSED, PHASE_AFTER[step])
    assert _requests(desk, person) == []


async def test_a_post_that_is_there_already_is_never_sent_over(desk: Desk) -> None:
    """The journal says so by its own code, and the attempt ends with it."""
    person = desk.person()

    async def already_there() -> None:
        raise Stopped(StopCode.ALREADY_THERE, "a post with this link is on the profile")

    report = await desk.send(person, journal=Recorder(at={"baseline": already_there}))

    assert report.stop is not None
    assert report.stop.code is StopCode.ALREADY_THERE
    assert _requests(desk, person) == []


async def _cookies_go(desk: Desk) -> None:
    await desk.page.context.clear_cookies()


async def _signs_out(desk: Desk) -> None:
    desk.x.fault("signed_out")
    await desk.page.goto("https://x.com/home")


async def _other_text(desk: Desk) -> None:
    await desk.page.keyboard.insert_text(" and more")


async def _asks_to_save(desk: Desk) -> None:
    page = desk.page
    await page.locator("[role=dialog] [data-testid=app-bar-close]").last.click()
    await page.locator("[data-testid=confirmationSheetDialog]").wait_for()


async def _fetch_hangs(desk: Desk) -> None:
    await desk.page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")


async def _reposts_too(desk: Desk) -> None:
    script = """() => { document.addEventListener("click", () => fetch(
        "/i/api/graphql/abc/CreateRetweet", {method: "POST", body: "{}"}), {capture: true}); }"""
    await desk.page.evaluate(script)


async def _reposts_later(desk: Desk) -> None:
    script = """() => { fetch(
        "/i/api/graphql/abc/CreateRetweet", {method: "POST", body: "{}"}); }"""
    async with desk.page.expect_request("**/CreateRetweet"):
        await desk.page.evaluate(script)


async def _reply_instead(desk: Desk) -> None:
    script = """() => { const send = window.fetch; window.fetch = (address, options) => {
        if (!String(address).includes("CreateTweet")) return send(address, options);
        const body = JSON.parse(options.body);
        body.variables.reply = {in_reply_to_tweet_id: "1", exclude_reply_user_ids: []};
        return send(address, {...options, body: JSON.stringify(body)});
    }; }"""
    await desk.page.evaluate(script)


async def _page_closes(desk: Desk) -> None:
    await desk.page.close()


async def _page_crashes(desk: Desk) -> None:
    await desk.crash()


async def _context_closes(desk: Desk) -> None:
    await desk.page.context.close()


MEDDLING = {
    "row-20-session-lost-by-the-browser": ("composed", _cookies_go, StopCode.BROWSER_DIED),
    "row-20-session-ended-by-x": ("composed", _signs_out, StopCode.SIGNED_OUT),
    "row-21-text-changed": ("composed", _other_text, StopCode.TEXT_MISMATCH),
    "row-29-save-post-question": ("composed", _asks_to_save, StopCode.INTERSTITIAL),
    "row-22-text-changed-late": ("clicked", _other_text, StopCode.REQUEST_MISMATCH),
    "row-22-reply-instead": ("clicked", _reply_instead, StopCode.REQUEST_MISMATCH),
    "row-30-another-mutation": ("clicked", _reposts_too, StopCode.REQUEST_MISMATCH),
    "row-30-another-mutation-late": ("released", _reposts_later, StopCode.REQUEST_MISMATCH),
    "no-request": ("clicked", _fetch_hangs, StopCode.NO_REQUEST),
    "row-17-page-closed-composed": ("composed", _page_closes, StopCode.BROWSER_DIED),
    "row-17-page-closed-clicked": ("clicked", _page_closes, StopCode.BROWSER_DIED),
    "row-17-page-crash-composed": ("composed", _page_crashes, StopCode.BROWSER_DIED),
    "row-17-context-closed-clicked": ("clicked", _context_closes, StopCode.BROWSER_DIED),
}


@pytest.mark.parametrize(
    ("step", "meddle", "code"),
    MEDDLING.values(),
    ids=MEDDLING.keys(),
)
async def test_what_changes_between_the_steps_is_noticed_before_anything_leaves(
    desk: Desk, step: str, meddle: Callable[[Desk], Awaitable[None]], code: StopCode
) -> None:
    """The last checks, the body of the request and the gate catch it, each in its turn."""
    person, journal = desk.person(), Recorder(at={step: lambda: meddle(desk)})

    report = await desk.send(
        person, journal=journal, bounds={"request_ms": 1_500, "action_ms": 3_000}
    )

    assert report.stop is not None
    assert report.stop.code is code
    assert _requests(desk, person) == []


async def test_row_47_a_folder_that_cannot_be_written_stops_before_the_click(
    desk: Desk, tmp_path: Path
) -> None:
    """No evidence, no post."""
    person = desk.person()
    (tmp_path / "full").write_text("a file where the folder belongs")

    report = await desk.send(person, folder=tmp_path / "full" / "evidence")

    assert report.stop is not None
    assert (report.stop.code, report.phase) == (StopCode.EVIDENCE_UNWRITABLE, Phase.COMPOSED)
    assert _requests(desk, person) == []


@pytest.mark.parametrize("step", ["composed", "armed", "clicked", "released"])
async def test_a_cancelled_attempt_leaves_a_dead_gate(desk: Desk, step: str) -> None:
    """A lease that is lost cancels the attempt: the gate is dead before the caller knows."""
    person, here = desk.person(), asyncio.Event()

    async def wait_for_ever() -> None:
        here.set()
        await asyncio.Event().wait()

    sending = asyncio.ensure_future(desk.send(person, journal=Recorder(at={step: wait_for_ever})))
    await asyncio.wait_for(here.wait(), 30)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending

    assert desk._profile is not None
    assert (desk._profile.gate.state is GateState.DEAD) == (step != "composed")
    assert _requests(desk, person) == []


def _requests(desk: Desk, person: Person) -> list[object]:
    handle = person.account["handle"]
    return [one for one in desk.x.posting_requests() if one["account"] == handle]
