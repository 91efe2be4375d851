"""How an account is shown, as JSON and in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent.store.records import AccountRecord


def as_json(record: AccountRecord) -> dict[str, Any]:
    """Shows one account."""
    return {
        "account_id": record.id,
        "handle": record.handle,
        "user_id": record.user_id,
        "tier": record.tier.value,
        "is_held": record.is_held,
        "breakers": [
            {
                "kind": breaker.kind.value,
                "since": breaker.opened_at,
                "until": breaker.until_at,
                "detail": breaker.detail,
                "next_step": breaker.next_step,
            }
            for breaker in record.breakers
        ],
        "jobs": {state.value: count for state, count in record.counts.items() if count},
    }


def rows(records: Iterable[AccountRecord]) -> list[tuple[str, ...]]:
    """Shows accounts as table rows."""
    return [
        (
            f"@{record.handle}",
            record.user_id or "not signed in yet",
            record.tier.value,
            "; ".join(f"{b.kind.value}: {b.next_step}" for b in record.breakers) or "-",
            ", ".join(f"{count} {state.value}" for state, count in record.counts.items() if count)
            or "-",
        )
        for record in records
    ]
