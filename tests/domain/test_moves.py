from __future__ import annotations

from itertools import product

import pytest

from agent.domain.moves import (
    FINAL,
    IN_DOUBT,
    MOVES,
    Carry,
    Event,
    Move,
    MoveRefused,
    State,
    Who,
    move,
)

ROWS = {f"{row.before}-{row.event}-{min(row.who)}": row for row in MOVES}
LEGAL_PAIRS = {(row.before, row.after) for row in MOVES}
ILLEGAL_PAIRS = [pair for pair in product(State, State) if pair not in LEGAL_PAIRS]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_every_row_is_a_move_that_may_be_made(row: Move) -> None:
    """The check reads the table and nothing else."""
    after = move(
        state=row.before,
        event=row.event,
        after=row.after,
        who=min(row.who),
        carried=row.must_carry,
    )

    assert after == row.after


@pytest.mark.parametrize("row", [row for row in MOVES if row.must_carry], ids=lambda row: row.event)
def test_a_move_without_what_it_must_carry_is_refused(row: Move) -> None:
    """A missing permalink, proof, note or fence stops the move."""
    for missing in row.must_carry:
        with pytest.raises(MoveRefused, match=missing):
            move(
                state=row.before,
                event=row.event,
                after=row.after,
                who=min(row.who),
                carried=row.must_carry - {missing},
            )


@pytest.mark.parametrize(("before", "after"), ILLEGAL_PAIRS)
def test_what_is_not_in_the_table_is_refused(before: State, after: State) -> None:
    """No event, no actor and nothing carried makes a move that the table does not have."""
    for event, who in product(Event, Who):
        with pytest.raises(MoveRefused):
            move(state=before, event=event, after=after, who=who, carried=frozenset(Carry))


def test_no_lane_or_sweep_leads_from_doubt_back_to_sending() -> None:
    """The first promise, as a property of the table: only a person's row leads back."""
    back = [
        row
        for row in MOVES
        if row.before in IN_DOUBT and row.after in {State.PREPARED, State.SENDING, State.NOT_SENT}
    ]

    assert all(row.who == {Who.OPERATOR} and Carry.NOTE in row.must_carry for row in back)


def test_every_way_back_from_sending_carries_the_proof() -> None:
    """Nothing returns from the browser without the proof that nothing left."""
    back = [
        row
        for row in MOVES
        if row.before is State.SENDING and row.after in {State.PREPARED, State.NOT_SENT}
    ]

    assert len(back) == 4
    assert all(Carry.NOT_SENT_PROOF in row.must_carry for row in back)


def test_every_way_into_confirmed_carries_a_permalink() -> None:
    """The second promise, as a property of the table."""
    into = [row for row in MOVES if row.after is State.CONFIRMED]

    assert into
    assert all(Carry.PERMALINK in row.must_carry for row in into)


def test_the_final_states_are_final() -> None:
    """Confirmed, cancelled and abandoned are ends; everything else has a way on."""
    assert {State.CONFIRMED, State.CANCELLED, State.ABANDONED} == FINAL


def test_every_state_can_be_reached() -> None:
    """The table has no state that nothing leads to."""
    assert {row.after for row in MOVES} == set(State)


def test_no_way_from_doubt_to_sending_goes_without_a_persons_permission() -> None:
    """The first promise, walked: every path of every length, over every state between."""
    by_themselves = [row for row in MOVES if Carry.AUTHORISATION not in row.must_carry]
    reached = set(IN_DOUBT)
    while grown := {row.after for row in by_themselves if row.before in reached} - reached:
        reached |= grown

    assert reached == IN_DOUBT | {State.CONFIRMED, State.ABANDONED}


def test_a_permission_is_given_by_a_person_and_with_a_note() -> None:
    """There is one such row, and it says why and who."""
    (row,) = [row for row in MOVES if Carry.AUTHORISATION in row.must_carry]

    assert row.who == {Who.OPERATOR}
    assert Carry.NOTE in row.must_carry


def test_out_of_a_persons_hands_only_the_post_itself_leads() -> None:
    """A look that finds it may confirm; everything else is the person's."""
    others = [
        row for row in MOVES if row.before is State.NEEDS_MANUAL and row.who != {Who.OPERATOR}
    ]

    assert [(row.event, row.after) for row in others] == [(Event.FOUND, State.CONFIRMED)]
