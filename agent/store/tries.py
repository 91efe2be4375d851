"""Which attempts of a job may be out: released, and not proven otherwise.

Read by the claim of a look, by its end, and by a person's decisions; writes nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select, text

from agent.domain.decisions import window_start
from agent.domain.doubt import segments_wanted
from agent.domain.matching.terms import AttemptTimes, Sibling
from agent.domain.moves import IN_DOUBT, State
from agent.store.reading import baseline_of, payload_of
from agent.store.tables import ATTEMPT, INTENT, JOB, TRIED_AGAIN_SQL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Row

    from agent.domain.ids import JobId
    from agent.store.engine import Transaction

_MAY_BE_OUT = (ATTEMPT.c.released_at.is_not(None), ATTEMPT.c.outcome == "unknown")


def tried(tx: Transaction, job_id: JobId) -> AttemptTimes | None:
    """Return the earliest attempt of a job that may be out; None when none was released."""
    return _first_tries(tx, [job_id]).get(job_id)


def quarantine_until(tx: Transaction, job_id: JobId) -> datetime | None:
    """Return until when a post may still show by itself; None when nothing was released."""
    last = tx.connection.execute(
        select(ATTEMPT.c.clicked_at)
        .where(ATTEMPT.c.job_id == job_id, *_MAY_BE_OUT)
        .order_by(ATTEMPT.c.number.desc())
        .limit(1)
    ).scalar_one_or_none()
    return None if last is None else last + timedelta(seconds=tx.policy.quarantine_s)


def since(tx: Transaction, job_id: JobId) -> datetime:
    """Return since when a post may have been made by a job; see `decisions.window_start`."""
    return window_start(tried(tx, job_id), code=None, now=tx.now, policy=tx.policy)


def since_for_person(tx: Transaction, job_id: JobId) -> datetime:
    """Return since when a person may say that a post is a job's.

    What the latest attempt ran into may be older than the attempt.
    """
    code = tx.connection.execute(
        select(ATTEMPT.c.code)
        .where(ATTEMPT.c.job_id == job_id)
        .order_by(ATTEMPT.c.number.desc())
        .limit(1)
    ).scalar_one_or_none()
    back = window_start(tried(tx, job_id), code=code, now=tx.now, policy=tx.policy)
    return min(back, since(tx, job_id))


def open_siblings(tx: Transaction, job: Row[Any]) -> tuple[Sibling, ...]:
    """Return the account's other jobs that may be out, as the matcher wants them.

    Those in doubt, those that wait for one more try, and those given up of late: whatever post
    appears may be theirs. One that was never released has made none.
    """
    rows = _others(tx, job)
    tries = _first_tries(tx, [row.id for row in rows])
    siblings = []
    for row in rows:
        payload = payload_of(row.payload)
        if payload is not None and (attempt := tries.get(row.id)) is not None:
            siblings.append(Sibling(segments=segments_wanted(payload), attempt=attempt))
    return tuple(siblings)


def _others(tx: Transaction, job: Row[Any]) -> list[Row[Any]]:
    of_account = JOB.c.account_id == job.account_id, JOB.c.id != job.id
    columns = select(JOB.c.id, INTENT.c.payload).join(INTENT, INTENT.c.id == JOB.c.intent_id)
    given_up_since = tx.now - timedelta(seconds=tx.policy.baseline_horizon_s)
    limit = tx.policy.siblings_max
    doubts = columns.where(
        *of_account,
        JOB.c.state.in_(sorted(IN_DOUBT | {State.ABANDONED})),
        or_(JOB.c.state != State.ABANDONED, JOB.c.state_at >= given_up_since),
    )
    tried_again = columns.where(*of_account, text(TRIED_AGAIN_SQL))
    found = [*tx.connection.execute(doubts.limit(limit))]
    found += tx.connection.execute(tried_again.limit(limit)).all()
    return found[:limit]


def _first_tries(tx: Transaction, job_ids: Iterable[str]) -> dict[str, AttemptTimes]:
    rows = tx.connection.execute(
        select(ATTEMPT)
        .where(ATTEMPT.c.job_id.in_(list(job_ids)), *_MAY_BE_OUT)
        .order_by(ATTEMPT.c.job_id, ATTEMPT.c.number)
    )
    first: dict[str, AttemptTimes] = {}
    for row in rows:
        times = AttemptTimes(
            clicked_at=row.clicked_at,
            released_at=row.released_at,
            baseline_id=baseline_of(row),
        )
        first.setdefault(row.job_id, times)
    return first
