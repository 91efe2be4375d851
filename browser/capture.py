"""Evidence of an attempt: pictures and facts, each file whole or not there at all.

Pictures show elements of ours (the composer, the toast, the post), never the whole timeline or
messages. A capture that fails is recorded as failed and changes nothing; only a folder that cannot
be written, found out before the gate is armed, stops an attempt. The manifest names every file
with its SHA-256 and its time, and keeps the facts beside them.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING

from browser.errors import Stopped
from browser.facts import Capture, StopCode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from pathlib import Path

    from browser.selectors import Selector
    from browser.tab import Tab

MANIFEST = "manifest.json"
MANIFEST_VERSION = 1


class Captures:
    """The evidence folder of one attempt.

    Args:
        folder: Where the files go; made when the first one comes.
        clock: Tells the time, aware UTC.
    """

    def __init__(self, *, folder: Path, clock: Callable[[], datetime]) -> None:
        self._folder, self._clock = folder, clock
        self._taken: list[Capture] = []

    @property
    def taken(self) -> tuple[Capture, ...]:
        """Everything captured so far, the failed ones included."""
        return tuple(self._taken)

    async def picture(self, kind: str, tab: Tab, *things: Selector) -> None:
        """Takes a picture of the first of several things that is visible."""
        try:
            for thing in things:
                way = await tab.way(thing)
                if way is not None:
                    await self.keep(kind, f"{kind}.jpg", await tab.screenshot(way))
                    return
            self._failed(kind, "nothing of it was visible")
        except Stopped as stopped:
            self._failed(kind, str(stopped))

    async def keep(self, kind: str, name: str, content: bytes) -> None:
        """Keeps bytes as a file."""
        path = self._folder / name
        try:
            await asyncio.to_thread(_write, path, content)
        except OSError as error:
            self._failed(kind, f"{type(error).__name__}: {error}")
            return
        digest = hashlib.sha256(content).hexdigest()
        self._record(kind, path=path, sha256=digest, size_bytes=len(content), failure=None)

    def keep_file(self, kind: str, path: Path) -> None:
        """Records a file that something else has written into the folder."""
        try:
            content = path.read_bytes()
        except OSError as error:
            self._failed(kind, f"{type(error).__name__}: {error}")
            return
        digest = hashlib.sha256(content).hexdigest()
        self._record(kind, path=path, sha256=digest, size_bytes=len(content), failure=None)

    async def must_be_writable(self, facts: Mapping[str, object]) -> None:
        """Writes a first manifest.

        Raises:
            Stopped: The folder cannot be written; nothing may be sent without evidence.
        """
        try:
            await asyncio.to_thread(_write, self._folder / MANIFEST, self._manifest(facts))
        except OSError as error:
            raise Stopped(
                StopCode.EVIDENCE_UNWRITABLE,
                f"{self._folder}: {error}; make room, or make the folder writable",
            ) from error

    async def write_manifest(self, facts: Mapping[str, object]) -> None:
        """Writes the manifest; when that fails, the failure is a capture of its own."""
        try:
            await asyncio.to_thread(_write, self._folder / MANIFEST, self._manifest(facts))
        except OSError as error:
            self._failed("manifest", f"{type(error).__name__}: {error}")

    def path(self, name: str) -> Path:
        """Where a file of this attempt belongs."""
        return self._folder / name

    def _manifest(self, facts: Mapping[str, object]) -> bytes:
        files = [
            {
                "kind": capture.kind,
                "name": capture.path.name if capture.path else None,
                "sha256": capture.sha256,
                "size_bytes": capture.size_bytes,
                "taken_at": capture.taken_at,
                "failure": capture.failure,
            }
            for capture in self._taken
        ]
        whole = {
            "version": MANIFEST_VERSION,
            "written_at": self._clock(),
            "facts": dict(facts),
            "files": files,
        }
        return json.dumps(whole, ensure_ascii=False, indent=1, default=_plain).encode()

    def _failed(self, kind: str, why: str) -> None:
        self._record(kind, path=None, sha256=None, size_bytes=None, failure=why)

    def _record(
        self,
        kind: str,
        *,
        path: Path | None,
        sha256: str | None,
        size_bytes: int | None,
        failure: str | None,
    ) -> None:
        self._taken.append(
            Capture(
                kind=kind,
                path=path,
                sha256=sha256,
                size_bytes=size_bytes,
                taken_at=self._clock(),
                failure=failure,
            )
        )


def _write(path: Path, content: bytes) -> None:
    """A temporary name, synced, renamed, and the rename synced as well."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _plain(value: object) -> object:
    """Facts as JSON: dataclasses as objects, all else as text."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return str(value)
