"""Which posts are overdue when a run ends, and what each of them waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.cli.output import local_time
from agent.domain.moves import State

if TYPE_CHECKING:
    from datetime import datetime

    from agent.store.ledger import Store
    from agent.store.records import AccountRecord, JobRecord


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """One overdue post; `behind` is the job in doubt that holds its account's lane."""

    job_id: str
    handle: str
    why: str
    behind: str | None

    def as_json(self) -> dict[str, str | None]:
        """Shows it."""
        return {
            "job_id": self.job_id,
            "account": self.handle,
            "why": self.why,
            "behind": self.behind,
        }


def overdue(store: Store, now: datetime) -> tuple[Waiting, ...]:
    """Lists the posts whose time has come and that were not sent, the oldest first."""
    accounts = {account.id: account for account in store.accounts()}
    doubts = {
        job.account_id: job
        for state in (State.UNKNOWN, State.RECONCILING)
        for job in store.jobs(state=state)
    }
    due = [job for job in store.jobs(state=State.PREPARED) if job.due_at <= now]
    return tuple(
        _waiting(job, accounts[job.account_id], doubts.get(job.account_id))
        for job in sorted(due, key=lambda job: job.due_at)
    )


def _waiting(job: JobRecord, account: AccountRecord, doubt: JobRecord | None) -> Waiting:
    behind = None
    if account.user_id is None:
        why = f"nobody has signed in yet: postproof account login {account.handle}"
    elif account.breakers:
        why = "; ".join(f"{each.kind.value}: {each.next_step}" for each in account.breakers)
    elif doubt is not None:
        behind = doubt.id
        why = f"{doubt.id} before it is {doubt.state.value}: postproof show {doubt.id}"
    elif job.waits_for is not None:
        behind = job.waits_for
        why = f"{job.waits_for} is in doubt and much like it: postproof review show {job.waits_for}"
    elif job.not_before_at is not None:
        why = f"its next try is at {local_time(job.not_before_at)}"
    else:
        why = "the next run takes it"
    return Waiting(job_id=job.id, handle=job.handle, why=why, behind=behind)
