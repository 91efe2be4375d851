"""The documentation, held against the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent.cli.exits import MEANING
from agent.domain.moves import State
from agent.settings import in_force

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])


def test_the_generated_pages_are_fresh() -> None:
    """States, commands, settings and the diagram say what the code says."""
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_every_state_and_exit_code_and_setting_is_documented(tmp_path: Path) -> None:
    """A word that a user meets can be looked up."""
    states = (ROOT / "docs/states.md").read_text(encoding="utf-8")
    commands = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    settings = (ROOT / "docs/settings.md").read_text(encoding="utf-8")

    missing = [state.value for state in State if state.value not in states]
    missing += [meaning for meaning in MEANING.values() if meaning not in commands]
    missing += [row.key for row in in_force(tmp_path) if f"`{row.key}`" not in settings]

    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_between_our_pages_leads_somewhere(page: Path) -> None:
    """A relative link names a file that is there."""
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", text)

    dead = [link for link in links if not (page.parent / link).exists()]

    assert dead == []


def test_the_commands_of_the_readme_are_commands_of_ours() -> None:
    """Every `postproof` line of the README names a command that exists."""
    lines = re.findall(r"^postproof (.+?)(?:\s+#.*)?$", README, flags=re.MULTILINE)
    commands = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    names = [" ".join(re.findall(r"^(?:[a-z]+ ?)+", line)).strip() for line in lines]

    unknown = [name for name in names if f"## postproof {name}\n" not in commands]

    assert names
    assert unknown == []


def test_no_page_or_lock_names_an_index_host() -> None:
    """The lock file carries names, versions and hashes only."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")

    hosts = re.findall(r"https?://|--(?:extra-)?index-url", lock)

    assert hosts == []
