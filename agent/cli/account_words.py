"""How an account is written by a person, and how it is shown, as JSON and in a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agent.cli.bad_input import BadInput
from agent.cli.output import local_time
from agent.domain.ids import UserId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent.domain.moves import State
    from agent.store.records import AccountRecord

# Source: X's help pages on user names, long-standing: letters, digits, underscore, at most 15.
HANDLE = re.compile(r"@?([A-Za-z0-9_]{1,15})")
USER_ID = re.compile(r"[1-9][0-9]{0,19}")


def handle_of(word: str) -> str:
    """Returns a handle without its @.

    Raises:
        BadInput: X has no such handles.
    """
    found = HANDLE.fullmatch(word)
    if found is None:
        raise BadInput(
            f"{word!r} is not a handle; write 1 to 15 letters, digits or underscores, as in "
            "x.com/HANDLE."
        )
    return found.group(1)


def user_id_of(word: str | None) -> UserId | None:
    """Returns a numeric user id.

    Raises:
        BadInput: It is not a number.
    """
    if word is None:
        return None
    if USER_ID.fullmatch(word) is None:
        raise BadInput(
            f"{word!r} is not a user id; it is a number. Leave it out: login records it."
        )
    return UserId(word)


def as_json(record: AccountRecord, counts: Mapping[State, int]) -> dict[str, Any]:
    """Shows one account."""
    return {
        "account_id": record.id,
        "handle": record.handle,
        "user_id": record.user_id,
        "tier": record.tier.value,
        "spacing_s": record.spacing_s,
        "is_held": record.is_held,
        "breakers": [
            {
                "kind": breaker.kind.value,
                "since": breaker.opened_at,
                "until": breaker.until_at,
                "detail": breaker.detail,
                "closed_by": "a person" if breaker.until_at is None else "time",
                "next_step": breaker.next_step,
            }
            for breaker in record.breakers
        ],
        "jobs": {state.value: count for state, count in counts.items() if count},
    }


def rows(
    records: Iterable[tuple[AccountRecord, Mapping[State, int]]],
) -> list[tuple[str, ...]]:
    """Shows accounts as table rows."""
    return [
        (
            f"@{record.handle}",
            record.user_id or "not signed in yet",
            record.tier.value,
            "; ".join(f"{b.kind.value}: {b.next_step}" for b in record.breakers) or "-",
            ", ".join(f"{count} {state.value}" for state, count in counts.items() if count) or "-",
        )
        for record, counts in records
    ]


def lines(record: AccountRecord, counts: Mapping[State, int]) -> Iterator[str]:
    """Yields the lines that show one account to a person."""
    yield f"@{record.handle}  {record.tier.value}  user id {record.user_id or 'not known yet'}"
    yield f"  spacing: {record.spacing_s} s between two posts"
    yield f"  last post left: {local_time(record.last_release_at)}"
    held = [f"{count} {state.value}" for state, count in counts.items() if count]
    yield f"  jobs: {', '.join(held) or 'none'}"
    if not record.breakers:
        yield "  nothing holds it"
    for breaker in record.breakers:
        ends = "a person" if breaker.until_at is None else f"time, {local_time(breaker.until_at)}"
        yield f"  held: {breaker.kind.value} since {local_time(breaker.opened_at)}, ended by {ends}"
        yield f"    {breaker.detail}"
        yield f"    {breaker.next_step}"
