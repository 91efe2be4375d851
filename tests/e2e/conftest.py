"""A simulated X for the session, reset for each test, and a fresh workspace on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.world import World
from tests.simx.clients import started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.simx.clients import RunningX


@pytest.fixture(scope="session")
def running_x() -> Iterator[RunningX]:
    """Starts the simulation once."""
    with started() as (_process, x):
        yield x


@pytest.fixture
def world(running_x: RunningX, tmp_path: Path) -> World:
    """A workspace with nothing in it, on an empty X."""
    running_x.control("POST", "/reset")
    return World.made(tmp_path / "workspace", running_x)
