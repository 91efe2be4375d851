"""What the store refuses or signals, as one tree.

    StoreError                  everything this package raises on purpose
    ├── StoreRefused            the database cannot be used as it is; nothing was written
    ├── StoreBusy               another process holds it for the moment; try again
    ├── StoreUnwritable         it cannot be written (full, read-only, gone)
    ├── KeyConflict             the same key was used for something else
    ├── IntentConflict          the same intent is known under another key
    ├── TimePassed              a new job's time lies in the past
    ├── FenceLost               the claim is over; whoever holds the ticket must stop
    │   └── ReleaseRefused      the claim stands, but the post must not leave now
    ├── NotFound                no such job or account
    ├── AmbiguousId             the beginning of an id fits several
    ├── AccountExists           the handle or user id belongs to an account already
    ├── IdentityConflict        the session belongs to somebody else than the account
    ├── MoveConflict            the job's state has changed, or the change is not legal
    │   └── Stale               the decision was made on a version that is not the job's any more
    ├── DecisionRefused         what a person decided does not agree with what was checked
    └── ChainBroken             the audit log's end is not where its head says

Each message ends with what a person can do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.domain.decisions import Refusal
    from agent.domain.ids import IntentId, JobId
    from agent.domain.moves import State
    from agent.store.doubt_records import DecisionRecord


class StoreError(Exception):
    """Everything this package raises on purpose."""


class StoreRefused(StoreError):  # noqa: N818 - named for what was signalled
    """The database cannot be used as it is; the file is untouched.

    Args:
        code: short and stable, such as `missing` or `damaged`.
        message: what is wrong, and the way out.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class StoreBusy(StoreError):  # noqa: N818
    """Another process holds the database for the moment; nothing was written, try again."""


class StoreUnwritable(StoreError):  # noqa: N818
    """The database cannot be written; nothing was written."""


class KeyConflict(StoreError):  # noqa: N818
    """The same idempotency key was used for something else; nothing was changed."""

    def __init__(
        self, *, key: str, fields: tuple[str, ...], intent_id: IntentId, job_id: JobId, state: State
    ) -> None:
        super().__init__(
            f"the key {key!r} belongs to {job_id} ({state}), which differs in: "
            f"{', '.join(fields)}; use another key, or ask for what was asked for before"
        )
        self.fields = fields
        self.intent_id = intent_id
        self.job_id = job_id
        self.state = state


class IntentConflict(StoreError):  # noqa: N818
    """The same intent is known under another key; nothing was changed."""

    def __init__(self, *, key: str, intent_id: IntentId, job_id: JobId, state: State) -> None:
        super().__init__(
            f"this article is announced already by this account: intent {intent_id}, job {job_id} "
            f"({state}), under the key {key!r}; for a second announcement give another --revision "
            "or --operation"
        )
        self.key = key
        self.intent_id = intent_id
        self.job_id = job_id
        self.state = state


class TimePassed(StoreError):  # noqa: N818
    """A new job's time lies in the past."""


class FenceLost(StoreError):  # noqa: N818
    """The claim is over; whoever holds the ticket must stop and can write nothing more."""


class ReleaseRefused(FenceLost):
    """The post must not leave now: the lease is nearly over, or the account was stopped."""


class NotFound(StoreError):  # noqa: N818
    """There is no such job or account."""


class AmbiguousId(StoreError):  # noqa: N818
    """The beginning of an id fits several."""

    def __init__(self, ref: str, candidates: tuple[str, ...]) -> None:
        super().__init__(f"{ref!r} fits {', '.join(candidates)}; write more of the id")
        self.candidates = candidates


class AccountExists(StoreError):  # noqa: N818
    """The handle or user id belongs to an account already."""


class IdentityConflict(StoreError):  # noqa: N818
    """The session belongs to somebody else than the account."""


class MoveConflict(StoreError):  # noqa: N818
    """The job's state has changed meanwhile, or its state does not allow what was asked."""


class Stale(MoveConflict):
    """Somebody or something was faster; nothing was changed.

    Args:
        job_id: the job.
        state: what it is now.
        version: its version now.
        decision: the last decision of a person, if there is one.
        what: what has happened, as a sentence without its end.
    """

    def __init__(
        self,
        *,
        job_id: JobId,
        state: State,
        version: int,
        decision: DecisionRecord | None,
        what: str,
    ) -> None:
        super().__init__(f"{what}; nothing was changed; see: postproof review show {job_id}")
        self.job_id = job_id
        self.state = state
        self.version = version
        self.decision = decision


class DecisionRefused(StoreError):  # noqa: N818
    """What a person decided does not agree with what was checked; nothing was changed.

    `until_at` says when it may be decided so, where only time stands in the way.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"refused: {refusal.why}; nothing was changed")
        self._refusal = refusal
        self.code = refusal.code
        self.until_at = refusal.until_at

    @property
    def refusal(self) -> Refusal:
        """The reason, as the rules gave it."""
        return self._refusal


class ChainBroken(StoreError):  # noqa: N818
    """The audit log's end is not where its head says; nothing is appended to it."""
