"""Opens the browser of one account: its own folder, its own lock, its only way out a gate.

`open_profile` is the one door into this package. The browser is the system's own where there is
one. QUIC is off and service workers are blocked, since both would go round the gate or hide from
its reader; nothing else is changed about the browser, and nothing at all about X's pages.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playwright.async_api import async_playwright

from browser.errors import BrowserMissing, ProfileBusy
from browser.gate import Gate
from browser.install import find_browser, find_ffmpeg
from browser.policy import BrowserPolicy
from browser.profile import Profile
from browser.tab import edge

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

    from playwright.async_api import BrowserContext, Playwright

__all__ = ["BrowserSettings", "find_browser", "open_profile"]

FLAGS = (
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
VIEWPORT_WIDTH_PX = 1366  # below 1300 X leaves the handle out of the account button
VIEWPORT_HEIGHT_PX = 900


@dataclass(frozen=True, kw_only=True)
class BrowserSettings:
    """How a browser is started.

    Args:
        executable: The program, or None to search for one.
        extra_args: Further flags.
        host_map: Where the gate connects to; empty for the real hosts.
        locale: The language the browser asks for.
        is_headed: Whether there is a window.
        slow_mo_ms: A pause after each action, to watch it.
        is_paused: Whether Playwright's inspector opens before the gate is armed.
        is_traced: Whether each attempt keeps a Playwright trace.
        video_folder: Where videos go; None for none.
    """

    executable: Path | None = None
    extra_args: tuple[str, ...] = ()
    host_map: Mapping[str, str] = field(default_factory=dict)
    locale: str = "en-US"
    is_headed: bool
    slow_mo_ms: float = 0
    is_paused: bool = False
    is_traced: bool = False
    video_folder: Path | None = None


@asynccontextmanager
async def open_profile(
    *, folder: Path, settings: BrowserSettings, policy: BrowserPolicy | None = None
) -> AsyncIterator[Profile]:
    """Opens an account's browser; closes it at the end, its gate first.

    Args:
        folder: The account's own folder; made with mode 0700 when it is not there.
        settings: How to start the browser.
        policy: The bounds; the defaults when None.

    Raises:
        BrowserMissing: No browser, no display for a window, or no ffmpeg for a video.
        ProfileBusy: Another process has this profile open.
        BrowserDied: It did not start.
    """
    bounds = policy or BrowserPolicy()
    executable = await asyncio.to_thread(find_browser, settings.executable)
    if settings.video_folder is not None and find_ffmpeg() is None:
        raise BrowserMissing(
            "a video needs Playwright's ffmpeg; run `python -m playwright install ffmpeg`, or "
            "use a trace instead"
        )
    if settings.is_headed and not _has_display():
        raise BrowserMissing(
            "a window needs a display; set DISPLAY, or run the command under `xvfb-run`"
        )
    with _locked(folder):
        gate = Gate(hosts=settings.host_map)
        proxy = await gate.start()
        profile = None
        try:
            async with edge("starting Playwright", within_s=bounds.launch_s):
                playwright = await async_playwright().start()
            context = await _launch(
                playwright,
                folder=folder / "browser",
                executable=executable,
                proxy=proxy,
                settings=settings,
                policy=bounds,
            )
            profile = Profile(
                playwright=playwright,
                context=context,
                gate=gate,
                session_file=folder / "session.json",
                settings=settings,
                policy=bounds,
            )
            await profile.restore_session()
            yield profile
        finally:
            await (gate.close() if profile is None else profile.shut("closed"))


async def _launch(
    playwright: Playwright,
    *,
    folder: Path,
    executable: Path,
    proxy: str,
    settings: BrowserSettings,
    policy: BrowserPolicy,
) -> BrowserContext:
    try:
        async with edge(f"starting {executable}", within_s=policy.launch_s):
            return await playwright.chromium.launch_persistent_context(
                folder,
                executable_path=executable,
                args=[*FLAGS, *settings.extra_args],
                headless=not settings.is_headed,
                slow_mo=settings.slow_mo_ms,
                proxy={"server": proxy},
                viewport={"width": VIEWPORT_WIDTH_PX, "height": VIEWPORT_HEIGHT_PX},
                locale=settings.locale,
                service_workers="block",
                accept_downloads=False,
                record_video_dir=settings.video_folder,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=policy.launch_s * 1000,
            )
    except BaseException:
        await playwright.stop()
        raise


def _has_display() -> bool:
    named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform != "linux" or bool(named)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds the profile's lock; the headless shell has none of its own."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ProfileBusy(
                f"{folder} is open in another process; stop that one, or wait for it"
            ) from None
        yield
    finally:
        os.close(descriptor)
