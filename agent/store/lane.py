"""What each lane waits for: the one reading behind the bell, the scan for due work and the claims.

A lane does three kinds of work: it looks for what is in doubt, it sends, it reads confirmed posts
again. All of them wait while the account is at the browser, and until somebody has signed in.
Sending waits for every breaker, for the first valid look of a doubt, and for the spacing; looks
and readings only for the breakers that stop reading. Within a lane the oldest job comes first,
also while it waits for another try: an account posts in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import exists, func, or_, select, text

from agent.domain.breaker import BREAKERS
from agent.store.tables import (
    ACCOUNT,
    AT_BROWSER_SQL,
    BREAKER,
    JOB,
    LANE,
    TO_LOOK_SQL,
    TO_READ_SQL,
    UNSETTLED_SQL,
    WAITING_SQL,
)

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from sqlalchemy import Row, Select

    from agent.domain.ids import AccountId
    from agent.store.engine import Transaction

# Conditions with their words in them, so that the planner sees that a partial index serves them.
WAITING = text(WAITING_SQL)
TO_LOOK = text(TO_LOOK_SQL)
TO_READ = text(TO_READ_SQL)
AT_BROWSER = text(AT_BROWSER_SQL)
UNSETTLED = text(UNSETTLED_SQL)

STOPS_READING: Final = sorted(kind for kind, row in BREAKERS.items() if row.stops_reading)


class Work(StrEnum):
    """The kinds of work of a lane, in the order in which they are done when all are due.

    Attributes:
        LOOK: a look at the profile for a job in doubt.
        SEND: an attempt.
        READ: a confirmed post is read again.
    """

    LOOK = "look"
    SEND = "send"
    READ = "read"


EVERY_WORK: Final = frozenset(Work)


@dataclass(frozen=True, kw_only=True)
class LaneView:
    """A lane and, for each kind of work, when the first of it may be claimed.

    None: there is none, or something other than time stands in the way: the account is at the
    browser, nobody has signed in, a doubt is unsettled, or a breaker waits for a person.
    """

    account_id: AccountId
    ready: dict[Work, datetime | None]

    def ready_at(self, kinds: AbstractSet[Work]) -> datetime | None:
        """Return when the first of these kinds may be claimed."""
        return min((at for kind in kinds if (at := self.ready[kind]) is not None), default=None)

    def is_due(self, kind: Work, now: datetime) -> bool:
        """Tell whether work of a kind may be claimed now."""
        at = self.ready[kind]
        return at is not None and at <= now


def views(tx: Transaction, account_id: AccountId | None = None) -> tuple[LaneView, ...]:
    """Return the lanes with anything to do, or the one of an account."""
    statement = _waiting_lanes()
    if account_id is not None:
        statement = statement.where(ACCOUNT.c.id == account_id)
    return tuple(_view(tx, row) for row in tx.connection.execute(statement))


def view_of(tx: Transaction, account_id: AccountId) -> LaneView | None:
    """Return an account's lane if it has anything to do."""
    return next(iter(views(tx, account_id)), None)


def with_due_work(tx: Transaction, kinds: AbstractSet[Work]) -> tuple[AccountId, ...]:
    """Return the accounts that could claim such work now, longest waiting first."""
    ready = [(at, view) for view in views(tx) if (at := view.ready_at(kinds)) is not None]
    due = sorted((pair for pair in ready if pair[0] <= tx.now), key=lambda pair: pair[0])
    return tuple(view.account_id for _, view in due)


def next_due_at(
    tx: Transaction, account_id: AccountId | None, kinds: AbstractSet[Work]
) -> datetime | None:
    """Return when such work can be claimed next; None when only an event can change that."""
    times = (view.ready_at(kinds) for view in views(tx, account_id))
    return min((at for at in times if at is not None), default=None)


def _waiting_lanes() -> Select[Any]:
    of_account = JOB.c.account_id == ACCOUNT.c.id
    oldest = select(JOB.c.not_before_at).where(of_account, WAITING)
    held = BREAKER.c.account_id == ACCOUNT.c.id, BREAKER.c.closed_at.is_(None)
    blind = (*held, BREAKER.c.kind.in_(STOPS_READING))
    waits_for_person = BREAKER.c.until_at.is_(None)
    due_at = select(func.min(JOB.c.due_at)).where(of_account, WAITING)
    look_at = select(func.min(JOB.c.look_at)).where(of_account, TO_LOOK)
    read_at = select(func.min(JOB.c.read_at)).where(of_account, TO_READ)
    return (
        select(
            ACCOUNT.c.id,
            ACCOUNT.c.user_id,
            ACCOUNT.c.spacing_s,
            LANE.c.last_release_at,
            LANE.c.in_flight,
            due_at.scalar_subquery().label("due_at"),
            oldest.order_by(JOB.c.due_at, JOB.c.id)
            .limit(1)
            .scalar_subquery()
            .label("not_before_at"),
            look_at.scalar_subquery().label("look_at"),
            read_at.scalar_subquery().label("read_at"),
            _last_end(*held).label("held_until"),
            _last_end(*blind).label("blind_until"),
            exists().where(*held, waits_for_person).label("is_held"),
            exists().where(*blind, waits_for_person).label("is_blind"),
            exists().where(of_account, AT_BROWSER).label("at_browser"),
            exists().where(of_account, UNSETTLED).label("unsettled"),
        )
        .join(LANE, LANE.c.account_id == ACCOUNT.c.id)
        .where(
            or_(
                exists().where(of_account, WAITING),
                exists().where(of_account, TO_LOOK),
                exists().where(of_account, TO_READ),
            )
        )
    )


def _last_end(*conditions: Any) -> Any:  # noqa: ANN401 - SQLAlchemy's conditions and expressions
    return select(func.max(BREAKER.c.until_at)).where(*conditions).scalar_subquery()


def _view(tx: Transaction, row: Row[Any]) -> LaneView:
    is_free = row.user_id is not None and row.in_flight is None and not row.at_browser
    may_read = is_free and not row.is_blind
    may_send = is_free and not row.is_held and not row.unsettled
    free_at = _free_at(tx, row.last_release_at, row.spacing_s)
    return LaneView(
        account_id=row.id,
        ready={
            Work.LOOK: _latest(row.look_at, row.blind_until) if may_read else None,
            Work.SEND: _latest(row.due_at, row.not_before_at, row.held_until, free_at)
            if may_send
            else None,
            Work.READ: _latest(row.read_at, row.blind_until) if may_read else None,
        },
    )


def _latest(due_at: datetime | None, *bounds: datetime | None) -> datetime | None:
    """Return when something due may be done, after all that it waits for; None when not due."""
    if due_at is None:
        return None
    return max([due_at, *(bound for bound in bounds if bound is not None)])


def _free_at(
    tx: Transaction, last_release_at: datetime | None, spacing_s: int | None
) -> datetime | None:
    if last_release_at is None:
        return None
    return last_release_at + timedelta(
        seconds=tx.policy.spacing_s if spacing_s is None else spacing_s
    )
