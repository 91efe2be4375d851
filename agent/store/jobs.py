"""Asking about jobs, and what a caller or a person may do to one.

Every change is refused with a clear sentence when the job's state does not allow it, and changes
nothing then.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from agent.domain.ids import JobId, PostId
from agent.domain.moves import Carry, Event, State, Who
from agent.domain.schedule import slot_now
from agent.store import audit, doubt_reading, moves, reading
from agent.store.engine import one_row
from agent.store.enqueue import PAST_TOLERANCE_S
from agent.store.errors import AmbiguousId, MoveConflict, NotFound, TimePassed
from agent.store.records import JobRecord, JobTree, SegmentRecord
from agent.store.tables import ATTEMPT, AUDIT, EVIDENCE, INTENT, JOB, SEGMENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent.domain.ids import AccountId
    from agent.domain.schedule import Slot
    from agent.store.engine import Transaction
    from agent.store.records import IntentRecord

CANDIDATES_MAX = 5  # how many ids an ambiguous beginning names


def resolve(tx: Transaction, ref: str) -> JobId:
    """Return the job of a job id, of an intent id, or of a beginning that fits only one job.

    Raises:
        NotFound: nothing fits.
        AmbiguousId: several fit.
    """
    wanted = ref.strip().lower()
    column = JOB.c.intent_id if wanted.startswith("int_") else JOB.c.id
    start = wanted if wanted.startswith(("job_", "int_")) else f"job_{wanted}"
    # '{' is the character behind 'z': the range holds every id that begins so, and an index
    # serves it, which it does not for LIKE.
    found = tx.connection.execute(
        select(JOB.c.id)
        .where(column >= start, column < start + "{")
        .order_by(column)
        .limit(CANDIDATES_MAX)
    ).scalars()
    candidates = tuple(found)
    if not wanted or not candidates:
        raise NotFound(f"there is no job {ref!r}; see: postproof list")
    if len(candidates) > 1:
        raise AmbiguousId(ref, candidates)
    return JobId(candidates[0])


def listed(
    tx: Transaction, *, state: State | None, account_id: AccountId | None, limit: int | None
) -> tuple[JobRecord, ...]:
    """Return jobs, newest first."""
    statement = reading.jobs().order_by(JOB.c.id.desc())
    if state is not None:
        statement = statement.where(JOB.c.state == state)
    if account_id is not None:
        statement = statement.where(JOB.c.account_id == account_id)
    rows = tx.connection.execute(statement.limit(tx.policy.list_limit if limit is None else limit))
    return tuple(reading.job_record(row) for row in rows)


def show(tx: Transaction, job_id: JobId) -> JobTree:
    """Return everything known about a job.

    Raises:
        NotFound: there is no such job.
    """
    moves.standing_of(tx, job_id)
    job = reading.job(tx, job_id)
    run = tx.connection.execute
    intent = reading.intent_record(run(select(INTENT).where(INTENT.c.id == job.intent_id)).one())
    segments = run(select(SEGMENT).where(SEGMENT.c.job_id == job_id).order_by(SEGMENT.c.position))
    attempts = run(select(ATTEMPT).where(ATTEMPT.c.job_id == job_id).order_by(ATTEMPT.c.number))
    events = run(select(AUDIT).where(AUDIT.c.job_id == job_id).order_by(AUDIT.c.seq))
    evidence = run(select(EVIDENCE).where(EVIDENCE.c.job_id == job_id).order_by(EVIDENCE.c.id))
    return JobTree(
        job=job,
        intent=intent,
        segments=tuple(
            SegmentRecord(
                position=row.position,
                text=_text_of(intent, row.position),
                permalink=row.permalink,
                remote_id=row.remote_id,
            )
            for row in segments
        ),
        attempts=tuple(reading.attempt_record(row) for row in attempts),
        events=tuple(reading.event_record(row) for row in events),
        evidence=tuple(reading.evidence_record(row) for row in evidence),
        looks=doubt_reading.looks_of(tx, job_id),
        readings=doubt_reading.readings_of(tx, job_id),
        decisions=doubt_reading.decisions_of(tx, job_id),
        authorisations=doubt_reading.authorisations_of(tx, job_id),
    )


def cancel(tx: Transaction, job_id: JobId, *, actor: str) -> JobRecord:
    """Withdraw a job before anything is done; saying it twice changes nothing.

    Raises:
        MoveConflict: something was done already, or an earlier try may be out.
    """
    job = moves.standing_of(tx, job_id)
    if job.authorisation_id is not None:
        raise MoveConflict(
            f"{job_id} was tried before, and that try may be out: it cannot be cancelled; see: "
            f"postproof review show {job_id}"
        )
    if job.state is not State.CANCELLED:
        moves.move_job(
            tx,
            job,
            event=Event.CANCELLED,
            after=State.CANCELLED,
            who=Who.CALLER,
            actor=actor,
            carried={},
        )
    return reading.job(tx, job_id)


def reschedule(tx: Transaction, job_id: JobId, slot: Slot, *, actor: str) -> JobRecord:
    """Give a prepared or missed job a new time.

    Raises:
        MoveConflict: the job is neither prepared nor missed.
        TimePassed: the new time lies in the past.
    """
    if slot.due_at < tx.now - timedelta(seconds=PAST_TOLERANCE_S):
        raise TimePassed(f"{slot.wall} ({slot.zone}) has passed; give a later time")
    job = moves.standing_of(tx, job_id)
    when = {"due_at": slot.due_at, "zone": slot.zone, "wall": slot.wall, "not_before_at": None}
    carried = {"due_at": slot.due_at.isoformat(), "zone": slot.zone}
    if job.state is not State.PREPARED:
        moves.move_job(
            tx,
            job,
            event=Event.RESCHEDULED,
            after=State.PREPARED,
            who=Who.CALLER,
            actor=actor,
            carried={Carry.SLOT: carried},
            values={**when, "code": None, "detail": None},
        )
        return reading.job(tx, job_id)
    changed = tx.connection.execute(
        update(JOB)
        .where(JOB.c.id == job_id, JOB.c.state == State.PREPARED, JOB.c.version == job.version)
        .values(**when, version=job.version + 1)
    )
    if not one_row(changed):
        raise MoveConflict(f"{job_id} has changed meanwhile; see: postproof show {job_id}")
    subjects = {"account_id": job.account_id, "intent_id": job.intent_id, "job_id": job_id}
    audit.append(
        tx,
        event=Event.RESCHEDULED,
        who=Who.CALLER,
        actor=actor,
        subjects=subjects,
        carried=carried,
    )
    return reading.job(tx, job_id)


def prepare_again(tx: Transaction, job_id: JobId, *, note: str, actor: str) -> JobRecord:
    """Let a job that was proven not sent be tried anew, from now on; a person's decision.

    Raises:
        MoveConflict: the job is not `not_sent`.
    """
    slot = slot_now(tx.now)
    moves.move_job(
        tx,
        moves.standing_of(tx, job_id),
        event=Event.PREPARED_AGAIN,
        after=State.PREPARED,
        who=Who.OPERATOR,
        actor=actor,
        carried={Carry.NOTE: note},
        values={
            "due_at": slot.due_at,
            "zone": slot.zone,
            "wall": slot.wall,
            "failures": 0,
            "not_before_at": None,
            "code": None,
            "detail": None,
        },
    )
    return reading.job(tx, job_id)


def taken_ids(tx: Transaction, *, channel: str, post_ids: Iterable[PostId]) -> frozenset[PostId]:
    """Return those of the posts that confirm a job."""
    found = tx.connection.execute(
        select(JOB.c.remote_id).where(JOB.c.channel == channel, JOB.c.remote_id.in_(list(post_ids)))
    ).scalars()
    return frozenset(PostId(one) for one in found)


def _text_of(intent: IntentRecord, position: int) -> str:
    posts = intent.payload.segments if intent.payload is not None else ()
    return posts[position - 1].text if position <= len(posts) else ""
