"""The store's verbs of doubt: looks, readings, decisions; each in one transaction.

A part of the store's facade (`ledger.Store`), kept apart for its length only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.store import decisions, look_finish, looks, moves, rereads, tries
from agent.store.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from agent.domain.decisions import PermalinkChecked
    from agent.domain.doubt import LookSeen
    from agent.domain.ids import AccountId, JobId
    from agent.domain.watch import ReadSeen
    from agent.store.records import (
        JobRecord,
        LookClaim,
        LookTicket,
        ReadClaim,
        ReadTicket,
    )


class DoubtVerbs(Workbench):
    """What is done about a post that may be out, and about one that is."""

    def claim_look(
        self, account_id: AccountId, *, worker: str, skip: AbstractSet[JobId] = frozenset()
    ) -> LookClaim | None:
        """Claim the look of an account that is due the longest; see `looks.claim_look`."""
        with self._write() as tx:
            return looks.claim_look(tx, account_id, worker=worker, skip=skip)

    def finish_look(self, ticket: LookTicket, seen: LookSeen) -> JobRecord:
        """Keep what a look saw and move its job; see `look_finish.finish_look`."""
        with self._write() as tx:
            return look_finish.finish_look(tx, ticket, seen)

    def look_now(self, job_id: JobId, *, actor: str) -> JobRecord:
        """Make a look due at once, because somebody asks; see `looks.look_now`."""
        with self._write() as tx:
            return looks.look_now(tx, job_id, actor=actor)

    def claim_read(self, account_id: AccountId, *, worker: str) -> ReadClaim | None:
        """Claim the reading of an account that is due the longest; see `rereads.claim_read`."""
        with self._write() as tx:
            return rereads.claim_read(tx, account_id, worker=worker)

    def finish_read(self, ticket: ReadTicket, seen: ReadSeen) -> JobRecord:
        """Keep what a reading saw; see `rereads.finish_read`."""
        with self._write() as tx:
            return rereads.finish_read(tx, ticket, seen)

    def in_review(self) -> tuple[JobRecord, ...]:
        """Return the jobs that wait for a person; see `decisions.in_review`."""
        with self._read() as tx:
            return decisions.in_review(tx)

    def quarantine_until(self, job_id: JobId) -> datetime | None:
        """Return until when a post may still show by itself; None when nothing was released.

        Raises:
            NotFound: there is no such job.
        """
        with self._read() as tx:
            moves.standing_of(tx, job_id)
            return tries.quarantine_until(tx, job_id)

    def confirm(
        self,
        job_id: JobId,
        *,
        version: int,
        checked: PermalinkChecked,
        is_forced: bool,
        note: str | None,
        actor: str,
    ) -> JobRecord:
        """Confirm a job by the post that a person names; see `decisions.confirm`."""
        with self._write() as tx:
            return decisions.confirm(
                tx,
                job_id,
                version=version,
                checked=checked,
                is_forced=is_forced,
                note=note,
                actor=actor,
            )

    def rule_absent(
        self,
        job_id: JobId,
        *,
        version: int,
        look_id: str,
        note: str,
        actor: str,
        lasts_s: int | None = None,
        despite_candidates: bool,
    ) -> JobRecord:
        """Rule that a post is not out, and allow one more try; see `decisions.rule_absent`."""
        with self._write() as tx:
            return decisions.rule_absent(
                tx,
                job_id,
                version=version,
                look_id=look_id,
                note=note,
                actor=actor,
                lasts_s=lasts_s,
                despite_candidates=despite_candidates,
            )

    def give_up(self, job_id: JobId, *, version: int, note: str, actor: str) -> JobRecord:
        """Close a doubt without settling it; see `decisions.give_up`."""
        with self._write() as tx:
            return decisions.give_up(tx, job_id, version=version, note=note, actor=actor)

    def withdraw(self, job_id: JobId, *, version: int, note: str, actor: str) -> JobRecord:
        """Take the permission for one more try back; see `decisions.withdraw`."""
        with self._write() as tx:
            return decisions.withdraw(tx, job_id, version=version, note=note, actor=actor)
