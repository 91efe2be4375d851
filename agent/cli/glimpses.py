"""What `list` shows, read with the standard library's sqlite3 alone so that it is quick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.cli.options import STATE_FILE
from agent.cli.words import member
from agent.domain.moves import State
from agent.store.glance import glance

if TYPE_CHECKING:
    from pathlib import Path

    from agent.store.glance import Glimpse


def glimpses(workspace: Path, *, state: str | None, limit: int) -> tuple[Glimpse, ...]:
    """Reads the newest jobs.

    Raises:
        BadInput: No such state.
        StoreRefused: The store cannot be used.
    """
    wanted = None if state is None else member(State, state, what="a state")
    return glance(workspace / STATE_FILE, state=wanted, limit=limit)


def as_json(glimpse: Glimpse) -> dict[str, Any]:
    """Shows one job."""
    return {
        "job_id": glimpse.job_id,
        "account": glimpse.handle,
        "state": glimpse.state,
        "due_at": glimpse.due_at,
        "permalink": glimpse.permalink,
        "text": glimpse.text,
    }
