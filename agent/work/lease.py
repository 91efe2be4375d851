"""Keeps the lease of a claim while its work goes on; the one place where a lane renews.

Used by every kind of work that a lane claims: an attempt, a look, an owed reading.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from agent.store.errors import FenceLost, StoreBusy

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from agent.store.records import Ticket
    from agent.work.means import Means

Result = TypeVar("Result")


async def under_lease(work: Coroutine[None, None, Result], ticket: Ticket, means: Means) -> Result:
    """Does the work, renewing the lease in thirds of its length.

    Raises:
        asyncio.CancelledError: The claim was lost and the work called off, or the caller was told
            to leave; `is_told_to_leave` tells which.
    """
    task = asyncio.ensure_future(work)
    keeper = asyncio.ensure_future(_keep(ticket, means, task))
    try:
        return await task
    finally:
        keeper.cancel()


def is_told_to_leave() -> bool:
    """Tells whether the running task itself was cancelled, not only the work it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _keep(ticket: Ticket, means: Means, work: asyncio.Future[Result]) -> None:
    while not work.done():
        await asyncio.wait({work}, timeout=means.policy.lease_s / 3)
        if work.done():
            return
        try:
            await means.door.call(means.store.renew, ticket)
        except StoreBusy:
            continue  # the release asks for enough lease by itself
        except FenceLost:
            work.cancel()
