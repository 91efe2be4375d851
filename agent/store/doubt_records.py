"""Records of doubt: looks, readings, decisions and authorisations, as they leave the store.

As in `records`: what was true in one transaction. A look's verdict, intent and posts have the
shapes of `postproof match`, so that a kept look can be explained.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from agent.domain.decisions import DecisionKind
    from agent.domain.doubt import LookResult
    from agent.domain.ids import AttemptId, Fence, JobId, PostId
    from agent.domain.matching.terms import Outcome
    from agent.domain.watch import ReadPurpose, ReadResult


@dataclass(frozen=True, kw_only=True)
class LookRecord:
    """One look at the own profile; `result` is None while it is being made.

    `posts` holds those of the verdict's candidates that were kept, the likeliest first;
    `posts_read` says how many were read.
    """

    id: str
    job_id: JobId
    attempt_id: AttemptId
    number: int
    fence: Fence
    worker: str
    asked_by: str | None
    claimed_at: datetime
    ended_at: datetime | None
    result: LookResult | None
    code: str | None
    why: str | None
    outcome: Outcome | None
    post_id: PostId | None
    reached_id: PostId | None
    page_loads: int | None
    posts_read: int | None
    verdict: dict[str, Any] | None
    wanted: dict[str, Any] | None
    posts: tuple[dict[str, Any], ...]
    facts: dict[str, Any]
    policy: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ReadRecord:
    """One reading of a confirmed post's page; `result` is None while it is being made."""

    id: str
    job_id: JobId
    purpose: ReadPurpose
    number: int
    fence: Fence
    worker: str
    claimed_at: datetime
    ended_at: datetime | None
    result: ReadResult | None
    code: str | None
    why: str | None
    facts: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class DecisionRecord:
    """What a person decided, when, and on which version of the job."""

    id: str
    job_id: JobId
    kind: DecisionKind
    version: int
    actor: str
    note: str | None
    permalink: str | None
    post_id: PostId | None
    is_forced: bool
    look_id: str | None
    authorisation_id: str | None
    facts: dict[str, Any]
    decided_at: datetime


@dataclass(frozen=True, kw_only=True)
class AuthorisationRecord:
    """A person's permission for one more release of a job.

    Attributes:
        digest: of the content that may be released, and no other.
        attempt_number: the attempt it was given for; one proven not to have left anything may be
            followed by another under the same permission.
        dismissed_ids: posts that the person saw and ruled not to be this job's.
        consumed_at: when it was used, by `attempt_id`.
        ended_at: when it ended unused; `ended_code` says how.
    """

    id: str
    job_id: JobId
    actor: str
    note: str
    digest: str
    attempt_number: int
    dismissed_ids: frozenset[PostId]
    granted_at: datetime
    expires_at: datetime
    consumed_at: datetime | None
    attempt_id: AttemptId | None
    ended_at: datetime | None
    ended_code: str | None
