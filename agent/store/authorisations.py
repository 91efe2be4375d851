"""A person's permission for one more release of a job of which an earlier try may be out.

Given with the ruling that the post is absent; presented by the claim; used up by the release, in
its transaction. One that ends unused sends the job back to the person: such a job never becomes
not sent, missed or cancelled, since nobody could prove it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert, select, update

from agent.domain.moves import Carry, Event, State
from agent.domain.payload import canonical_json
from agent.store import moves, outbox
from agent.store.doubt_reading import authorisation_record
from agent.store.doubt_tables import AUTHORISATION
from agent.store.engine import one_row
from agent.store.errors import ReleaseRefused
from agent.store.tables import JOB

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Row

    from agent.domain.ids import JobId, PostId
    from agent.domain.moves import Who
    from agent.store.doubt_records import AuthorisationRecord
    from agent.store.engine import Transaction
    from agent.store.moves import Standing
    from agent.store.records import Ticket

EXPIRED: Final = "authorisation_expired"
USED: Final = "authorisation_used"
ENDED: Final = "authorisation_ended"
OTHER_CONTENT: Final = "authorisation_for_other_content"
WITHDRAWN: Final = "authorisation_withdrawn"


def grant(
    tx: Transaction,
    job_id: JobId,
    *,
    actor: str,
    note: str,
    digest: str,
    attempt_number: int,
    dismissed_ids: Iterable[PostId],
    expires_at: datetime,
) -> str:
    """Keep a new permission; return its id."""
    authorisation_id = tx.ids.new("aut")
    tx.connection.execute(
        insert(AUTHORISATION).values(
            id=authorisation_id,
            job_id=job_id,
            actor=actor,
            note=note,
            digest=digest,
            attempt_number=attempt_number,
            dismissed=canonical_json(sorted(dismissed_ids)),
            granted_at=tx.now,
            expires_at=expires_at,
        )
    )
    return authorisation_id


def by_id(tx: Transaction, authorisation_id: str) -> AuthorisationRecord:
    """Return a permission that is known to exist."""
    return authorisation_record(
        tx.connection.execute(
            select(AUTHORISATION).where(AUTHORISATION.c.id == authorisation_id)
        ).one()
    )


def fault_of(tx: Transaction, row: Row[Any]) -> str | None:
    """Say why a job of which an earlier try may be out must not be tried now; None when it may."""
    if row.authorisation_id is None:
        return None
    held = by_id(tx, row.authorisation_id)
    if held.job_id != row.id or held.digest != row.digest:
        return OTHER_CONTENT
    if held.consumed_at is not None:
        return USED
    if held.ended_at is not None:
        return held.ended_code or ENDED
    is_early = row.attempts + 1 < held.attempt_number
    return EXPIRED if held.expires_at <= tx.now or is_early else None


def consume(tx: Transaction, ticket: Ticket) -> None:
    """Use up the permission of an attempt's job, if the job needs one; before the release.

    Raises:
        ReleaseRefused: it has expired, or was withdrawn, or used.
    """
    authorisation_id = tx.connection.execute(
        select(JOB.c.authorisation_id).where(JOB.c.id == ticket.job_id)
    ).scalar_one()
    if authorisation_id is None:
        return
    used = tx.connection.execute(
        update(AUTHORISATION)
        .where(
            AUTHORISATION.c.id == authorisation_id,
            AUTHORISATION.c.job_id == ticket.job_id,
            AUTHORISATION.c.consumed_at.is_(None),
            AUTHORISATION.c.ended_at.is_(None),
            AUTHORISATION.c.expires_at > tx.now,
        )
        .values(consumed_at=tx.now, attempt_id=ticket.attempt_id)
    )
    if not one_row(used):
        raise ReleaseRefused(
            f"the permission to try {ticket.job_id} once more is over; the post stays here"
        )


def is_live(tx: Transaction, authorisation_id: str | None) -> bool:
    """Tell whether a further try needs no permission, or has one that is not used up."""
    if authorisation_id is None:
        return True
    held = by_id(tx, authorisation_id)
    return held.consumed_at is None and held.ended_at is None and held.expires_at > tx.now


def end(tx: Transaction, authorisation_id: str, code: str) -> None:
    """End a permission that was not used; one that was, or has ended, stays as it is."""
    tx.connection.execute(
        update(AUTHORISATION)
        .where(
            AUTHORISATION.c.id == authorisation_id,
            AUTHORISATION.c.consumed_at.is_(None),
            AUTHORISATION.c.ended_at.is_(None),
        )
        .values(ended_at=tx.now, ended_code=code)
    )


def give_back_to_person(
    tx: Transaction, job: Standing, *, code: str, detail: str, who: Who, actor: str
) -> None:
    """End the permission of a prepared job and put the job before the person again."""
    if job.authorisation_id is not None:
        end(tx, job.authorisation_id, code)
    moves.move_job(
        tx,
        job,
        event=Event.AUTHORISATION_ENDED,
        after=State.NEEDS_MANUAL,
        who=who,
        actor=actor,
        carried={Carry.CODE: code},
        values={"code": code, "detail": detail, "not_before_at": None},
    )
    outbox.put(
        tx,
        "job.needs_manual",
        account_id=job.account_id,
        job_id=job.job_id,
        body={"code": code},
    )
