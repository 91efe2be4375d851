"""One daemon per database: a lock of the operating system on a file of its own.

The kernel drops the lock when the process ends, however it ends. The file is not the database,
since closing that one elsewhere would drop SQLite's locks; it holds who has the lock, for the
message to the second daemon.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from agent.domain.clock import Clock

HOLDER_BYTES_MAX = 4096


class DaemonRunning(Exception):  # noqa: N818 - named for what was signalled
    """Another daemon works on this database; the message names it."""


class DaemonLock:
    """Held by the one process that works on a database.

    Args:
        path: the lock file, beside the database.
        worker: the daemon's name.
        clock: what time it is, for the message.
    """

    def __init__(self, path: Path, *, worker: str, clock: Clock) -> None:
        self._path = path
        self._worker = worker
        self._clock = clock
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        """Take the lock, or raise `DaemonRunning` at once."""
        descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(descriptor, HOLDER_BYTES_MAX).decode(errors="replace")
            os.close(descriptor)
            raise DaemonRunning(self._message(holder)) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, self._holder().encode())
        self._descriptor = descriptor
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _holder(self) -> str:
        return json.dumps(
            {
                "worker": self._worker,
                "pid": os.getpid(),
                "host": socket.gethostname(),
                "since": self._clock.now().isoformat(timespec="seconds"),
            }
        )

    def _message(self, holder: str) -> str:
        try:
            told = json.loads(holder)
            who = f"{told['worker']} (pid {told['pid']} on {told['host']}, since {told['since']})"
        except (ValueError, KeyError, TypeError):
            who = "another process"
        return f"{who} is working on this workspace already; stop it first, or let it do the work"
