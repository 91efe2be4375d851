"""Records of side work and of the history's state, as they leave the store; beside `records`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from agent.domain.ids import AccountId, JobId


@dataclass(frozen=True, kw_only=True)
class MessageRecord:
    """Side work to do after a commit."""

    id: str
    topic: str
    account_id: AccountId | None
    job_id: JobId | None
    body: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class ChainVerdict:
    """Whether the history is whole; `first_bad_seq` and `why` when it is not."""

    is_whole: bool
    events: int
    first_bad_seq: int | None
    why: str | None
