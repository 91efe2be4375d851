"""The saved pages and answers under `fixtures/saved`: adding a directory adds a test."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAVED = Path(__file__).parents[2] / "fixtures" / "saved"


@dataclass(frozen=True, kw_only=True)
class SavedCase:
    """One directory: a page or an answer, what is known about it, and what it is to be read as."""

    name: str
    folder: Path

    @property
    def meta(self) -> dict[str, Any]:
        """Where it belongs and when it looked like that."""
        return self._json("meta.json")

    @property
    def expected(self) -> dict[str, Any]:
        """What the readers are to make of it; only what is named is compared."""
        return self._json("expected.json")

    @property
    def answer(self) -> object:
        """The saved answer."""
        return self._json("answer.json")

    @property
    def html(self) -> str:
        """The saved page."""
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def _json(self, file: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / file).read_text(encoding="utf-8"))
        return found


def cases(file: str) -> dict[str, SavedCase]:
    """The cases that hold a file, by name."""
    folders = sorted(path.parent for path in SAVED.glob(f"*/{file}"))
    return {folder.name: SavedCase(name=folder.name, folder=folder) for folder in folders}


ANSWERS = cases("answer.json")
PAGES = cases("page.html")
