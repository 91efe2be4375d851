"""A bell: whoever asks for the next ring gets it, however soon it comes.

Unlike an event that is set and cleared, the waiting begins with the asking and not with the first
turn of a task, so that nothing can fall in between.
"""

from __future__ import annotations

import asyncio


class Bell:
    """See the head of this module."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    def next(self) -> asyncio.Future[None]:
        """The next ring, to be awaited within the caller's bound."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        return waiting

    def ring(self) -> None:
        """Tells everybody who has asked."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)
