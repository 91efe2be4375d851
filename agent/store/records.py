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
    from agent.domain.matching.terms import AttemptTimes, Sibling
    from agent.domain.moves import State
    from agent.domain.outcome import NotSentProof
    from agent.domain.payload import Payload
    from agent.domain.schedule import Slot
    from agent.domain.text import Tier
    from agent.domain.watch import ReadPurpose
    from agent.store.doubt_records import (
        AuthorisationRecord,
        DecisionRecord,
        LookRecord,
        ReadRecord,
    )


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
    """A job, with what identifies it to a person (account, article, text).

    Attributes:
        looked_at: the last look that said anything; `look_at` is when the next is due.
        asked_by: who asked for that look.
        waits_for: the job in doubt that is too much like this one; it is passed over until that
            doubt is settled.
        authorisation_id: an earlier try may be out; a person allowed one more.
        read_at: when a confirmed post is read again.
        vanished_at: since when the post is gone.
        alarm: what a person must know of a confirmed post: `differs`, `vanished`,
            `read_back_unreadable`.
    """

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
    looked_at: datetime | None
    asked_by: str | None
    waits_for: JobId | None
    authorisation_id: str | None
    read_at: datetime | None
    vanished_at: datetime | None
    alarm: str | None


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
    """One try: `phases` holds the instant of each phase reached, in order.

    `baseline_id` is the newest post seen before it; "0" when the profile was empty.
    """

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
    """A recorded file of evidence: of an attempt, or of a look or a reading that followed it."""

    id: str
    attempt_id: AttemptId
    look_id: str | None
    reading_id: str | None
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
    looks: tuple[LookRecord, ...]
    readings: tuple[ReadRecord, ...]
    decisions: tuple[DecisionRecord, ...]
    authorisations: tuple[AuthorisationRecord, ...]


@dataclass(frozen=True, kw_only=True)
class Ticket:
    """What a claim hands out; every write of the attempt names it."""

    account_id: AccountId
    job_id: JobId
    attempt_id: AttemptId
    fence: Fence

    @property
    def claim_id(self) -> str:
        """What the lane has in flight."""
        return self.attempt_id


@dataclass(frozen=True, kw_only=True)
class LookTicket(Ticket):
    """What a claim of a look hands out; `attempt_id` is the job's latest attempt."""

    look_id: str

    @property
    def claim_id(self) -> str:
        """What the lane has in flight."""
        return self.look_id


@dataclass(frozen=True, kw_only=True)
class ReadTicket(Ticket):
    """What a claim of a reading hands out; `attempt_id` is the job's latest attempt."""

    reading_id: str

    @property
    def claim_id(self) -> str:
        """What the lane has in flight."""
        return self.reading_id


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A job to carry out now, under a lease.

    `authorisation` is the person's permission, of a job of which an earlier try may be out; the
    posts that it dismisses are not this job's.
    """

    ticket: Ticket
    job: JobRecord
    payload: Payload
    account: AccountRecord
    attempt_number: int
    lease_until: datetime
    authorisation: AuthorisationRecord | None


@dataclass(frozen=True, kw_only=True)
class LookClaim:
    """A look to make now, under a lease.

    Attributes:
        number: the how manieth look of the job.
        asked_by: who asked for it; None when it is one of the schedule.
        attempt: the job's latest attempt; `attempts` are all of them, oldest first.
        tried: click, release and baseline of the earliest attempt that may be out. None: no
            attempt was ever released, and nothing that is found is taken for ours.
        since: where the window begins in which ours must have been made.
        since_for_person: how far back to read, so that a person sees what stands in the way.
        open_siblings: the account's other jobs that may be out, for the matcher.
        looks: those before.
    """

    ticket: LookTicket
    job: JobRecord
    payload: Payload
    account: AccountRecord
    number: int
    asked_by: str | None
    attempt: AttemptRecord
    attempts: tuple[AttemptRecord, ...]
    tried: AttemptTimes | None
    since: datetime
    since_for_person: datetime
    open_siblings: tuple[Sibling, ...]
    looks: tuple[LookRecord, ...]
    lease_until: datetime


@dataclass(frozen=True, kw_only=True)
class ReadClaim:
    """A confirmed post to read now, under a lease; the job says which."""

    ticket: ReadTicket
    job: JobRecord
    payload: Payload
    account: AccountRecord
    purpose: ReadPurpose
    number: int
    lease_until: datetime


@dataclass(frozen=True, kw_only=True)
class Swept:
    """What a sweep did: jobs by what became of them, and breakers that time closed.

    `handed_over` are the doubts that a person must settle now; `reads_lapsed` counts readings and
    asked looks whose worker was gone.
    """

    taken_back: tuple[JobId, ...]
    given_up: tuple[JobId, ...]
    doubted: tuple[JobId, ...]
    handed_over: tuple[JobId, ...]
    reads_lapsed: int
    breakers_closed: int
