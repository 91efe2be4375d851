"""The one awaitable way to the store: async code never runs SQLite on the event loop.

One thread does all of it, in the order asked, so that a process is its own only writer and a
busy file is somebody else's. A caller that is cancelled while it waits does not stop what it
asked for: it may be on disk all the same, which every verb of the store allows for.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.store.ledger import Store

P = ParamSpec("P")
T = TypeVar("T")


class Door:
    """Runs verbs of a store, one at a time, off the event loop."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")

    async def call(self, verb: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a verb, such as `door.store.renew`, and return or raise what it does."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(verb, *args, **kwargs))

    async def close(self) -> None:
        """Wait for what was asked, then close the store."""
        await self.call(self.store.close)
        self._thread.shutdown()
