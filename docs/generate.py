"""Writes the pages that are made from code: states, commands, settings, and the README's diagram.

`make docs` writes them; `make check` runs this with `--check`, which changes nothing and fails
when a page is stale.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from typer.testing import CliRunner

from agent.cli.exits import MEANING
from agent.cli.main import app
from agent.domain.breaker import BREAKERS
from agent.domain.moves import FINAL, IN_DOUBT, MOVES, State
from agent.domain.policy import Policy
from agent.settings import in_force

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
MADE = "<!-- made by docs/generate.py; change the code, then run make docs -->"
PLAIN = {"COLUMNS": "96", "TERM": "dumb", "NO_COLOR": "1"}
BEGIN, END = "<!-- states: begin -->", "<!-- states: end -->"


def main() -> int:
    """Writes every page, or with `--check` names the stale ones."""
    pages = {
        ROOT / "docs/states.md": states_page(),
        ROOT / "docs/commands.md": commands_page(),
        ROOT / "docs/settings.md": settings_page(),
        ROOT / "README.md": readme_with_diagram(),
    }
    stale = [path for path, text in pages.items() if _read(path) != text]
    if "--check" in sys.argv:
        for path in stale:
            sys.stderr.write(f"stale: {path.relative_to(ROOT)}; run make docs\n")
        return 1 if stale else 0
    for path in stale:
        path.write_text(pages[path], encoding="utf-8")
        sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")
    return 0


def states_page() -> str:
    """The states, the moves between them, and what holds an account."""
    rows = "\n".join(
        f"| {move.before} | {move.event} | {move.after} | {_join(move.who)} "
        f"| {_join(move.must_carry) or '-'} |"
        for move in MOVES
    )
    meanings = inspect.getdoc(State) or ""
    breakers = "\n".join(
        f"| {kind} | {_lasts(row.lasts_s)} | {row.next_step.format(handle='HANDLE')} |"
        for kind, row in BREAKERS.items()
    )
    return f"""{MADE}
# States and moves

{diagram()}

```
{meanings}
```

In doubt: {_join(IN_DOUBT)}. Final: {_join(FINAL)}.

## Moves

The one table of legal changes (`agent/domain/moves.py`). The database refuses every other one.

| from | event | to | who | must carry |
|---|---|---|---|---|
{rows}

## Breakers

What holds an account because of the account's own trouble.

| breaker | closes | next step |
|---|---|---|
{breakers}
"""


def diagram() -> str:
    """The moves as a Mermaid diagram; one arrow for each pair of states."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for move in MOVES:
        events = arrows.setdefault((move.before.value, move.after.value), [])
        if move.event.value not in events:
            events.append(move.event.value)
    lines = [f"    {a} --> {b}: {' / '.join(words)}" for (a, b), words in arrows.items()]
    return "\n".join(
        ["```mermaid", "stateDiagram-v2", "    [*] --> prepared: prepare", *lines, "```"]
    )


def commands_page() -> str:
    """Every command with its help, and the exit codes."""
    exits = "\n".join(f"| {code.value} | {meaning} |" for code, meaning in MEANING.items())
    parts = [f"{MADE}\n# Commands\n\n| exit code | meaning |\n|---|---|\n{exits}\n"]
    for name, text in _helps():
        parts.append(f"## {name}\n\n```\n{text}\n```\n")
    return "\n".join(parts)


def settings_page() -> str:
    """Every setting with its default, and every bound of the policy."""
    with tempfile.TemporaryDirectory() as empty:
        settings = in_force(Path(empty))
    rows = "\n".join(f"| `{each.key}` | `{each.value}` | {each.meaning} |" for each in settings)
    bounds = "\n".join(f"| `{each.name}` | `{each.default}` |" for each in fields(Policy))
    return f"""{MADE}
# Settings

In `postproof.toml`, or as an environment variable `POSTPROOF_` with `__` between the parts
(`POSTPROOF_RUN__PARALLEL_ACCOUNTS_MAX=3`). `postproof doctor` shows what is in force and whence.

| setting | default | meaning |
|---|---|---|
{rows}

## Bounds

Every other bound of the ledger, with its value and its reason (`agent/domain/policy.py`).

| bound | value |
|---|---|
{bounds}

```
{inspect.getdoc(Policy)}
```
"""


def readme_with_diagram() -> str:
    """The README with the diagram of states put between its marks."""
    text = _read(ROOT / "README.md")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{diagram()}\n{END}{after}"


def _helps() -> Iterator[tuple[str, str]]:
    for words in _paths(typer.main.get_command(app), ()):
        done = CliRunner().invoke(app, [*words, "--help"], prog_name="postproof", env=PLAIN)
        yield " ".join(("postproof", *words)), done.stdout.strip()


def _paths(command: object, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield words
    for name, child in getattr(command, "commands", {}).items():
        yield from _paths(child, (*words, name))


def _join(values: frozenset[object] | frozenset[State]) -> str:
    return ", ".join(sorted(str(value) for value in values))


def _lasts(lasts_s: int | None) -> str:
    return "by a person" if lasts_s is None else f"by itself after {lasts_s // 60} min"


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
