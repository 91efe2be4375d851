from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.store.scene import begin
from tests.work.stage import Stage, stage_on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A fresh store with one account on a held clock, and a channel without a script."""
    scene = begin(tmp_path / "state.db")
    yield stage_on(scene, tmp_path)
    scene.store.close()
