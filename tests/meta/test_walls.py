"""The walls of the house style, held for every module of ours."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("agent", "browser", "fixtures/simx", "tests", "docs")
MODULES = sorted(
    path
    for folder in OURS
    for path in (ROOT / folder).rglob("*.py")
    if "node_modules" not in path.parts
)
MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
PACKAGES = tuple(path for path in MODULES if path.relative_to(ROOT).parts[0] != "tests")


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_goes_over_the_wall(module: Path) -> None:
    """A module has at most 400 lines, and each function in it at most 60."""
    text = module.read_text(encoding="utf-8")

    too_long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES_MAX
    ]

    assert len(text.splitlines()) <= MODULE_LINES_MAX
    assert too_long == []


@pytest.mark.parametrize("module", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is_for(module: Path) -> None:
    """A module that holds anything opens with a docstring."""
    tree = ast.parse(module.read_text(encoding="utf-8"))

    docstring = ast.get_docstring(tree)

    assert not tree.body or docstring


def test_nothing_in_agent_or_browser_sleeps_without_a_reason() -> None:
    """A wait has a named condition; a bare sleep is only the interval of a watch."""
    sleeps = [
        (path.name, line.strip())
        for path in PACKAGES
        if path.relative_to(ROOT).parts[0] in {"agent", "browser"}
        for line in path.read_text(encoding="utf-8").splitlines()
        if "sleep(" in line or "wait_for_timeout(" in line
    ]

    assert sleeps == [("profile.py", "await asyncio.sleep(self.policy.ping_every_s)")]


def test_no_code_knows_whether_it_talks_to_the_simulation() -> None:
    """Outside of the demo no line of agent or browser names the simulated X."""
    demo = {"agent/cli/demo.py", "agent/cli/simulated_x.py"}
    knowing = {
        str(path.relative_to(ROOT))
        for path in PACKAGES
        if path.relative_to(ROOT).parts[0] in {"agent", "browser"}
        and "simx" in path.read_text(encoding="utf-8")
    }

    assert knowing - demo == {"agent/cli/doctor.py"}
