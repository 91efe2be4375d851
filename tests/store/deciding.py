"""What a person may decide in the tests of decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.store.looking import (
    checked,
    id_after,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.domain.decisions import PermalinkChecked
    from agent.store.records import JobRecord
    from tests.store.scene import Scene


def confirm(scene: Scene, job: JobRecord, what: PermalinkChecked, **changes: Any) -> JobRecord:  # noqa: ANN401 - any argument
    """Let a person name a post."""
    said: dict[str, Any] = {"is_forced": False, "note": None, "actor": "ann"}
    return scene.store.confirm(job.id, version=job.version, checked=what, **(said | changes))


def absent(scene: Scene, job: JobRecord, look_id: str, **changes: Any) -> JobRecord:  # noqa: ANN401 - any argument
    """Let a person rule that there is no post."""
    said: dict[str, Any] = {"note": "not there", "actor": "ann", "despite_candidates": False}
    return scene.store.rule_absent(job.id, version=job.version, look_id=look_id, **(said | changes))


def every_decision(scene: Scene, job: JobRecord, look_id: str) -> list[Callable[[], JobRecord]]:
    """Return each decision that a person may make about a job in doubt."""
    store = scene.store
    given: dict[str, Any] = {"version": job.version, "note": "why", "actor": "bob"}
    return [
        lambda: confirm(scene, job, checked(id_after(scene, -15)), actor="bob"),
        lambda: absent(scene, job, look_id, actor="bob"),
        lambda: store.give_up(job.id, **given),
        lambda: store.withdraw(job.id, **given),
    ]
