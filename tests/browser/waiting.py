"""Waiting for a fact that nobody announces: of another process, or of a counter of the gate."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOOK_EVERY_S = 0.01


async def until(holds: Callable[[], object], *, within_s: float = 15.0) -> None:
    """Returns as soon as a condition holds; fails with TimeoutError when it does not in time."""
    async with asyncio.timeout(within_s):
        while not holds():  # noqa: ASYNC110 - see the head of this module
            await asyncio.sleep(LOOK_EVERY_S)
