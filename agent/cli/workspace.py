"""A workspace: the folder of one writer, and how its parts are opened.

`state.db` is made by `init` and by nothing else. Every command that needs the store opens it here.
"""

from __future__ import annotations

import getpass
import os
import random
import secrets
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agent.cli.options import STATE_FILE
from agent.domain.clock import SystemClock
from agent.domain.ids import TimeOrderedIds
from agent.settings import load
from agent.store.ledger import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
LOCK_FILE = "state.lock"
PROFILES = "profiles"

SETTINGS_TEMPLATE = """\
# Settings of this workspace; `postproof doctor` shows all of them with their meaning.
# zone = "UTC"            # zone in which --at without an offset is read

[browser]
# executable = "/usr/bin/chromium"

[run]
# parallel_accounts_max = 2

[looks]
# after_s = [30, 120, 600, 1800, 7200]   # when to look for a post whose answer was lost
"""


@contextmanager
def opened_store(workspace: Path) -> Iterator[Store]:
    """Opens the store of a workspace and closes it at the end.

    Raises:
        SettingsError: The workspace's settings cannot be used.
        StoreRefused: Missing, damaged, of another program; the message says the way out.
    """
    clock = SystemClock()
    store = Store.open(
        workspace / STATE_FILE,
        clock=clock,
        ids=TimeOrderedIds(clock=clock, entropy=secrets.token_bytes),
        draw=random.random,
        policy=load(workspace).policy,
    )
    try:
        yield store
    finally:
        store.close()


def operator() -> str:
    """Returns who decides: the operating system's user."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid-{os.getuid()}"


def worker_name() -> str:
    """Returns the name under which this process holds leases: host and process."""
    return f"{socket.gethostname()}:{os.getpid()}"
