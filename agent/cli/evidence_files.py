"""Compares evidence files with what the ledger says of them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.store.records import EvidenceRecord, JobTree


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What one row of evidence turned out to be."""

    name: str
    is_good: bool
    words: str

    def as_json(self) -> dict[str, Any]:
        """Shows the finding."""
        return {"file": self.name, "is_good": self.is_good, "finding": self.words}


def examine(tree: JobTree, workspace: Path) -> list[Finding]:
    """Checks every row: present with its hash, or recorded as a failed capture."""
    return [_examine_one(row, workspace) for row in tree.evidence]


def folders_of(tree: JobTree, workspace: Path) -> list[Path]:
    """Returns the folders that hold a job's evidence, in the order they were made."""
    folders = [
        _path(row.capture.path, workspace).parent for row in tree.evidence if row.capture.path
    ]
    return list(dict.fromkeys(folders))


def _examine_one(row: EvidenceRecord, workspace: Path) -> Finding:
    if row.capture.path is None:
        return Finding(
            name=row.capture.kind,
            is_good=True,
            words=f"capture failed then: {row.capture.failure or 'no reason'}",
        )
    path = _path(row.capture.path, workspace)
    try:
        with path.open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return Finding(
            name=row.capture.path, is_good=False, words=f"cannot be read: {error.strerror}"
        )
    if found != row.capture.sha256:
        words = f"changed: its SHA-256 is {found}, the ledger says {row.capture.sha256}"
        return Finding(name=row.capture.path, is_good=False, words=words)
    return Finding(
        name=row.capture.path,
        is_good=True,
        words=f"{row.capture.size_bytes} bytes, SHA-256 as kept",
    )


def _path(kept: str, workspace: Path) -> Path:
    path = Path(kept)
    return path if path.is_absolute() else workspace / path
