"""What each lane waits for: the one reading behind the bell, the scan for due work and the claim.

A lane is free when the account is not at the browser, no doubt waits for its first look, no
breaker holds it, and its spacing is over. Within a lane the oldest job comes first, also while
it waits for another try: an account posts in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import exists, func, select, text

from agent.store.tables import (
    ACCOUNT,
    AT_BROWSER_SQL,
    BREAKER,
    JOB,
    LANE,
    UNSETTLED_SQL,
    WAITING_SQL,
)

if TYPE_CHECKING:
    from datetime import datetime

    from agent.domain.ids import AccountId
    from agent.store.engine import Transaction

# Conditions with their words in them, so that the planner sees that a partial index serves them.
WAITING = text(WAITING_SQL)
AT_BROWSER = text(AT_BROWSER_SQL)
UNSETTLED = text(UNSETTLED_SQL)


@dataclass(frozen=True, kw_only=True)
class LaneView:
    """A lane with work waiting.

    Attributes:
        ready_at: when its oldest job may be claimed, if nothing but time stands in the way.
        is_stopped: something other than time stands in the way: it is at the browser, a doubt is
            unsettled, or a breaker waits for a person.
    """

    account_id: AccountId
    ready_at: datetime
    is_stopped: bool


def views(tx: Transaction, account_id: AccountId | None = None) -> tuple[LaneView, ...]:
    """Return the lanes with work waiting, or the one of an account."""
    of_account = JOB.c.account_id == ACCOUNT.c.id
    oldest = select(JOB.c.not_before_at).where(of_account, WAITING)
    held = BREAKER.c.account_id == ACCOUNT.c.id, BREAKER.c.closed_at.is_(None)
    statement = (
        select(
            ACCOUNT.c.id,
            ACCOUNT.c.spacing_s,
            LANE.c.last_release_at,
            select(func.min(JOB.c.due_at))
            .where(of_account, WAITING)
            .scalar_subquery()
            .label("due_at"),
            oldest.order_by(JOB.c.due_at, JOB.c.id)
            .limit(1)
            .scalar_subquery()
            .label("not_before_at"),
            select(func.max(BREAKER.c.until_at)).where(*held).scalar_subquery().label("held_until"),
            exists().where(*held, BREAKER.c.until_at.is_(None)).label("waits_for_person"),
            exists().where(of_account, AT_BROWSER).label("at_browser"),
            exists().where(of_account, UNSETTLED).label("unsettled"),
        )
        .join(LANE, LANE.c.account_id == ACCOUNT.c.id)
        .where(exists().where(of_account, WAITING))
    )
    if account_id is not None:
        statement = statement.where(ACCOUNT.c.id == account_id)
    return tuple(
        LaneView(
            account_id=row.id,
            ready_at=max(
                row.due_at,
                row.not_before_at or row.due_at,
                row.held_until or row.due_at,
                _free_at(tx, row.last_release_at, row.spacing_s) or row.due_at,
            ),
            is_stopped=bool(row.at_browser or row.unsettled or row.waits_for_person),
        )
        for row in tx.connection.execute(statement)
    )


def with_due_work(tx: Transaction) -> tuple[AccountId, ...]:
    """Return the accounts whose lanes could claim now, longest waiting first."""
    ready = [view for view in views(tx) if not view.is_stopped and view.ready_at <= tx.now]
    return tuple(view.account_id for view in sorted(ready, key=lambda view: view.ready_at))


def next_due_at(tx: Transaction, account_id: AccountId | None = None) -> datetime | None:
    """Return when the next job can be claimed; None when only an event can change that."""
    return min(
        (view.ready_at for view in views(tx, account_id) if not view.is_stopped), default=None
    )


def _free_at(
    tx: Transaction, last_release_at: datetime | None, spacing_s: int | None
) -> datetime | None:
    if last_release_at is None:
        return None
    return last_release_at + timedelta(
        seconds=tx.policy.spacing_s if spacing_s is None else spacing_s
    )
