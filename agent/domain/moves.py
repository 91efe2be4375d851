"""The states of a job and every legal change between them, as one table.

Six readers: `move` below, the store's guarded UPDATE, the database's trigger, the generated docs
page, the tests, and the console's buttons. Nothing else writes a state. No row of a lane or a
sweep leads from doubt back to sending: only a person's row does, and only with a note.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class State(StrEnum):
    """Where a job stands.

    Attributes:
        PREPARED: frozen and due at a time; nothing was done outside. Moved on by the lane (a
            claim), the late policy, or the caller (cancel). If the process dies: nothing to do.
            A job that a person ruled absent waits here with an authorisation; when that ends
            unused, it goes back to the person.
        SENDING: a lane holds the claim and may be at the browser. Moved on by that lane, or by
            the sweep when the lease lapses. If the process dies: the sweep finds the release
            recorded and says unknown, or not recorded and takes it back, proven not sent.
        CONFIRMED: the permalink is known and its author was checked. Final.
        UNKNOWN: it may or may not be out. Moved on by the lane, which looks, or by the sweep to
            a person when nobody can look for too long. If the process dies: waits.
        RECONCILING: a look at the profile is under way. Moved on by the lane, or by the sweep
            back to unknown. If the process dies: the sweep.
        NEEDS_MANUAL: looking is exhausted or ambiguous. Moved on by a person; only a look that a
            person has asked for may find the post meanwhile. If the process dies: waits.
        NOT_SENT: proven not out, no further try. Only a person may prepare it again.
        ABANDONED: a person closed the doubt without settling it; shown as "not resolved", never
            as not sent. Final.
        MISSED: its time passed by more than its late policy allows. Moved on by a new time or a
            cancel.
        CANCELLED: withdrawn before anything was done. Final.
    """

    PREPARED = "prepared"
    SENDING = "sending"
    CONFIRMED = "confirmed"
    UNKNOWN = "unknown"
    RECONCILING = "reconciling"
    NEEDS_MANUAL = "needs_manual"
    NOT_SENT = "not_sent"
    ABANDONED = "abandoned"
    MISSED = "missed"
    CANCELLED = "cancelled"


class Event(StrEnum):
    """What happened, in the past tense."""

    CLAIMED = "claimed"
    CONFIRMED = "confirmed"
    RETRIED = "retried"
    REFUSED = "refused"
    DOUBTED = "doubted"
    LAPSED = "lapsed"
    LOOKED = "looked"
    FOUND = "found"
    NOT_FOUND = "not_found"
    HANDED_OVER = "handed_over"
    RULED_ABSENT = "ruled_absent"
    GIVEN_UP = "given_up"
    MISSED = "missed"
    CANCELLED = "cancelled"
    RESCHEDULED = "rescheduled"
    PREPARED_AGAIN = "prepared_again"
    AUTHORISATION_ENDED = "authorisation_ended"


class Who(StrEnum):
    """Who may make a move."""

    LANE = "lane"
    SWEEP = "sweep"
    CALLER = "caller"
    OPERATOR = "operator"


class Carry(StrEnum):
    """What a move must carry, or it is refused."""

    FENCE = "fence"
    PERMALINK = "permalink"
    NOT_SENT_PROOF = "not_sent_proof"
    CODE = "code"
    NOTE = "note"
    SLOT = "slot"
    AUTHORISATION = "authorisation"


@dataclass(frozen=True, kw_only=True)
class Move:
    """One legal change of state."""

    before: State
    event: Event
    after: State
    who: frozenset[Who]
    must_carry: frozenset[Carry]


class MoveRefused(ValueError):  # noqa: N818 - named for what happened, as every error here
    """The table has no such move, or the move does not carry what it must."""


def _row(before: State, event: Event, after: State, who: set[Who], *carry: Carry) -> Move:
    return Move(
        before=before, event=event, after=after, who=frozenset(who), must_carry=frozenset(carry)
    )


_LANE: Final = {Who.LANE}
_SWEEP: Final = {Who.SWEEP}
_PERSON: Final = {Who.OPERATOR}
_ASKED: Final = {Who.CALLER, Who.OPERATOR}
_ANYBODY: Final = {Who.LANE, Who.SWEEP, Who.OPERATOR}

MOVES: Final[tuple[Move, ...]] = (
    _row(State.PREPARED, Event.CLAIMED, State.SENDING, _LANE, Carry.FENCE),
    _row(State.PREPARED, Event.MISSED, State.MISSED, _LANE, Carry.CODE),
    _row(State.PREPARED, Event.CANCELLED, State.CANCELLED, _ASKED),
    _row(State.PREPARED, Event.AUTHORISATION_ENDED, State.NEEDS_MANUAL, _ANYBODY, Carry.CODE),
    _row(State.SENDING, Event.CONFIRMED, State.CONFIRMED, _LANE, Carry.FENCE, Carry.PERMALINK),
    _row(State.SENDING, Event.RETRIED, State.PREPARED, _LANE, Carry.FENCE, Carry.NOT_SENT_PROOF),
    _row(State.SENDING, Event.REFUSED, State.NOT_SENT, _LANE, Carry.FENCE, Carry.NOT_SENT_PROOF),
    _row(State.SENDING, Event.DOUBTED, State.UNKNOWN, _LANE, Carry.FENCE, Carry.CODE),
    _row(State.SENDING, Event.RETRIED, State.PREPARED, _SWEEP, Carry.NOT_SENT_PROOF),
    _row(State.SENDING, Event.REFUSED, State.NOT_SENT, _SWEEP, Carry.NOT_SENT_PROOF),
    _row(State.SENDING, Event.DOUBTED, State.UNKNOWN, _SWEEP, Carry.CODE),
    _row(State.UNKNOWN, Event.LOOKED, State.RECONCILING, _LANE, Carry.FENCE),
    _row(State.RECONCILING, Event.FOUND, State.CONFIRMED, _LANE, Carry.FENCE, Carry.PERMALINK),
    _row(State.RECONCILING, Event.NOT_FOUND, State.UNKNOWN, _LANE, Carry.FENCE, Carry.CODE),
    _row(State.RECONCILING, Event.HANDED_OVER, State.NEEDS_MANUAL, _LANE, Carry.FENCE, Carry.CODE),
    _row(State.RECONCILING, Event.LAPSED, State.UNKNOWN, _SWEEP, Carry.CODE),
    _row(State.UNKNOWN, Event.HANDED_OVER, State.NEEDS_MANUAL, _SWEEP, Carry.CODE),
    _row(State.NEEDS_MANUAL, Event.FOUND, State.CONFIRMED, _LANE, Carry.FENCE, Carry.PERMALINK),
    _row(State.NEEDS_MANUAL, Event.CONFIRMED, State.CONFIRMED, _PERSON, Carry.PERMALINK),
    _row(
        State.NEEDS_MANUAL,
        Event.RULED_ABSENT,
        State.PREPARED,
        _PERSON,
        Carry.NOTE,
        Carry.AUTHORISATION,
    ),
    _row(State.NEEDS_MANUAL, Event.GIVEN_UP, State.ABANDONED, _PERSON, Carry.NOTE),
    _row(State.MISSED, Event.RESCHEDULED, State.PREPARED, _ASKED, Carry.SLOT),
    _row(State.MISSED, Event.CANCELLED, State.CANCELLED, _ASKED),
    _row(State.NOT_SENT, Event.PREPARED_AGAIN, State.PREPARED, _PERSON, Carry.NOTE),
)

# The account's browser is in use: at most one such job of an account exists.
AT_THE_BROWSER: Final = frozenset({State.SENDING, State.RECONCILING})
# Something may be out that nobody has settled.
IN_DOUBT: Final = frozenset({State.UNKNOWN, State.RECONCILING, State.NEEDS_MANUAL})
# Nothing leads out of these.
FINAL: Final = frozenset(State) - {row.before for row in MOVES}


def move(*, state: State, event: Event, after: State, who: Who, carried: frozenset[Carry]) -> State:
    """Return the state after a move.

    Raises:
        MoveRefused: the table has no such row for that actor, or something is not carried.
    """
    row = next(
        (
            row
            for row in MOVES
            if (row.before, row.event, row.after) == (state, event, after) and who in row.who
        ),
        None,
    )
    if row is None:
        raise MoveRefused(f"a job that is {state} does not become {after} ({event} by {who})")
    if missing := row.must_carry - carried:
        raise MoveRefused(f"{state} to {after} must carry {', '.join(sorted(missing))}")
    return row.after
