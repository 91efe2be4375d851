"""The accounts: added by a person, identified by the session, stopped and resumed.

An account's identity is the numeric user id; it is recorded once, from the session of the first
sign-in, and never silently replaced by another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from agent.domain.breaker import BreakerKind
from agent.domain.ids import AccountId, TenantId, UserId
from agent.domain.moves import State, Who
from agent.domain.text import Tier
from agent.store import audit, breakers
from agent.store.errors import AccountExists, IdentityConflict, NotFound
from agent.store.records import AccountRecord
from agent.store.tables import ACCOUNT, JOB, LANE

if TYPE_CHECKING:
    from sqlalchemy import Row, Select

    from agent.store.engine import Transaction

# What a sign-in of the right person mends by itself.
MENDED_BY_SIGN_IN = frozenset({BreakerKind.SIGNED_OUT, BreakerKind.WRONG_ACCOUNT})


def add(
    tx: Transaction,
    *,
    tenant: TenantId,
    handle: str,
    user_id: UserId | None,
    tier: Tier,
    spacing_s: int | None,
    actor: str,
) -> AccountRecord:
    """Add an account and its lane.

    Raises:
        AccountExists: the handle or the user id belongs to an account already.
    """
    bare = handle.removeprefix("@")
    account_id = AccountId(tx.ids.new("acc"))
    try:
        tx.connection.execute(
            insert(ACCOUNT).values(
                id=account_id,
                tenant=tenant,
                handle=bare,
                handle_key=bare.lower(),
                user_id=user_id,
                tier=tier,
                spacing_s=spacing_s,
                added_at=tx.now,
                identified_at=None,
            )
        )
    except IntegrityError as error:
        raise AccountExists(
            f"@{bare} or its user id belongs to an account already; see: postproof account list"
        ) from error
    tx.connection.execute(insert(LANE).values(account_id=account_id, epoch=0))
    audit.append(
        tx,
        event="account_added",
        who=Who.OPERATOR,
        actor=actor,
        subjects={"account_id": account_id},
        carried={"handle": bare, "user_id": user_id, "tier": tier},
    )
    return by_id(tx, account_id)


def find(tx: Transaction, ref: str, *, tenant: TenantId) -> AccountRecord:
    """Return the account of a handle (with or without @, any case) or an id.

    Raises:
        NotFound: there is no such account.
    """
    key = ref.removeprefix("@").lower()
    row = tx.connection.execute(
        _accounts().where(
            ACCOUNT.c.tenant == tenant, or_(ACCOUNT.c.handle_key == key, ACCOUNT.c.id == ref)
        )
    ).one_or_none()
    if row is None:
        raise NotFound(f"there is no account {ref}; add it with: postproof account add {ref}")
    return _record(tx, row)


def by_id(tx: Transaction, account_id: AccountId) -> AccountRecord:
    """Return an account that is known to exist."""
    return _record(tx, tx.connection.execute(_accounts().where(ACCOUNT.c.id == account_id)).one())


def every(tx: Transaction, *, tenant: TenantId) -> tuple[AccountRecord, ...]:
    """Return all accounts, by handle."""
    rows = tx.connection.execute(
        _accounts().where(ACCOUNT.c.tenant == tenant).order_by(ACCOUNT.c.handle_key)
    ).all()
    return tuple(_record(tx, row) for row in rows)


def record_identity(
    tx: Transaction, account_id: AccountId, *, user_id: UserId, handle: str, actor: str
) -> AccountRecord:
    """Record who a session belongs to; closes the breakers that a sign-in mends.

    The handle may have changed since it was added: the user id decides.

    Raises:
        IdentityConflict: the account is known as another user, or the user is another account.
    """
    account = by_id(tx, account_id)
    if account.user_id not in (None, user_id):
        raise IdentityConflict(
            f"the session belongs to @{handle} ({user_id}), the account @{account.handle} to "
            f"{account.user_id}; sign in as @{account.handle}"
        )
    if account.user_id is None and handle.lower() != account.handle.lower():
        raise IdentityConflict(
            f"the session belongs to @{handle}, not to @{account.handle}; sign in as "
            f"@{account.handle}, or add @{handle} as an account of its own"
        )
    try:
        tx.connection.execute(
            update(ACCOUNT)
            .where(ACCOUNT.c.id == account_id)
            .values(user_id=user_id, handle=handle, handle_key=handle.lower(), identified_at=tx.now)
        )
    except IntegrityError as error:
        raise IdentityConflict(
            f"@{handle} ({user_id}) is another account already; see: postproof account list"
        ) from error
    subjects = {"account_id": account_id}
    carried = {"user_id": user_id, "handle": handle}
    audit.append(
        tx, event="identified", who=Who.OPERATOR, actor=actor, subjects=subjects, carried=carried
    )
    breakers.close(
        tx, account_id, kinds=MENDED_BY_SIGN_IN, note="signed in", who=Who.OPERATOR, actor=actor
    )
    return by_id(tx, account_id)


def pause(tx: Transaction, account_id: AccountId, *, note: str, actor: str) -> AccountRecord:
    """Stop an account from posting until a person resumes it."""
    breakers.open_one(
        tx, account_id, BreakerKind.PAUSED, detail=note, who=Who.OPERATOR, actor=actor
    )
    return by_id(tx, account_id)


def resume(tx: Transaction, account_id: AccountId, *, note: str, actor: str) -> AccountRecord:
    """Let an account post again: a person closes everything that holds it."""
    breakers.close(
        tx, account_id, kinds=frozenset(BreakerKind), note=note, who=Who.OPERATOR, actor=actor
    )
    return by_id(tx, account_id)


def counts(tx: Transaction, account_id: AccountId) -> dict[State, int]:
    """Return how many jobs an account has in each state; as slow as there are jobs."""
    rows = tx.connection.execute(
        select(JOB.c.state, func.count())
        .where(JOB.c.account_id == account_id)
        .group_by(JOB.c.state)
    )
    return {State(state): count for state, count in rows}


def _accounts() -> Select[Any]:
    return select(ACCOUNT, LANE.c.last_release_at).join(LANE, LANE.c.account_id == ACCOUNT.c.id)


def _record(tx: Transaction, row: Row[Any]) -> AccountRecord:
    return AccountRecord(
        id=row.id,
        tenant=row.tenant,
        handle=row.handle,
        user_id=row.user_id,
        tier=Tier(row.tier),
        spacing_s=tx.policy.spacing_s if row.spacing_s is None else row.spacing_s,
        added_at=row.added_at,
        identified_at=row.identified_at,
        last_release_at=row.last_release_at,
        breakers=breakers.open_breakers(tx, row.id, handle=row.handle),
    )
