"""What a person decides about a job in doubt: each decision kept for good, and the move it makes.

A decision names the version of the job that the person saw. On any other version nothing is
changed, and the answer says who decided what, and when. What a decision must bring is the domain's
question (`domain.decisions`); that a post confirms one job only is the database's.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from agent.domain.classification import permalink_of
from agent.domain.decisions import (
    DecisionKind,
    FreshLook,
    PermalinkChecked,
    Refusal,
    note_missing,
    refusal_of_absence,
    refusal_of_post,
)
from agent.domain.moves import Carry, Event, State, Who
from agent.domain.payload import canonical_json
from agent.domain.schedule import slot_now
from agent.store import audit, authorisations, confirming, moves, outbox, reading, tries
from agent.store.confirming import Posted
from agent.store.doubt_reading import decision_record, look_record
from agent.store.doubt_tables import DECISION, LOOK
from agent.store.errors import DecisionRefused, MoveConflict, Stale
from agent.store.tables import ACCOUNT, INTENT, JOB

if TYPE_CHECKING:
    from agent.domain.ids import JobId, PostId
    from agent.store.doubt_records import DecisionRecord, LookRecord
    from agent.store.engine import Transaction
    from agent.store.moves import Standing
    from agent.store.records import JobRecord

_PERSON = Who.OPERATOR


def in_review(tx: Transaction) -> tuple[JobRecord, ...]:
    """Return the jobs that wait for a person, oldest first; at most the policy's number."""
    rows = tx.connection.execute(
        reading.jobs()
        .where(JOB.c.state == State.NEEDS_MANUAL)
        .order_by(JOB.c.id)
        .limit(tx.policy.list_limit)
    )
    return tuple(reading.job_record(row) for row in rows)


def confirm(
    tx: Transaction,
    job_id: JobId,
    *,
    version: int,
    checked: PermalinkChecked,
    is_forced: bool,
    note: str | None,
    actor: str,
) -> JobRecord:
    """Confirm a job by the post that a person names.

    Args:
        tx: a writing transaction.
        job_id: the job.
        version: the job's, as the person saw it.
        checked: the post, as its page was read by the caller.
        is_forced: the text differs, and the person says that it is the post nevertheless.
        note: why; needed to force.
        actor: the person.

    Raises:
        Stale: the job has changed meanwhile.
        DecisionRefused: the post is another's, of another time, of another job, or differs.
    """
    job = _current(tx, job_id, version, State.NEEDS_MANUAL)
    account = tx.connection.execute(
        select(ACCOUNT.c.user_id, ACCOUNT.c.handle).where(ACCOUNT.c.id == job.account_id)
    ).one()
    refusal = refusal_of_post(
        checked,
        user_id=account.user_id,
        since=tries.since_for_person(tx, job_id),
        until=tx.now + timedelta(seconds=tx.policy.clock_skew_s),
        is_forced=is_forced,
        note=note,
    )
    _refuse(refusal or _taken(tx, job_id, checked.post_id))
    _keep(
        tx,
        job,
        DecisionKind.CONFIRM,
        actor=actor,
        note=note,
        permalink=checked.permalink,
        post_id=checked.post_id,
        is_forced=is_forced and not checked.is_text_equal,
        facts=canonical_json(dict(checked.facts)),
    )
    address = permalink_of(account.handle, checked.post_id)
    confirming.confirm(
        tx,
        job,
        Posted(post_id=checked.post_id, permalink=address, is_read_back=True),
        event=Event.CONFIRMED,
        who=_PERSON,
        actor=actor,
        carried={} if note is None else {Carry.NOTE: note},
    )
    return reading.job(tx, job_id)


