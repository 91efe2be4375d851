"""A simulated X for the tests of this folder: one process for the session, reset for each test."""

from collections.abc import Iterator

import pytest

from tests.simx.clients import Person, RunningX, started


@pytest.fixture(scope="session")
def running_x() -> Iterator[RunningX]:
    """Start the simulation once."""
    with started("--seed", "7") as (_, x):
        yield x


@pytest.fixture
def x(running_x: RunningX) -> RunningX:
    """Give an empty simulation."""
    running_x.control("POST", "/reset")
    return running_x


@pytest.fixture
def ada(x: RunningX) -> Person:
    """Give somebody who is signed in."""
    return x.person("ada_writes", name="Ada")
