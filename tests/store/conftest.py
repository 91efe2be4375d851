from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.store.scene import Scene, begin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A fresh store with one account, on a held clock."""
    scene = begin(tmp_path / "state.db")
    yield scene
    scene.store.close()
