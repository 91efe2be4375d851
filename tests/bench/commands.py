"""Cold start of `--help` and `list`, beside a Python that does nothing."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.rows import interleaved, ratio_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.rows import Row

ROUNDS = 20
GOAL_MAX = 20.0
BARE = (sys.executable, "-c", "pass")


def cold_help() -> Iterator[Row]:
    """`postproof --help` from nothing."""
    yield _cold("cold_help", "--help")


def cold_list() -> Iterator[Row]:
    """`postproof list` on a fresh store."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "workspace"
        _run(sys.executable, "-m", "agent.cli", "init", "--workspace", str(workspace))
        yield _cold("cold_list", "list", "--workspace", str(workspace))


def _cold(name: str, *words: str) -> Row:
    ours, bare = interleaved(
        lambda: _run(sys.executable, "-m", "agent.cli", *words),
        lambda: _run(*BARE),
        rounds=ROUNDS,
    )
    how = f"`postproof {words[0]}` beside `python -c pass`, whole processes in turn"
    return ratio_row(name, ours, bare, goal_max=GOAL_MAX, how=how)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
