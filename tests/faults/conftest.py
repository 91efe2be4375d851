"""The simulated X and a fresh workspace, as for the tests from end to end."""

from tests.e2e.conftest import running_x, world

__all__ = ["running_x", "world"]
