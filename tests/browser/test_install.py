"""A browser is found in a known order, or its lack is said in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser import install
from browser.errors import BrowserMissing

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without a browser; programs go into the folder that is returned."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    monkeypatch.setattr(install, "APPLICATIONS", ())
    return programs


def _program(path: Path, says: str = "Chromium 156") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return path


def test_a_configured_program_is_taken_as_it_is(bare: Path) -> None:
    """Whatever else is installed."""
    _program(bare / "chromium")
    chosen = _program(bare / "my-browser")

    assert install.find_browser(chosen) == chosen


def test_a_configured_program_that_is_not_there_is_an_error(bare: Path) -> None:
    """Nothing else is started in its place."""
    _program(bare / "chromium")

    with pytest.raises(BrowserMissing, match="is not a program"):
        install.find_browser(bare / "nope")


def test_an_installed_browser_comes_before_a_download(bare: Path, tmp_path: Path) -> None:
    """What users have is what is driven."""
    downloads = tmp_path / "downloads"
    _program(downloads / "chromium-1255" / "chrome-linux64" / "chrome")
    installed = _program(bare / "chromium")

    assert install.find_browser(None) == installed


def test_the_newest_download_is_taken_when_nothing_is_installed(bare: Path, tmp_path: Path) -> None:
    """By its revision, not by its name."""
    downloads = tmp_path / "downloads"
    _program(downloads / "chromium-999" / "chrome-linux" / "chrome")
    newest = _program(downloads / "chromium-1255" / "chrome-linux64" / "chrome")

    assert (install.find_browser(None), list(bare.iterdir())) == (newest, [])


def test_ubuntus_stub_is_not_a_browser(bare: Path) -> None:
    """It only says that the snap is needed."""
    _program(bare / "chromium-browser", says="Please install: snap install chromium")

    with pytest.raises(BrowserMissing, match="no browser was found"):
        install.find_browser(None)


def test_a_machine_that_can_have_no_browser_is_told_so_in_one_sentence(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 9, and the last line says what to do."""
    monkeypatch.setattr(install, "_download_with_playwright", lambda: None)

    code = install.main()

    last = capsys.readouterr().out.splitlines()[-1]
    assert (code, list(bare.iterdir())) == (9, [])
    assert last.startswith("browser: no browser can be had here; install Google Chrome")


def test_a_browser_that_is_there_is_named_with_its_version(
    bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is installed, and one line says what was found."""
    program = _program(bare / "chromium")

    assert install.main() == 0
    assert capsys.readouterr().out == f"browser: {program}: Chromium 156\n"
