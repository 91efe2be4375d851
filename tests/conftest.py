"""Which tests a run takes: `make test` leaves the ones marked `long` to `make faults`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Takes the long ones out, and says so, unless the run is the long one."""
    if os.environ.get("POSTPROOF_FAULTS") == "long":
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]
