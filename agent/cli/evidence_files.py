"""Compares evidence files with what the ledger says of them.

An attempt that was killed leaves files that nobody could write into the ledger any more. They are
evidence all the same, of the kind that matters most: their own manifest vouches for them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.work.evidence import EVIDENCE

if TYPE_CHECKING:
    from agent.store.records import EvidenceRecord, JobTree


MANIFEST = "manifest.json"


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
    """Checks every row, and every file that has none: present, with the hash that was kept."""
    kept = {_path(row.capture.path, workspace) for row in tree.evidence if row.capture.path}
    findings = [_examine_one(row, workspace) for row in tree.evidence]
    for folder in _folders_on_disk(tree, workspace):
        hashes = _manifest_of(folder)
        findings += [
            _examine_unrecorded(path, hashes.get(path.name), workspace)
            for path in sorted(folder.iterdir())
            if path.is_file() and path.name != MANIFEST and path not in kept
        ]
    return findings


def folders_of(tree: JobTree, workspace: Path) -> list[Path]:
    """Returns the folders that hold a job's evidence, in the order they were made."""
    folders = [
        _path(row.capture.path, workspace).parent for row in tree.evidence if row.capture.path
    ]
    return sorted({*folders, *_folders_on_disk(tree, workspace)}, key=lambda folder: folder.name)


def _folders_on_disk(tree: JobTree, workspace: Path) -> list[Path]:
    found = (workspace / EVIDENCE).glob(f"*/*/{tree.job.id}/**/{MANIFEST}")
    return sorted(path.parent for path in found)


def _manifest_of(folder: Path) -> dict[str, str]:
    """The hashes that a folder's own manifest names, by file."""
    try:
        files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        return {each["name"]: each["sha256"] for each in files if each["name"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _examine_unrecorded(path: Path, expected: str | None, workspace: Path) -> Finding:
    name = str(path.relative_to(workspace))
    if expected is None:
        return Finding(name=name, is_good=False, words="neither the ledger nor a manifest knows it")
    if _hash_of(path) != expected:
        return Finding(name=name, is_good=False, words="changed: its manifest has another SHA-256")
    words = "not in the ledger, its attempt was cut short; as its own manifest says"
    return Finding(name=name, is_good=True, words=words)


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _examine_one(row: EvidenceRecord, workspace: Path) -> Finding:
    if row.capture.path is None:
        return Finding(
            name=row.capture.kind,
            is_good=True,
            words=f"capture failed then: {row.capture.failure or 'no reason'}",
        )
    path = _path(row.capture.path, workspace)
    try:
        found = _hash_of(path)
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
