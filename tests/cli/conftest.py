"""Commands called in this process, as the entry point calls them."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from agent.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a command said, and its exit code."""

    exit_code: int
    out: str
    err: str

    def json(self) -> Any:  # noqa: ANN401 - what commands answer; each test knows its shape
        """Reads standard output as one JSON value."""
        return json.loads(self.out)


@pytest.fixture
def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Said]:
    """Calls `postproof` on a workspace of the test."""

    def called(*words: str) -> Said:
        words = (*words, "--workspace", str(tmp_path / "workspace"))
        monkeypatch.setattr(sys, "argv", ["postproof", *words])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capsys.readouterr()
        return Said(exit_code=code, out=said.out, err=said.err)

    return called


@pytest.fixture
def ready(call: Callable[..., Said]) -> Callable[..., Said]:
    """The same, with a workspace and one account."""
    assert call("init").exit_code == 0
    assert call("account", "add", "ada_writes").exit_code == 0
    return call
