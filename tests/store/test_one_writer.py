from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import agent

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(agent.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
WRITER = PACKAGE / "store" / "moves.py"


def writes_of_a_state(source: str) -> Iterator[int]:
    """Yield the lines that give a job's state to `values(...)`, an attribute or SQL text."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="values"), keywords=keywords, args=args):
                keys = [word.arg for word in keywords]
                for given in args:
                    keys += [getattr(key, "value", None) for key in getattr(given, "keys", [])]
                if "state" in keys:
                    yield node.lineno
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr="state")]):
                if name != "self":
                    yield node.lineno
            case ast.Constant(value=str(text)) if "set state" in " ".join(text.lower().split()):
                yield node.lineno
            case _:
                continue


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_one_module_writes_a_state(module: Path) -> None:
    """Every change of a job's state goes through `store.moves`, seen in the syntax tree."""
    found = list(writes_of_a_state(module.read_text()))

    assert bool(found) == (module == WRITER)


WRITERS = {
    "values": "update(JOB).values(state=after)",
    "attribute": "row.state = 'confirmed'",
    "mapping": "insert(JOB).values({'state': 'x', 'version': 1})",
    "text": "connection.execute('UPDATE job\\n SET   state = 1')",
}


@pytest.mark.parametrize("source", WRITERS.values(), ids=WRITERS)
def test_the_search_for_writers_finds_them(source: str) -> None:
    """A search that cannot find anything would prove nothing."""
    assert list(writes_of_a_state(source)) == [1]