def rule_absent(
    tx: Transaction,
    job_id: JobId,
    *,
    version: int,
    look_id: str,
    note: str,
    actor: str,
    lasts_s: int | None,
    despite_candidates: bool,
) -> JobRecord:
    """Rule that a job's post is not out, and allow one more try of it.

    Args:
        tx: a writing transaction.
        job_id: the job.
        version: the job's, as the person saw it.
        look_id: the fresh look that was made for the ruling.
        note: why.
        actor: the person.
        lasts_s: how long the permission holds; None: the policy's.
        despite_candidates: the person saw the posts that may be it, and says that none is.

    Raises:
        Stale: the job has changed meanwhile.
        DecisionRefused: it is too early, or the look does not bear it.
    """
    job = _current(tx, job_id, version, State.NEEDS_MANUAL)
    look = _look(tx, job_id, look_id)
    _refuse(
        note_missing(note)
        or refusal_of_absence(
            _fresh(tx, job_id, look),
            now=tx.now,
            quarantine_until=tries.quarantine_until(tx, job_id),
            despite_candidates=despite_candidates,
            policy=tx.policy,
        )
    )
    authorisation_id = _grant(tx, job, look, note=note, actor=actor, lasts_s=lasts_s)
    _keep(
        tx,
        job,
        DecisionKind.ABSENT,
        actor=actor,
        note=note,
        look_id=look_id,
        authorisation_id=authorisation_id,
    )
    _try_again(tx, job, authorisation_id, note=note, actor=actor)
    return reading.job(tx, job_id)


def give_up(tx: Transaction, job_id: JobId, *, version: int, note: str, actor: str) -> JobRecord:
    """Close a doubt without settling it.

    Raises:
        Stale: the job has changed meanwhile.
        DecisionRefused: there is no note.
    """
    job = _current(tx, job_id, version, State.NEEDS_MANUAL)
    _refuse(note_missing(note))
    _keep(tx, job, DecisionKind.GIVE_UP, actor=actor, note=note)
    moves.move_job(
        tx,
        job,
        event=Event.GIVEN_UP,
        after=State.ABANDONED,
        who=_PERSON,
        actor=actor,
        carried={Carry.NOTE: note},
        values={"look_at": None, "look_asked_by": None},
    )
    outbox.put(tx, f"job.{State.ABANDONED}", account_id=job.account_id, job_id=job_id)
    return reading.job(tx, job_id)


def withdraw(tx: Transaction, job_id: JobId, *, version: int, note: str, actor: str) -> JobRecord:
    """Take the permission for one more try back; what is under way is not released then.

    Raises:
        Stale: the job has changed meanwhile.
        DecisionRefused: there is no note.
        MoveConflict: there is no permission to take back.
    """
    job = _current(tx, job_id, version, State.PREPARED, State.SENDING)
    _refuse(note_missing(note))
    if job.authorisation_id is None or not authorisations.is_live(tx, job.authorisation_id):
        raise MoveConflict(f"{job_id} has no permission to take back; see: postproof show {job_id}")
    _keep(
        tx,
        job,
        DecisionKind.WITHDRAW,
        actor=actor,
        note=note,
        authorisation_id=job.authorisation_id,
    )
    if job.state is State.SENDING:
        authorisations.end(tx, job.authorisation_id, authorisations.WITHDRAWN)
    else:
        authorisations.give_back_to_person(
            tx, job, code=authorisations.WITHDRAWN, detail=note, who=_PERSON, actor=actor
        )
    return reading.job(tx, job_id)


def _current(tx: Transaction, job_id: JobId, version: int, *states: State) -> Standing:
    """Return the job if it is as the person saw it."""
    job = moves.standing_of(tx, job_id)
    if job.version == version and job.state in states:
        return job
    last = _last_decision(tx, job_id)
    if last is not None and last.version >= version:
        at = last.decided_at.isoformat(timespec="seconds")
        what = f"{job_id} is {job.state}: {last.actor} decided {last.kind} at {at}"
    else:
        what = f"{job_id} is {job.state} now and has changed since it was shown"
    raise Stale(job_id=job_id, state=job.state, version=job.version, decision=last, what=what)


