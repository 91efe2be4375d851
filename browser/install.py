"""Finds a browser, or installs one, saying in plain lines what it is doing.

`python -m browser.install` is called by `make setup`: quick when a browser is there, exit 9 with
one clear sentence when none can be had. `find_browser` is what everything else asks; it never
installs anything. Order: an installed Chrome or Chromium (what users have), then the one that
Playwright downloaded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from browser.errors import BrowserMissing

if TYPE_CHECKING:
    from collections.abc import Iterator

EXIT_NO_BROWSER = 9

PROGRAMS = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge-stable",
)
APPLICATIONS = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)
PLAYWRIGHT_PATTERNS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
)
VERSION_TIMEOUT_S = 20  # a cold disk; a healthy one answers in a tenth of a second
APT_TIMEOUT_S = 900  # 100 MB of packages over a slow line
WAY_OUT = (
    "install Google Chrome or Chromium (Debian: `apt-get install chromium`), or run "
    "`python -m playwright install chromium`, or set `browser.executable`"
)


def find_browser(executable: Path | None) -> Path:
    """Finds the browser to start.

    Args:
        executable: The one that was configured, or None to search.

    Raises:
        BrowserMissing: The configured one does not exist, or none is found.
    """
    if executable is not None:
        if not os.access(executable, os.X_OK) or executable.is_dir():
            raise BrowserMissing(f"{executable} is not a program; {WAY_OUT}")
        return executable
    for candidate in _candidates():
        return candidate
    raise BrowserMissing(f"no browser was found; {WAY_OUT}")


def find_ffmpeg() -> Path | None:
    """Playwright's ffmpeg, which a video needs; None when it is not there."""
    return next(iter(_playwright_folder().glob("ffmpeg-*/ffmpeg-*")), None)


def main() -> int:
    """Makes sure that a browser is there; returns the exit code."""
    for provide in (_nothing, _install_debian_package, _download_with_playwright):
        provide()
        version = _first_version()
        if version is not None:
            _say(version)
            return 0
    _say(f"no browser can be had here; {WAY_OUT}")
    return EXIT_NO_BROWSER


def _candidates() -> Iterator[Path]:
    for program in PROGRAMS:
        found = shutil.which(program)
        if found is not None and not _is_snap_stub(Path(found)):
            yield Path(found)
    for application in APPLICATIONS:
        if application.exists():
            yield application
    for pattern in PLAYWRIGHT_PATTERNS:
        downloads = (path for path in _playwright_folder().glob(pattern) if path.is_file())
        yield from sorted(downloads, key=_revision, reverse=True)


def _revision(path: Path) -> int:
    folder = path.relative_to(_playwright_folder()).parts[0]
    return int(folder.rpartition("-")[2])


def _playwright_folder() -> Path:
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if configured:
        return Path(configured)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    return Path.home() / ".cache" / "ms-playwright"


def _is_snap_stub(program: Path) -> bool:
    """Ubuntu's `chromium-browser` is a script that only asks for the snap."""
    with program.open("rb") as file:
        head = file.read(4096)
    return head.startswith(b"#!") and b"snap" in head


def _first_version() -> str | None:
    for candidate in _candidates():
        try:
            done = subprocess.run(  # noqa: S603 - a program found by the list above
                [str(candidate), "--version"],
                capture_output=True,
                text=True,
                check=True,
                timeout=VERSION_TIMEOUT_S,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return f"{candidate}: {done.stdout.strip()}"
    return None


def _nothing() -> None:
    """The first way: a browser is there already."""


def _install_debian_package() -> None:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return
    _say("no browser found; installing Debian's package `chromium` (a minute or two)")
    quiet = ["-qq", "-o", "Dpkg::Use-Pty=0"]
    for command in (
        ["apt-get", *quiet, "update"],
        ["apt-get", *quiet, "install", "-y", "--no-install-recommends", "chromium"],
    ):
        if not _run(command, timeout_s=APT_TIMEOUT_S):
            _say("apt-get did not give one")
            return


def _download_with_playwright() -> None:
    _say("downloading Playwright's own Chromium (about 180 MB)")
    if not _run(
        [sys.executable, "-m", "playwright", "install", "chromium"], timeout_s=APT_TIMEOUT_S
    ):
        _say("the download failed")


def _run(command: list[str], *, timeout_s: float) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(  # noqa: S603 - the fixed commands above
            command, check=False, timeout=timeout_s, env=environment, stdout=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _say(line: str) -> None:
    sys.stdout.write(f"browser: {line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
