"""What a lane works with, in one value, so that it is passed on and never looked up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent.channels.channel import Channel
    from agent.domain.clock import Clock
    from agent.domain.policy import Policy
    from agent.store.door import Door
    from agent.store.ledger import Store
    from agent.work.halt import Halt


@dataclass(frozen=True, kw_only=True)
class Means:
    """The door to the store, the channel, the clock, the bounds, and the workspace's folder.

    `tell` takes one line about what is going on: ids, phases and codes, never a post's text.
    `halt` stops this very process once at a named point, for debugging and fault tests.
    """

    store: Store
    door: Door
    channel: Channel
    clock: Clock
    policy: Policy
    workspace: Path
    worker: str
    rehearse: bool
    tell: Callable[[str], None]
    halt: Halt
