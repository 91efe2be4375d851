"""One account's browser: its folder, its lock, its kept session, and how it ends."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from browser import stored_session
from browser.errors import BrowserDied, BrowserMissing, GateRefused, ProfileBusy, Stopped
from browser.facts import Identity, Stop, StopCode
from browser.gate import GateState
from browser.launch import BrowserSettings, open_profile
from browser.policy import BrowserPolicy
from browser.session import check_session
from tests.browser.desk import Desk, identity

if TYPE_CHECKING:
    from pathlib import Path

    from browser.profile import Profile

PLAIN = BrowserSettings(is_headed=False, host_map={"*": "refuse"})


async def test_a_profile_is_the_owners_alone_and_held_by_one(tmp_path: Path) -> None:
    """Folder 0700; a second opening is refused while the first lasts, and works after it."""
    folder = tmp_path / "profiles" / "ada"

    async with open_profile(folder=folder, settings=PLAIN):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        with pytest.raises(ProfileBusy, match="open in another process"):
            async with open_profile(folder=folder, settings=PLAIN):
                pytest.fail("the lock was not held")

    async with open_profile(folder=folder, settings=PLAIN) as profile:
        assert profile.is_usable


async def test_the_browser_is_pinned_and_honest(tmp_path: Path) -> None:
    """Locale and window are those of the settings; that it is driven is not hidden."""
    async with open_profile(folder=tmp_path, settings=PLAIN) as profile, profile.tab() as tab:
        seen = await tab._page.evaluate(
            "[navigator.language, innerWidth, innerHeight, navigator.webdriver]"
        )

    assert seen == ["en-US", 1366, 900, True]


async def test_closing_a_profile_kills_its_gate_and_uses_it_up(tmp_path: Path) -> None:
    """Nothing can be armed in it afterwards."""
    async with open_profile(folder=tmp_path, settings=PLAIN) as profile:
        await profile.shut("second signal")

        assert (profile.is_usable, profile.gate.state) == (False, GateState.DEAD)
        with pytest.raises(GateRefused):
            profile.gate.arm()


async def test_an_executable_that_is_none_is_named(tmp_path: Path) -> None:
    """Exit 9 for the caller, with the way out."""
    settings = replace(PLAIN, executable=tmp_path / "nope")

    with pytest.raises(BrowserMissing, match="is not a program"):
        async with open_profile(folder=tmp_path, settings=settings):
            pytest.fail("nothing was started")


async def test_a_program_that_is_no_browser_is_named_within_its_bound(tmp_path: Path) -> None:
    """A wrong program ends the opening, not the agent."""
    program = tmp_path / "false"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)

    with pytest.raises(Stopped, match="starting"):
        async with open_profile(folder=tmp_path, settings=replace(PLAIN, executable=program)):
            pytest.fail("nothing was started")


async def test_a_video_without_ffmpeg_is_refused_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a browser is started."""
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    settings = replace(PLAIN, video_folder=tmp_path / "video")

    with pytest.raises(BrowserMissing, match="playwright install ffmpeg"):
        async with open_profile(folder=tmp_path, settings=settings):
            pytest.fail("a browser was started")


async def test_a_window_without_a_display_is_refused_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The headless shell would open all the same, unseen."""
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    with pytest.raises(BrowserMissing, match="a window needs a display"):
        async with open_profile(folder=tmp_path, settings=replace(PLAIN, is_headed=True)):
            pytest.fail("a browser was started")


async def test_two_profiles_work_side_by_side(tmp_path: Path) -> None:
    """Each has its own driver, browser and gate; the end of one leaves the other alone."""
    async with open_profile(folder=tmp_path / "bo", settings=PLAIN) as bo:
        async with open_profile(folder=tmp_path / "ada", settings=PLAIN) as ada:
            ada.gate.arm()
        async with bo.tab() as tab:
            assert await tab._page.evaluate("1 + 1") == 2

        assert (ada.gate.state, bo.gate.state) == (GateState.DEAD, GateState.OPEN)


async def test_work_that_gives_no_sign_of_life_is_ended(tmp_path: Path) -> None:
    """A page in an endless loop raises nothing by itself."""
    policy = BrowserPolicy(ping_every_s=0.2, ping_timeout_s=0.3, evaluate_s=60)
    async with (
        open_profile(folder=tmp_path, settings=PLAIN, policy=policy) as profile,
        profile.tab() as tab,
    ):
        with pytest.raises(BrowserDied, match="no sign of life"):
            await profile.supervise(tab, _hang(tab._page))


async def _hang(page: object) -> None:
    await page.evaluate("for (;;) {}")  # type: ignore[attr-defined]  # a page of Playwright


COOKIES = [{"name": "auth_token", "value": "secret", "domain": ".x.com", "path": "/"}]


async def _signed_in(profile: Profile) -> bool:
    return any(cookie["name"] == "auth_token" for cookie in await profile._context.cookies())


async def test_a_session_is_kept_beside_the_profile_and_put_back(tmp_path: Path) -> None:
    """Cookies that the profile lost come back from the copy, which only its owner can read."""
    copy = tmp_path / "session.json"
    stored_session.save(copy, [{**COOKIES[0], "expires": -1}])

    async with open_profile(folder=tmp_path, settings=PLAIN) as profile:
        assert await _signed_in(profile)
        await profile.save_session()

    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [one["name"] for one in json.loads(copy.read_text())["cookies"]] == ["auth_token"]


async def test_a_signed_out_profile_does_not_overwrite_the_copy(tmp_path: Path) -> None:
    """The copy is of a session, never of its absence."""
    copy = tmp_path / "session.json"

    assert not stored_session.save(copy, [{"name": "guest_id", "value": "1"}])
    assert not copy.exists()


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"cookies": 1}', '{"cookies"'])
def test_a_copy_that_cannot_be_read_is_no_copy(tmp_path: Path, content: str) -> None:
    """The person signs in again; nothing breaks."""
    copy = tmp_path / "session.json"
    copy.write_text(content)

    assert stored_session.missing(copy, []) == []


SESSIONS = {
    "signed-in": (None, None),
    "signed-out": ("signed_out", StopCode.SIGNED_OUT),
    "locked": ("lock_page", StopCode.LOCKED),
}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("fault", "code"), SESSIONS.values(), ids=SESSIONS.keys())
async def test_a_session_is_checked_by_looking(
    desk: Desk, fault: str | None, code: StopCode | None
) -> None:
    """Who is signed in, or why nobody can work here."""
    person = desk.person()
    if fault is not None:
        desk.x.fault(fault, account=person.account["handle"])

    found = await check_session(await desk.profile(person))

    if code is None:
        assert found == identity(person)
    else:
        assert isinstance(found, Stop)
        assert found.code is code


@pytest.mark.asyncio(loop_scope="module")
async def test_who_is_signed_in_is_told_by_id_and_handle(desk: Desk) -> None:
    """The handle as X writes it."""
    person = desk.person()

    found = await check_session(await desk.profile(person))

    assert isinstance(found, Identity)
    assert (found.user_id, found.handle) == (person.user_id, person.account["handle"])
