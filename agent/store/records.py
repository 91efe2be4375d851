"""What leaves the store: frozen records, with aware instants and typed ids.

Rows stay inside. A record is what was true in one transaction; acting on it goes through a verb
of the store, which checks again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from agent.domain.breaker import BreakerKind
    from agent.domain.facts import Phase
    from agent.domain.ids import (
        AccountId,
        AttemptId,
        Fence,
        IntentId,
        JobId,
        PostId,
        TenantId,
        UserId,
    )
    from agent.domain.intent import IntentKey
    from agent.domain.moves import State
    from agent.domain.outcome import NotSentProof
    from agent.domain.payload import Payload
    from agent.domain.schedule import Slot
    from agent.domain.text import Tier


@dataclass(frozen=True, kw_only=True)
class BreakerRecord:
    """An open stop of an account; `until_at` is None when only a person closes it."""

    kind: BreakerKind
    detail: str
    opened_at: datetime
    until_at: datetime | None
    next_step: str


@dataclass(frozen=True, kw_only=True)
class AccountRecord:
    """An account, and what stops it."""

    id: AccountId
    tenant: TenantId
    handle: str
    user_id: UserId | None
    tier: Tier
    spacing_s: int
    added_at: datetime
    identified_at: datetime | None
    last_release_at: datetime | None
    breakers: tuple[BreakerRecord, ...]

    @property
    def is_held(self) -> bool:
        """Whether something stops it from posting."""
        return bool(self.breakers)


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """A request to publish something once.

    Args:
        intent: who wants what.
        payload: the frozen content.
        key: the caller's idempotency key; None: derived from the intent.
        slot: when; None: at once.
        late_s_max: how late it may still be sent; None: the policy's.
        actor: who asks, for the history.
    """

    intent: IntentKey
    payload: Payload
    key: str | None
    slot: Slot | None
    late_s_max: int | None
    actor: str


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """The answer to a preparation: the job as it is now, and whether it was there before."""

    intent_id: IntentId
    job_id: JobId
    state: State
    replayed: bool
    due_at: datetime
    digest: str
    key: str
    permalink: str | None


@dataclass(frozen=True, kw_only=True)
class JobRecord:
    """A job, with what identifies it to a person (account, article, text)."""

    id: JobId
    intent_id: IntentId
    account_id: AccountId
    handle: str
    channel: str
    article: str
    text: str
    state: State
    state_at: datetime
    version: int
    due_at: datetime
    zone: str
    wall: str
    late_s_max: int
    not_before_at: datetime | None
    held_code: str | None
    attempts: int
    failures: int
    code: str | None
    detail: str | None
    look_at: datetime | None
    permalink: str | None
    remote_id: PostId | None
    is_read_back_owed: bool
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class IntentRecord:
    """An intent: its key, its content, and how often it was asked for again.

    `payload` is None when somebody altered it beyond reading.
    """

    id: IntentId
    intent: IntentKey
    key: str
    digest: str
    payload: Payload | None
    created_at: datetime
    replays: int
    conflicts: int


@dataclass(frozen=True, kw_only=True)
class SegmentRecord:
    """One post of a job."""

    position: int
    text: str
    permalink: str | None
    remote_id: PostId | None


@dataclass(frozen=True, kw_only=True)
class AttemptRecord:
    """One try: `phases` holds the instant of each phase reached, in order."""

    id: AttemptId
    number: int
    fence: Fence
    worker: str
    claimed_at: datetime
    phase: Phase | None
    phases: dict[Phase, datetime]
    baseline_id: PostId | None
    request: dict[str, Any] | None
    facts: dict[str, Any] | None
    outcome: str | None
    code: str | None
    detail: str | None
    proof: NotSentProof | None
    post_id: PostId | None
    ended_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Capture:
    """A file of evidence to record, or that taking it failed (`failure` says how).

    `path` is relative to the workspace.
    """

    kind: str
    path: str | None
    sha256: str | None
    size_bytes: int | None
    taken_at: datetime
    failure: str | None


@dataclass(frozen=True, kw_only=True)
class EvidenceRecord:
    """A recorded file of evidence."""

    id: str
    attempt_id: AttemptId
    capture: Capture


@dataclass(frozen=True, kw_only=True)
class EventRecord:
    """One event of the history."""

    seq: int
    at: datetime
    event: str
    who: str
    actor: str
    account_id: AccountId | None
    intent_id: IntentId | None
    job_id: JobId | None
    attempt_id: AttemptId | None
    before: State | None
    after: State | None
    carried: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class JobTree:
    """Everything known about a job."""

    job: JobRecord
    intent: IntentRecord
    segments: tuple[SegmentRecord, ...]
    attempts: tuple[AttemptRecord, ...]
    events: tuple[EventRecord, ...]
    evidence: tuple[EvidenceRecord, ...]


@dataclass(frozen=True, kw_only=True)
class Ticket:
    """What a claim hands out; every write of the attempt names it."""

    account_id: AccountId
    job_id: JobId
    attempt_id: AttemptId
    fence: Fence


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A job to carry out now, under a lease."""

    ticket: Ticket
    job: JobRecord
    payload: Payload
    account: AccountRecord
    attempt_number: int
    lease_until: datetime


@dataclass(frozen=True, kw_only=True)
class Swept:
    """What a sweep did: jobs by what became of them, and breakers that time closed."""

    taken_back: tuple[JobId, ...]
    given_up: tuple[JobId, ...]
    doubted: tuple[JobId, ...]
    breakers_closed: int


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
