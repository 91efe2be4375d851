"""The triggers that hold the moves and the history, generated from the table of moves.

They are SQLite's words; on another engine the same rules get other words, from the same table.
`statements` is read when a database is created, by the test of every illegal move, and by the
test that a migrated database equals a fresh one.
"""

from __future__ import annotations

from typing import Final

from agent.domain.moves import MOVES, Carry, State

_FROZEN: Final = (
    "tenant, article, revision, channel, account_id, operation, key, digest, seal, payload"
)
_NO_PROOF: Final = (
    "NOT EXISTS (SELECT 1 FROM attempt "
    "WHERE attempt.id = OLD.attempt_id AND attempt.outcome = 'not_sent')"
)


def statements() -> tuple[str, ...]:
    """Return the CREATE TRIGGER statements, in the order of their names."""
    return (
        _refuse(
            "attempt_ended",
            "UPDATE ON attempt",
            "OLD.ended_at IS NOT NULL",
            "an attempt that has ended does not change",
        ),
        _refuse(
            "attempt_released",
            "UPDATE OF released_at ON attempt",
            "OLD.released_at IS NOT NULL",
            "an attempt is released once",
        ),
        _refuse("audit_delete", "DELETE ON audit_event", "1", "the history is append-only"),
        _refuse("audit_head_delete", "DELETE ON audit_head", "1", "the history keeps its head"),
        _refuse(
            "audit_head_step",
            "UPDATE ON audit_head",
            "NEW.seq <> OLD.seq + 1",
            "the history grows one event at a time",
        ),
        _refuse("audit_update", "UPDATE ON audit_event", "1", "the history is append-only"),
        _refuse("intent_delete", "DELETE ON intent", "1", "an intent is never deleted"),
        _refuse("intent_frozen", f"UPDATE OF {_FROZEN} ON intent", "1", "an intent is frozen"),
        _refuse(
            "job_begin",
            "INSERT ON job",
            f"NEW.state <> '{State.PREPARED}'",
            "a job begins prepared",
        ),
        _refuse("job_delete", "DELETE ON job", "1", "a job is never deleted"),
        _refuse("job_move", "UPDATE OF state ON job", f"NOT ({_legal()})", "no such move"),
        _refuse(
            "job_proof",
            "UPDATE OF state ON job",
            f"({_needs_proof()}) AND {_NO_PROOF}",
            "no way back without the proof that nothing left",
        ),
    )


def _refuse(name: str, event: str, when: str, message: str) -> str:
    return (
        f"CREATE TRIGGER {name} BEFORE {event} WHEN {when} "
        f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )


def _legal() -> str:
    pairs = sorted({(row.before, row.after) for row in MOVES})
    return " OR ".join(_pair(before, after) for before, after in pairs)


def _needs_proof() -> str:
    pairs = {(row.before, row.after) for row in MOVES if Carry.NOT_SENT_PROOF in row.must_carry}
    return " OR ".join(_pair(before, after) for before, after in sorted(pairs))


def _pair(before: State, after: State) -> str:
    return f"(OLD.state = '{before}' AND NEW.state = '{after}')"
