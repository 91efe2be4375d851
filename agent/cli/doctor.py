"""What `doctor` looks at. Each check says what was found and, when it is bad, what to do."""

from __future__ import annotations

import asyncio
import importlib.metadata
import platform
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.channels.x_web import Stopped
from agent.channels.x_web_sessions import probe_browser
from agent.cli.browsers import browser_settings
from agent.cli.exits import Exit
from agent.cli.options import STATE_FILE
from agent.cli.workspace import opened_store
from agent.settings import SettingsError, in_force
from agent.store.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = ("agent", "browser", "simx")
DISTRIBUTION = "postproof"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing looked at; `exit_code` is 0 when it is good."""

    name: str
    finding: str
    exit_code: Exit = Exit.DONE

    @property
    def verdict(self) -> str:
        """Says it in one word."""
        return "ok" if self.exit_code is Exit.DONE else "MEND"

    def as_json(self) -> dict[str, Any]:
        """Shows the check."""
        return {"check": self.name, "is_good": not self.exit_code, "finding": self.finding}


def examine(workspace: Path) -> list[Check]:
    """Looks at everything, also when something before it was bad."""
    return [
        Check(name="python", finding=f"{platform.python_version()}, {sys.executable}"),
        *map(check_package, PACKAGES),
        *_settings(workspace),
        _browser(workspace),
        *_store(workspace),
    ]


def check_package(name: str) -> Check:
    """Sees whether an import package is ours and nobody else's."""
    owners = set(importlib.metadata.packages_distributions().get(name, ()))
    strangers = owners - {DISTRIBUTION}
    if strangers:
        return Check(
            name=f"package {name}",
            finding=(
                f"also claimed by {', '.join(sorted(strangers))}; install Postproof in an "
                "environment of its own (pipx install postproof)"
            ),
            exit_code=Exit.BAD_INPUT,
        )
    version = importlib.metadata.version(DISTRIBUTION)
    return Check(name=f"package {name}", finding=f"ours, {DISTRIBUTION} {version}")


def _settings(workspace: Path) -> Iterator[Check]:
    try:
        for setting in in_force(workspace):
            yield Check(name=setting.key, finding=f"{setting.value}  ({setting.origin})")
    except SettingsError as error:
        yield Check(name="settings", finding=str(error), exit_code=Exit.BAD_INPUT)


def _browser(workspace: Path) -> Check:
    try:
        settings = browser_settings(workspace, headed=False)
        with tempfile.TemporaryDirectory() as folder:
            finding = asyncio.run(probe_browser(settings, folder=Path(folder)))
    except Stopped as error:
        return Check(name="browser", finding=str(error), exit_code=Exit.NO_BROWSER)
    except SettingsError:
        return Check(name="browser", finding="not tried: mend the settings first")
    return Check(name="browser", finding=finding)


def _store(workspace: Path) -> Iterator[Check]:
    try:
        with opened_store(workspace) as store:
            chain = store.verify_audit()
            accounts = store.accounts()
    except StoreError as error:
        yield Check(name=STATE_FILE, finding=str(error), exit_code=Exit.STORE_REFUSED)
        return
    yield Check(name=STATE_FILE, finding="opens; whole; settings of the database as asserted")
    if chain.is_whole:
        yield Check(name="audit", finding=f"chain of {chain.events} events whole")
    else:
        yield Check(
            name="audit",
            finding=f"broken at event {chain.first_bad_seq}: {chain.why}; do not send from it",
            exit_code=Exit.STORE_REFUSED,
        )
    for account in accounts:
        held = "; ".join(f"{each.kind.value}: {each.next_step}" for each in account.breakers)
        yield Check(
            name=f"@{account.handle}",
            finding=held or "open",
            exit_code=Exit.ACCOUNT_NEEDS_PERSON if held else Exit.DONE,
        )
