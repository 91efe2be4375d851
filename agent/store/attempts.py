"""The journal of an attempt: each phase on disk before the next begins, under the fence.

Every write is one guarded statement: the attempt is not over, the phase before it is there, and
the lane still holds this very claim. Row count zero means stop. The release is the point of no
return, and the only statement with further conditions: a minute of lease left, nobody has stopped
the account meanwhile, and where an earlier try may be out, a person's permission, used up by it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import exists, insert, or_, select, update

from agent.domain.facts import PHASES, Phase
from agent.domain.moves import State, Who
from agent.domain.payload import canonical_json
from agent.store import audit, authorisations, breakers
from agent.store.engine import one_row
from agent.store.errors import FenceLost, ReleaseRefused
from agent.store.records import LookTicket, ReadTicket
from agent.store.tables import ATTEMPT, BREAKER, EVIDENCE, JOB, LANE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement

    from agent.domain.facts import RequestSeen
    from agent.domain.ids import PostId
    from agent.store.engine import Transaction
    from agent.store.records import Capture, Ticket

_BEFORE_CLICK: Final = PHASES[: PHASES.index(Phase.CLICKED)]

# Which phases may stand before each. Before the click a page may be opened anew; from the click
# on there is one way.
_MAY_FOLLOW: Final[dict[Phase, tuple[Phase, ...]]] = {
    **dict.fromkeys(_BEFORE_CLICK, _BEFORE_CLICK),
    Phase.CLICKED: (Phase.ARMED,),
    Phase.RELEASED: (Phase.CLICKED,),
    Phase.ACKNOWLEDGED: (Phase.RELEASED,),
    Phase.PERMALINK: (Phase.RELEASED, Phase.ACKNOWLEDGED),
}


def reached(tx: Transaction, ticket: Ticket, phase: Phase) -> None:
    """Record a phase other than the release.

    Raises:
        FenceLost: the claim is over, or the phase does not follow the one on record.
    """
    if phase is Phase.RELEASED:
        raise ValueError("the release has a verb of its own: released")
    _write(tx, ticket, phase, {}, left_s=0)


def record_baseline(
    tx: Transaction, ticket: Ticket, *, newest_id: PostId | None, post_ids: Sequence[PostId]
) -> None:
    """Record the newest posts of the own profile before anything is typed.

    Raises:
        FenceLost: the claim is over.
    """
    written = tx.connection.execute(
        update(ATTEMPT)
        .where(*_is_current(tx, ticket, left_s=0), ATTEMPT.c.clicked_at.is_(None))
        .values(baseline_id=newest_id, baseline=canonical_json(list(post_ids)))
    )
    if not one_row(written):
        raise _lost(ticket)


def released(tx: Transaction, ticket: Ticket, request: RequestSeen) -> None:
    """Record that the post may leave. The gate opens only after this has been committed.

    Raises:
        FenceLost: the claim is over.
        ReleaseRefused: the lease is nearly over, the account was stopped meanwhile, or the
            permission for one more try is over.
    """
    stopped = exists().where(BREAKER.c.account_id == ticket.account_id, breakers.is_open_at(tx))
    if tx.connection.execute(select(stopped)).scalar_one():
        raise ReleaseRefused(f"the account of {ticket.job_id} was stopped; the post stays here")
    authorisations.consume(tx, ticket)
    seen = {"operation": request.operation, "body_sha256": request.body_sha256}
    left_s = tx.policy.release_lease_left_s
    _write(tx, ticket, Phase.RELEASED, {"request": canonical_json(seen)}, left_s=left_s)
    tx.connection.execute(
        update(LANE).where(LANE.c.account_id == ticket.account_id).values(last_release_at=tx.now)
    )
    audit.append(
        tx,
        event=Phase.RELEASED,
        who=Who.LANE,
        actor=audit.SYSTEM,
        subjects={
            "account_id": ticket.account_id,
            "job_id": ticket.job_id,
            "attempt_id": ticket.attempt_id,
        },
        carried={"fence": ticket.fence, **seen},
    )


def add_evidence(tx: Transaction, ticket: Ticket, captures: Sequence[Capture]) -> None:
    """Record files of evidence, and the captures that failed; needs no fence: it decides nothing.

    The files' hashes go into the history, so that a changed file is seen.
    """
    if not captures:
        return
    tx.connection.execute(
        insert(EVIDENCE),
        [
            {
                "id": tx.ids.new("evi"),
                "job_id": ticket.job_id,
                "attempt_id": ticket.attempt_id,
                "look_id": ticket.look_id if isinstance(ticket, LookTicket) else None,
                "reading_id": ticket.reading_id if isinstance(ticket, ReadTicket) else None,
                "kind": one.kind,
                "path": one.path,
                "sha256": one.sha256,
                "size_bytes": one.size_bytes,
                "taken_at": one.taken_at,
                "failure": one.failure,
            }
            for one in captures
        ],
    )
    audit.append(
        tx,
        event="evidence_recorded",
        who=Who.LANE,
        actor=audit.SYSTEM,
        subjects={"account_id": ticket.account_id, "job_id": ticket.job_id}
        | {"attempt_id": ticket.attempt_id},
        carried={"files": {one.path or one.kind: one.sha256 for one in captures}},
    )


def _write(
    tx: Transaction, ticket: Ticket, phase: Phase, values: dict[str, Any], *, left_s: int
) -> None:
    before = _MAY_FOLLOW[phase]
    follows: ColumnElement[bool] = ATTEMPT.c.phase.in_(before)
    if phase in _BEFORE_CLICK:
        follows = or_(ATTEMPT.c.phase.is_(None), follows)
    written = tx.connection.execute(
        update(ATTEMPT)
        .where(*_is_current(tx, ticket, left_s=left_s), follows)
        .values(phase=phase, **{f"{phase}_at": tx.now}, **values)
    )
    if not one_row(written):
        raise _lost(ticket) if left_s == 0 else _refused(tx, ticket, left_s)


def _is_current(tx: Transaction, ticket: Ticket, *, left_s: int) -> list[ColumnElement[bool]]:
    return [
        ATTEMPT.c.id == ticket.attempt_id,
        ATTEMPT.c.fence == ticket.fence,
        ATTEMPT.c.ended_at.is_(None),
        exists().where(
            LANE.c.account_id == ticket.account_id,
            LANE.c.epoch == ticket.fence,
            LANE.c.in_flight == ticket.attempt_id,
            LANE.c.lease_until >= tx.now + timedelta(seconds=left_s),
        ),
        exists().where(
            JOB.c.id == ticket.job_id,
            JOB.c.state == State.SENDING,
            JOB.c.attempt_id == ticket.attempt_id,
        ),
    ]


def _lost(ticket: Ticket) -> FenceLost:
    return FenceLost(
        f"attempt {ticket.attempt_id} may write nothing more: its claim is over, or the phase does "
        "not follow the one on record; stop, and leave it to the sweep"
    )


def _refused(tx: Transaction, ticket: Ticket, left_s: int) -> FenceLost:
    current = select(ATTEMPT.c.id).where(*_is_current(tx, ticket, left_s=0))
    if tx.connection.execute(current).one_or_none() is None:
        return _lost(ticket)
    return ReleaseRefused(
        f"the lease of {ticket.job_id} has less than {left_s} s left; the post stays here"
    )
