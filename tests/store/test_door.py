from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from agent.domain.moves import State
from agent.store.door import Door
from agent.store.errors import NotFound

if TYPE_CHECKING:
    from tests.store.scene import Scene


async def test_the_door_runs_every_verb_on_one_thread_of_its_own(scene: Scene) -> None:
    """The event loop never waits for the disk, and a process is its own only writer."""
    door = Door(scene.store)
    names = await asyncio.gather(
        *(door.call(lambda: threading.current_thread().name) for _ in range(20))
    )

    claim = await door.call(scene.store.claim_next, scene.writer.id, worker="w")
    await door.close()

    assert set(names) == {"store_0"}
    assert claim is None


async def test_the_door_raises_what_the_store_raises(scene: Scene) -> None:
    """An error comes out where the verb was asked for."""
    door = Door(scene.store)

    with pytest.raises(NotFound):
        await door.call(scene.store.account, "nobody")

    await door.close()


async def test_a_cancelled_caller_leaves_a_whole_store(scene: Scene) -> None:
    """What was asked for is done wholly or not at all, whoever still waits for it."""
    door = Door(scene.store)
    asked = asyncio.ensure_future(door.call(scene.prepare))
    await asyncio.wait({asked}, timeout=0)
    asked.cancel()

    jobs = await door.call(scene.store.jobs)
    await door.close()

    assert {job.state for job in jobs} <= {State.PREPARED}
    assert asked.cancelled() or asked.done()
