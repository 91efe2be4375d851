"""The bell: APScheduler wakes the daemon at the next due time and for the sweep, nothing else.

The database is the truth. The jobs live in memory; losing them loses nothing, since the daemon
asks the store for the next due time whenever it wakes.
"""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from apscheduler.schedulers.asyncio import AsyncIOScheduler

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

_DUE = "due"
_SWEEP = "sweep"


class Bell:
    """Calls `ring` at a due time, and `sweep` at regular intervals."""

    def __init__(
        self, *, ring: Callable[[], None], sweep: Callable[[], None], sweep_every_s: float
    ) -> None:
        """Sets the interval; nothing rings before `start`."""
        self._ring = ring
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        self._scheduler.add_job(
            sweep,
            "interval",
            seconds=sweep_every_s,
            id=_SWEEP,
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
        )

    def start(self) -> None:
        """Begins to ring. Needs a running event loop."""
        self._scheduler.start()

    def ring_at(self, instant: datetime | None) -> None:
        """Rings once at that time, at once when it has passed; None takes the bell back."""
        if instant is None:
            if self._scheduler.get_job(_DUE):
                self._scheduler.remove_job(_DUE)
            return
        self._scheduler.add_job(
            self._ring,
            "date",
            run_date=instant,
            id=_DUE,
            replace_existing=True,
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
        )

    def stop(self) -> None:
        """Rings no more."""
        self._scheduler.shutdown(wait=False)
