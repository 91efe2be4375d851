"""Where the evidence of an attempt, a look or a reading lies, and how it is named in the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.store.records import Capture

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agent.channels.channel import Captured
    from agent.domain.ids import JobId
    from agent.work.means import Means

EVIDENCE = "evidence"


def folder_of(handle: str, job_id: JobId, part: str, means: Means) -> Path:
    """Returns the folder of one attempt, look or reading, by its own id (`part`)."""
    month = means.clock.now().strftime("%Y-%m")
    return means.workspace / EVIDENCE / handle / month / job_id / part


def kept(captures: Iterable[Captured], means: Means) -> tuple[Capture, ...]:
    """Names each file relative to the workspace, which may be moved as a whole."""
    return tuple(
        Capture(
            kind=each.kind,
            path=None if each.path is None else str(each.path.relative_to(means.workspace)),
            sha256=each.sha256,
            size_bytes=each.size_bytes,
            taken_at=each.taken_at,
            failure=each.failure,
        )
        for each in captures
    )