def _last_decision(tx: Transaction, job_id: JobId) -> DecisionRecord | None:
    row = tx.connection.execute(
        select(DECISION)
        .where(DECISION.c.job_id == job_id)
        .order_by(DECISION.c.version.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else decision_record(row)


def _refuse(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise DecisionRefused(refusal)


def _taken(tx: Transaction, job_id: JobId, post_id: PostId) -> Refusal | None:
    owner = confirming.owner_of(tx, job_id, post_id)
    if owner is None:
        return None
    return Refusal(code="post_taken", why=f"post {post_id} confirms {owner} already")


def _look(tx: Transaction, job_id: JobId, look_id: str) -> LookRecord | None:
    row = tx.connection.execute(
        select(LOOK).where(LOOK.c.id == look_id, LOOK.c.job_id == job_id)
    ).one_or_none()
    return None if row is None else look_record(row)


def _fresh(tx: Transaction, job_id: JobId, look: LookRecord | None) -> FreshLook:
    if look is None:
        return FreshLook(asked_by=None, ended_at=None, result=None, outcome=None, is_latest=False)
    latest = tx.connection.execute(
        select(LOOK.c.id).where(LOOK.c.job_id == job_id).order_by(LOOK.c.number.desc()).limit(1)
    ).scalar_one()
    return FreshLook(
        asked_by=look.asked_by,
        ended_at=look.ended_at,
        result=look.result,
        outcome=look.outcome,
        is_latest=latest == look.id,
    )


def _grant(
    tx: Transaction,
    job: Standing,
    look: LookRecord | None,
    *,
    note: str,
    actor: str,
    lasts_s: int | None,
) -> str:
    row = tx.connection.execute(
        select(JOB.c.attempts, INTENT.c.digest)
        .join(INTENT, INTENT.c.id == JOB.c.intent_id)
        .where(JOB.c.id == job.job_id)
    ).one()
    wanted_s = tx.policy.authorisation_s if lasts_s is None else lasts_s
    seconds = min(max(wanted_s, 1), tx.policy.authorisation_s_max)
    return authorisations.grant(
        tx,
        job.job_id,
        actor=actor,
        note=note,
        digest=row.digest,
        attempt_number=row.attempts + 1,
        dismissed_ids={post["id"] for post in (look.posts if look else ()) if post["id"]},
        expires_at=tx.now + timedelta(seconds=seconds),
    )


def _try_again(
    tx: Transaction, job: Standing, authorisation_id: str, *, note: str, actor: str
) -> None:
    slot = slot_now(tx.now)
    moves.move_job(
        tx,
        job,
        event=Event.RULED_ABSENT,
        after=State.PREPARED,
        who=_PERSON,
        actor=actor,
        carried={Carry.NOTE: note, Carry.AUTHORISATION: authorisation_id},
        values={
            "authorisation_id": authorisation_id,
            "due_at": slot.due_at,
            "zone": slot.zone,
            "wall": slot.wall,
            "failures": 0,
            "not_before_at": None,
            "code": None,
            "detail": None,
            "look_at": None,
            "look_asked_by": None,
            "looked_at": None,
        },
    )
    outbox.put(tx, "job.prepared", account_id=job.account_id, job_id=job.job_id)


def _keep(
    tx: Transaction,
    job: Standing,
    kind: DecisionKind,
    *,
    actor: str,
    note: str | None,
    **brought: Any,  # noqa: ANN401 - columns of the row
) -> None:
    """Keep the decision for good, with what its kind brings, and tell it in the history."""
    audit.append(
        tx,
        event="decided",
        who=_PERSON,
        actor=actor,
        subjects={"account_id": job.account_id, "intent_id": job.intent_id, "job_id": job.job_id},
        carried={"kind": kind, "version": job.version, "note": note, **brought},
    )
    tx.connection.execute(
        insert(DECISION).values(
            **{"facts": "{}", "is_forced": False}
            | {
                "id": tx.ids.new("dec"),
                "job_id": job.job_id,
                "kind": kind,
                "version": job.version,
                "actor": actor,
                "note": note,
                "decided_at": tx.now,
            }
            | brought
        )
    )
