"""How browsers are started in a workspace. Imports Playwright, so only commands that need it do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.channels.x_web import XWebSettings
from agent.cli.workspace import PROFILES
from agent.settings import load
from agent.work.evidence import EVIDENCE

if TYPE_CHECKING:
    from pathlib import Path


def browser_settings(
    workspace: Path,
    *,
    headed: bool,
    slow_mo_ms: int = 0,
    pause: bool = False,
    trace: bool = False,
    video: bool = False,
) -> XWebSettings:
    """Returns how browsers are started in a workspace.

    Raises:
        SettingsError: The workspace's settings cannot be used.
    """
    settings = load(workspace)
    return XWebSettings(
        profiles_root=workspace / PROFILES,
        executable=settings.browser.executable,
        extra_args=settings.browser.extra_args,
        locale=settings.browser.locale,
        idle_close_s=settings.browser.idle_close_s,
        host_map=settings.gate.hosts,
        is_headed=headed,
        slow_mo_ms=slow_mo_ms,
        is_paused=pause,
        is_traced=trace,
        video_folder=workspace / EVIDENCE / "video" if video else None,
    )
