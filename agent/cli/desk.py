"""What a command that reads through a browser works with, in the daemon's place or beside it."""

from __future__ import annotations

from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.channels.x_web import XWebChannel
from agent.cli.browsers import browser_settings
from agent.cli.output import note
from agent.cli.workspace import LOCK_FILE, opened_store, worker_name
from agent.domain.clock import SystemClock
from agent.store.door import Door
from agent.store.flock import DaemonLock, DaemonRunning
from agent.work.halt import Halt
from agent.work.means import Means

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from agent.store.ledger import Store


@dataclass(frozen=True, kw_only=True)
class Desk:
    """The means, and whether a daemon runs, which then makes the looks itself."""

    means: Means
    has_daemon: bool


@asynccontextmanager
async def opened_desk(workspace: Path, *, headed: bool = False) -> AsyncIterator[Desk]:
    """Opens store and channel; keeps a daemon from starting meanwhile when none runs.

    Raises:
        StoreRefused: The store cannot be used.
        BrowserMissing: No browser can be started.
    """
    with ExitStack() as stack:
        store = stack.enter_context(opened_store(workspace))
        lock = DaemonLock(workspace / LOCK_FILE, worker=worker_name(), clock=SystemClock())
        has_daemon = False
        try:
            stack.enter_context(lock)
        except DaemonRunning:
            has_daemon = True
        if not has_daemon:
            store.sweep(live_leases_too=True)  # the lock is ours: whoever held a lease is gone
        channel = XWebChannel(browser_settings(workspace, headed=headed), clock=SystemClock())
        means = means_of(workspace, store, channel, rehearse=False, halt=Halt(None))
        try:
            yield Desk(means=means, has_daemon=has_daemon)
        finally:
            await channel.close()
            await means.door.close()


def means_of(
    workspace: Path, store: Store, channel: XWebChannel, *, rehearse: bool, halt: Halt
) -> Means:
    """Returns what lanes work with in a workspace."""
    return Means(
        store=store,
        door=Door(store),
        channel=channel,
        clock=SystemClock(),
        policy=store.policy,
        workspace=workspace,
        worker=worker_name(),
        rehearse=rehearse,
        tell=note,
        halt=halt,
    )
