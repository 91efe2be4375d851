"""The store's one door for synchronous code: every verb, each in one transaction.

It owns the engine, the clock, the ids and the policy. Async code reaches it through `door.Door`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent.domain.ids import TenantId
from agent.domain.moves import Who
from agent.store import (
    accounts,
    attempts,
    audit,
    breakers,
    claims,
    enqueue,
    finish,
    jobs,
    lane,
    leases,
    outbox,
    sweep,
)
from agent.store.doubt_verbs import DoubtVerbs
from agent.store.lane import Work
from agent.store.records import Prepared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from agent.domain.breaker import BreakerKind
    from agent.domain.facts import AttemptFacts, Phase, RequestSeen
    from agent.domain.ids import AccountId, JobId, PostId, UserId
    from agent.domain.moves import State
    from agent.domain.outcome import Outcome
    from agent.domain.schedule import Slot
    from agent.domain.text import Tier
    from agent.store.records import (
        AccountRecord,
        Capture,
        Claim,
        JobRecord,
        JobTree,
        Preparation,
        Swept,
        Ticket,
    )
    from agent.store.side_records import ChainVerdict, MessageRecord

TENANT: Final = TenantId("default")
SENDS: Final = frozenset({Work.SEND})


class Store(DoubtVerbs):
    """The ledger of one workspace.

    Every verb is one transaction: it happens whole, durably, or not at all. Verbs raise
    `StoreBusy` when another process holds the file for too long; they may be called again then.
    """

    # Accounts

    def add_account(
        self,
        *,
        handle: str,
        tier: Tier,
        actor: str,
        user_id: UserId | None = None,
        spacing_s: int | None = None,
    ) -> AccountRecord:
        """Add an account; see `accounts.add`."""
        with self._write() as tx:
            return accounts.add(
                tx,
                tenant=TENANT,
                handle=handle,
                user_id=user_id,
                tier=tier,
                spacing_s=spacing_s,
                actor=actor,
            )

    def account(self, ref: str) -> AccountRecord:
        """Return the account of a handle or an id; see `accounts.find`."""
        with self._read() as tx:
            return accounts.find(tx, ref, tenant=TENANT)

    def accounts(self) -> tuple[AccountRecord, ...]:
        """Return all accounts, by handle."""
        with self._read() as tx:
            return accounts.every(tx, tenant=TENANT)

    def account_counts(self, account_id: AccountId) -> dict[State, int]:
        """Return how many jobs an account has in each state."""
        with self._read() as tx:
            return accounts.counts(tx, account_id)

    def record_identity(
        self, account_id: AccountId, *, user_id: UserId, handle: str, actor: str
    ) -> AccountRecord:
        """Record who a session belongs to; see `accounts.record_identity`."""
        with self._write() as tx:
            return accounts.record_identity(
                tx, account_id, user_id=user_id, handle=handle, actor=actor
            )

    def pause_account(self, account_id: AccountId, *, note: str, actor: str) -> AccountRecord:
        """Stop an account from posting until a person resumes it."""
        with self._write() as tx:
            return accounts.pause(tx, account_id, note=note, actor=actor)

    def resume_account(self, account_id: AccountId, *, note: str, actor: str) -> AccountRecord:
        """Close everything that holds an account; a person's decision."""
        with self._write() as tx:
            return accounts.resume(tx, account_id, note=note, actor=actor)

    def open_breaker(
        self, account_id: AccountId, kind: BreakerKind, *, detail: str, actor: str
    ) -> AccountRecord:
        """Stop an account because of its own trouble, seen outside of an attempt."""
        with self._write() as tx:
            breakers.open_one(tx, account_id, kind, detail=detail, who=Who.LANE, actor=actor)
            return accounts.by_id(tx, account_id)

    # Jobs

    def prepare(self, asked: Preparation) -> Prepared:
        """Take in a request to publish, once; see `enqueue.prepare`.

        Raises:
            KeyConflict: the key was used for something else; names the differing fields.
            IntentConflict: the intent is known under another key; names it.
            TimePassed: a new job's time lies in the past.
        """
        with self._write() as tx:
            answer = enqueue.prepare(tx, asked)
        if isinstance(answer, Prepared):
            return answer
        raise answer

    def prepare_all(self, asked: Sequence[Preparation]) -> tuple[Prepared, ...]:
        """Take in several requests at once, all of them or none; else as `prepare`.

        What is refused here is not counted at the intent it conflicts with, since nothing at all
        is written then.
        """
        prepared = []
        with self._write() as tx:
            for one in asked:
                answer = enqueue.prepare(tx, one)
                if not isinstance(answer, Prepared):
                    raise answer
                prepared.append(answer)
        return tuple(prepared)

    def resolve(self, ref: str) -> JobId:
        """Return the job of an id or of the beginning of one; see `jobs.resolve`."""
        with self._read() as tx:
            return jobs.resolve(tx, ref)

    def show(self, job_id: JobId) -> JobTree:
        """Return everything known about a job; see `jobs.show`."""
        with self._read() as tx:
            return jobs.show(tx, job_id)

    def jobs(
        self,
        *,
        state: State | None = None,
        account_id: AccountId | None = None,
        limit: int | None = None,
    ) -> tuple[JobRecord, ...]:
        """Return jobs, newest first; at most `limit`, by default the policy's."""
        with self._read() as tx:
            return jobs.listed(tx, state=state, account_id=account_id, limit=limit)

    def cancel(self, job_id: JobId, *, actor: str) -> JobRecord:
        """Withdraw a job before anything is done; see `jobs.cancel`."""
        with self._write() as tx:
            return jobs.cancel(tx, job_id, actor=actor)

    def reschedule(self, job_id: JobId, slot: Slot, *, actor: str) -> JobRecord:
        """Give a prepared or missed job a new time; see `jobs.reschedule`."""
        with self._write() as tx:
            return jobs.reschedule(tx, job_id, slot, actor=actor)

    def prepare_again(self, job_id: JobId, *, note: str, actor: str) -> JobRecord:
        """Let a job that was proven not sent be tried anew; see `jobs.prepare_again`."""
        with self._write() as tx:
            return jobs.prepare_again(tx, job_id, note=note, actor=actor)

    # Work

    def lanes_with_due_work(self, kinds: AbstractSet[Work] = SENDS) -> tuple[AccountId, ...]:
        """Return the accounts whose lanes could claim such work now, longest waiting first."""
        with self._read() as tx:
            return lane.with_due_work(tx, kinds)

    def next_due_at(
        self, account_id: AccountId | None = None, kinds: AbstractSet[Work] = SENDS
    ) -> datetime | None:
        """Return when such work can be claimed next; None when only an event can change that."""
        with self._read() as tx:
            return lane.next_due_at(tx, account_id, kinds)

    def claim_next(
        self, account_id: AccountId, *, worker: str, skip: AbstractSet[JobId] = frozenset()
    ) -> Claim | None:
        """Claim the oldest due job of a free lane; see `claims.claim_next`."""
        with self._write() as tx:
            return claims.claim_next(tx, account_id, worker=worker, skip=skip)

    def renew(self, ticket: Ticket) -> datetime:
        """Renew the lease of any claim; see `leases.renew`."""
        with self._write() as tx:
            return leases.renew(tx, ticket)

    def reached(self, ticket: Ticket, phase: Phase) -> None:
        """Record a phase other than the release; see `attempts.reached`."""
        with self._write() as tx:
            attempts.reached(tx, ticket, phase)

    def record_baseline(
        self, ticket: Ticket, *, newest_id: PostId | None, post_ids: Sequence[PostId]
    ) -> None:
        """Record the newest posts of the own profile; see `attempts.record_baseline`."""
        with self._write() as tx:
            attempts.record_baseline(tx, ticket, newest_id=newest_id, post_ids=post_ids)

    def released(self, ticket: Ticket, request: RequestSeen) -> None:
        """Record that the post may leave; durable when this returns. See `attempts.released`."""
        with self._write() as tx:
            attempts.released(tx, ticket, request)

    def finish(self, ticket: Ticket, outcome: Outcome, *, facts: AttemptFacts | None) -> JobRecord:
        """Close the attempt and move its job; see `finish.finish`."""
        with self._write() as tx:
            return finish.finish(tx, ticket, outcome, facts=facts)

    def add_evidence(self, ticket: Ticket, captures: Sequence[Capture]) -> None:
        """Record files of evidence; see `attempts.add_evidence`."""
        with self._write() as tx:
            attempts.add_evidence(tx, ticket, captures)

    def taken_ids(self, channel: str, post_ids: Iterable[PostId]) -> frozenset[PostId]:
        """Return those of the posts that confirm a job."""
        with self._read() as tx:
            return jobs.taken_ids(tx, channel=channel, post_ids=post_ids)

    def sweep(self, *, live_leases_too: bool = False) -> Swept:
        """Settle every claim whose worker is gone; see `sweep.sweep` for the warning."""
        with self._write() as tx:
            return sweep.sweep(tx, live_leases_too=live_leases_too)

    # History and side work

    def verify_audit(self) -> ChainVerdict:
        """Check the chain of the history from its beginning."""
        with self._read() as tx:
            return audit.verify(tx.connection)

    def pending_messages(self) -> tuple[MessageRecord, ...]:
        """Return the oldest side work that is not done."""
        with self._read() as tx:
            return outbox.pending(tx, limit=self.policy.message_batch_max)

    def message_done(self, message_id: str) -> None:
        """Set a message of side work aside."""
        with self._write() as tx:
            outbox.done(tx, message_id)
