"""`postproof run`: puts store, channel and daemon together and runs them. The body of the command.

SIGTERM or Ctrl-C: nothing further is claimed, attempts under way finish. A second one: the process
ends at once; its gates die with it, so that nothing waiting can leave, and the next start settles
what was under way by its record.
"""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.channels.x_web import XWebChannel
from agent.cli.browsers import browser_settings
from agent.cli.desk import means_of
from agent.cli.exits import Exit
from agent.cli.output import note
from agent.cli.waiting import overdue
from agent.cli.words import member
from agent.cli.workspace import (
    LOCK_FILE,
    opened_store,
    worker_name,
)
from agent.domain.breaker import needs_person
from agent.domain.clock import SystemClock
from agent.domain.moves import State
from agent.settings import load
from agent.store.flock import DaemonLock
from agent.store.ledger import Store
from agent.work.daemon import Daemon, Until
from agent.work.halt import Halt, HaltPoint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from agent.cli.waiting import Waiting
    from agent.settings import Settings
    from agent.store.records import AccountRecord, JobRecord

# the first of these states that a touched job is in decides the exit code
_EXITS = (
    (State.NEEDS_MANUAL, Exit.NEEDS_PERSON),
    (State.UNKNOWN, Exit.UNKNOWN),
    (State.RECONCILING, Exit.UNKNOWN),
    (State.SENDING, Exit.UNKNOWN),
    (State.NOT_SENT, Exit.NOT_SENT),
)


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the command's options say."""

    once: bool
    until_idle: bool
    headed: bool
    slow_mo_ms: int
    pause: bool
    trace: bool
    video: bool
    rehearse: bool
    halt_at: str | None


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Which jobs this run touched, and how it ends."""

    jobs: tuple[JobRecord, ...]
    held_accounts: tuple[str, ...]
    waiting: tuple[Waiting, ...]

    @property
    def exit_code(self) -> Exit:
        """An account that needs a person first, then the most doubtful state.

        Of the jobs that this run touched, and of those that kept others from being sent.
        """
        if self.held_accounts:
            return Exit.ACCOUNT_NEEDS_PERSON
        states = {job.state for job in self.jobs}
        if any(each.behind for each in self.waiting):
            states.add(State.UNKNOWN)
        return next((code for state, code in _EXITS if state in states), Exit.DONE)

    def as_json(self) -> dict[str, Any]:
        """Shows the run."""
        return {
            "jobs": [
                {
                    "job_id": job.id,
                    "state": job.state.value,
                    "permalink": job.permalink,
                    "code": job.code,
                }
                for job in self.jobs
            ],
            "held_accounts": list(self.held_accounts),
            "waiting": [each.as_json() for each in self.waiting],
            "exit_code": int(self.exit_code),
        }

    def rows(self) -> list[tuple[str, ...]]:
        """Shows the run as table rows."""
        return [(job.id, job.state.value, job.permalink or job.code or "-") for job in self.jobs]


def run_daemon(workspace: Path, choices: Choices) -> Summary:
    """Runs the daemon on a workspace until it leaves.

    Raises:
        StoreRefused: The store cannot be used.
        DaemonRunning: Another daemon runs on it; the message names it.
        BrowserMissing: No browser can be started.
    """
    settings = load(workspace)
    halt_at = (
        None
        if choices.halt_at is None
        else member(HaltPoint, choices.halt_at, what="a point to halt at")
    )
    with (
        opened_store(workspace) as store,
        DaemonLock(workspace / LOCK_FILE, worker=worker_name(), clock=SystemClock()),
    ):
        return asyncio.run(_run(workspace, store, settings, choices, halt_at))


async def _run(
    workspace: Path, store: Store, settings: Settings, choices: Choices, halt_at: HaltPoint | None
) -> Summary:
    channel = XWebChannel(
        browser_settings(
            workspace,
            headed=choices.headed,
            slow_mo_ms=choices.slow_mo_ms,
            pause=choices.pause,
            trace=choices.trace,
            video=choices.video,
        ),
        clock=SystemClock(),
    )
    means = means_of(workspace, store, channel, rehearse=choices.rehearse, halt=Halt(halt_at))
    daemon = Daemon(
        means=means,
        until=_until(choices),
        parallel_accounts_max=settings.run.parallel_accounts_max,
        sweep_every_s=settings.run.sweep_every_s,
    )
    _heed_signals(daemon)
    try:
        await daemon.run()
        accounts = await means.door.call(store.accounts)
        waiting = await means.door.call(overdue, store, means.clock.now())
    finally:
        await means.door.close()
    jobs = tuple(daemon.done.values())
    touched = {job.handle for job in jobs} | {each.handle for each in waiting}
    held = held_among(accounts, touched)
    return Summary(jobs=jobs, held_accounts=held, waiting=waiting)


def held_among(accounts: Iterable[AccountRecord], handles: Collection[str]) -> tuple[str, ...]:
    """Returns those of the handles whose account only a person can let go on."""
    return tuple(
        account.handle
        for account in accounts
        if account.handle in handles
        and (account.user_id is None or any(needs_person(each.kind) for each in account.breakers))
    )


def _heed_signals(daemon: Daemon) -> None:
    loop = asyncio.get_running_loop()
    asked: list[signal.Signals] = []

    def heed(which: signal.Signals) -> None:
        if asked:
            note(f"second {which.name}: leaving now; the next start settles what was under way")
            os._exit(128 + which)
        asked.append(which)
        note(f"{which.name}: no new posts; attempts under way finish first")
        daemon.stop()

    for which in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(which, heed, which)


def _until(choices: Choices) -> Until:
    if choices.once:
        return Until.ONCE
    return Until.IDLE if choices.until_idle else Until.STOPPED
