"""The stops of an account: opened with what was seen, closed by time or by a person.

An open breaker holds the account's lane. One that time closes stops holding at `until_at`, and
the next sweep writes that down.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import insert, or_, select, update

from agent.domain.breaker import BREAKERS, BreakerKind, next_step
from agent.store import audit, outbox
from agent.store.records import BreakerRecord
from agent.store.tables import BREAKER

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from agent.domain.ids import AccountId
    from agent.store.engine import Transaction

CLOSED_BY_TIME = "time"


def is_open_at(tx: Transaction) -> ColumnElement[bool]:
    """Return the condition that a breaker holds its account in this transaction's instant."""
    return BREAKER.c.closed_at.is_(None) & or_(
        BREAKER.c.until_at.is_(None), BREAKER.c.until_at > tx.now
    )


def open_breakers(
    tx: Transaction, account_id: AccountId, *, handle: str
) -> tuple[BreakerRecord, ...]:
    """Return what holds an account, oldest first."""
    rows = tx.connection.execute(
        select(BREAKER)
        .where(BREAKER.c.account_id == account_id, is_open_at(tx))
        .order_by(BREAKER.c.opened_at, BREAKER.c.id)
    )
    return tuple(
        BreakerRecord(
            kind=BreakerKind(row.kind),
            detail=row.detail,
            opened_at=row.opened_at,
            until_at=row.until_at,
            next_step=next_step(BreakerKind(row.kind), handle),
        )
        for row in rows
    )


def open_one(
    tx: Transaction, account_id: AccountId, kind: BreakerKind, *, detail: str, who: str, actor: str
) -> None:
    """Open a breaker, or renew the one of its kind that is open already."""
    lasts_s = BREAKERS[kind].lasts_s
    until_at = None if lasts_s is None else tx.now + timedelta(seconds=lasts_s)
    renewed = tx.connection.execute(
        update(BREAKER)
        .where(
            BREAKER.c.account_id == account_id,
            BREAKER.c.kind == kind,
            BREAKER.c.closed_at.is_(None),
        )
        .values(detail=detail, until_at=until_at)
    )
    if renewed.rowcount == 0:
        tx.connection.execute(
            insert(BREAKER).values(
                id=tx.ids.new("brk"),
                account_id=account_id,
                kind=kind,
                detail=detail,
                opened_at=tx.now,
                until_at=until_at,
            )
        )
    subjects = {"account_id": account_id}
    carried = {"kind": kind, "detail": detail, "until_at": until_at and until_at.isoformat()}
    audit.append(
        tx, event="breaker_opened", who=who, actor=actor, subjects=subjects, carried=carried
    )
    outbox.put(tx, "account.held", account_id=account_id, body=carried)


def close(
    tx: Transaction,
    account_id: AccountId,
    *,
    kinds: frozenset[BreakerKind],
    note: str,
    who: str,
    actor: str,
) -> int:
    """Close an account's open breakers of those kinds by hand; return how many there were."""
    closed = tx.connection.execute(
        update(BREAKER)
        .where(
            BREAKER.c.account_id == account_id,
            BREAKER.c.kind.in_(kinds),
            BREAKER.c.closed_at.is_(None),
        )
        .values(closed_at=tx.now, closed_by=actor, note=note)
    ).rowcount
    if closed:
        audit.append(
            tx,
            event="breakers_closed",
            who=who,
            actor=actor,
            subjects={"account_id": account_id},
            carried={"kinds": sorted(kinds), "note": note},
        )
    return int(closed)


def close_expired(tx: Transaction) -> int:
    """Write down the breakers that time has closed; return how many."""
    return int(
        tx.connection.execute(
            update(BREAKER)
            .where(BREAKER.c.closed_at.is_(None), BREAKER.c.until_at <= tx.now)
            .values(closed_at=tx.now, closed_by=CLOSED_BY_TIME)
        ).rowcount
    )
