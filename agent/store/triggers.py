"""The triggers that hold the moves and the history, generated from the table of moves.

They are SQLite's words; on another engine the same rules get other words, from the same table.
`statements` is read when a database is created, by the test of every illegal move, and by the
test that a migrated database equals a fresh one.
"""

from __future__ import annotations

from typing import Final

from agent.domain.moves import MOVES, Carry, State
from agent.store.tables import one_of

_FROZEN: Final = (
    "tenant, article, revision, channel, account_id, operation, key, digest, seal, payload"
)
_PERMISSION: Final = (
    "job_id, actor, note, digest, attempt_number, dismissed, granted_at, expires_at"
)
_NO_PERMISSION: Final = (
    "NOT EXISTS (SELECT 1 FROM authorisation WHERE authorisation.id = NEW.authorisation_id "
    "AND authorisation.job_id = NEW.id AND authorisation.consumed_at IS NULL "
    "AND authorisation.ended_at IS NULL)"
)
_RELEASED_UNPERMITTED: Final = (
    "EXISTS (SELECT 1 FROM job WHERE job.id = NEW.job_id AND job.authorisation_id IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM authorisation WHERE authorisation.id = job.authorisation_id "
    "AND authorisation.attempt_id = NEW.id))"
)
_UNPROVABLE: Final = (State.CANCELLED, State.MISSED, State.NOT_SENT)
_NO_PROOF: Final = (
    "NOT EXISTS (SELECT 1 FROM attempt "
    "WHERE attempt.id = OLD.attempt_id AND attempt.outcome = 'not_sent')"
)


def statements() -> tuple[str, ...]:
    """Return the CREATE TRIGGER statements, in the order of their names."""
    return tuple(sorted((*_of_attempts(), *_of_doubt(), *_of_history(), *_of_jobs())))


def _of_attempts() -> tuple[str, ...]:
    return (
        _refuse(
            "attempt_ended",
            "UPDATE ON attempt",
            "OLD.ended_at IS NOT NULL",
            "an attempt that has ended does not change",
        ),
        _refuse(
            "attempt_permitted",
            "UPDATE OF released_at ON attempt",
            f"NEW.released_at IS NOT NULL AND {_RELEASED_UNPERMITTED}",
            "an earlier try may be out, and nobody has permitted this one",
        ),
        _refuse(
            "attempt_released",
            "UPDATE OF released_at ON attempt",
            "OLD.released_at IS NOT NULL",
            "an attempt is released once",
        ),
    )


def _of_doubt() -> tuple[str, ...]:
    return (
        _refuse(
            "authorisation_delete", "DELETE ON authorisation", "1", "a permission is never deleted"
        ),
        _refuse(
            "authorisation_frozen",
            f"UPDATE OF {_PERMISSION} ON authorisation",
            "1",
            "a permission is frozen",
        ),
        _refuse(
            "authorisation_over",
            "UPDATE ON authorisation",
            "OLD.consumed_at IS NOT NULL OR OLD.ended_at IS NOT NULL",
            "a permission is used once",
        ),
        _refuse("decision_delete", "DELETE ON decision", "1", "a decision stays"),
        _refuse("decision_update", "UPDATE ON decision", "1", "a decision stays as it was made"),
        _refuse("look_delete", "DELETE ON look", "1", "a look is never deleted"),
        _refuse(
            "look_ended",
            "UPDATE ON look",
            "OLD.ended_at IS NOT NULL",
            "a look that has ended does not change",
        ),
        _refuse("reading_delete", "DELETE ON reading", "1", "a reading is never deleted"),
        _refuse(
            "reading_ended",
            "UPDATE ON reading",
            "OLD.ended_at IS NOT NULL",
            "a reading that has ended does not change",
        ),
    )


def _of_history() -> tuple[str, ...]:
    return (
        _refuse("audit_delete", "DELETE ON audit_event", "1", "the history is append-only"),
        _refuse("audit_head_delete", "DELETE ON audit_head", "1", "the history keeps its head"),
        _refuse(
            "audit_head_step",
            "UPDATE ON audit_head",
            "NEW.seq <> OLD.seq + 1",
            "the history grows one event at a time",
        ),
        _refuse("audit_update", "UPDATE ON audit_event", "1", "the history is append-only"),
    )


def _of_jobs() -> tuple[str, ...]:
    return (
        _refuse("intent_delete", "DELETE ON intent", "1", "an intent is never deleted"),
        _refuse("intent_frozen", f"UPDATE OF {_FROZEN} ON intent", "1", "an intent is frozen"),
        _refuse(
            "job_begin",
            "INSERT ON job",
            f"NEW.state <> '{State.PREPARED}'",
            "a job begins prepared",
        ),
        _refuse("job_delete", "DELETE ON job", "1", "a job is never deleted"),
        _refuse(
            "job_left_over",
            "UPDATE OF authorisation_id ON job",
            "OLD.authorisation_id IS NOT NULL AND NEW.authorisation_id IS NULL",
            "that an earlier try may be out is not forgotten",
        ),
        _refuse("job_move", "UPDATE OF state ON job", f"NOT ({_legal()})", "no such move"),
        _refuse(
            "job_permitted",
            "UPDATE OF state ON job",
            f"({_needs_permission()}) AND {_NO_PERMISSION}",
            "no further try without a permission",
        ),
        _refuse(
            "job_proof",
            "UPDATE OF state ON job",
            f"({_needs_proof()}) AND {_NO_PROOF}",
            "no way back without the proof that nothing left",
        ),
        _refuse(
            "job_unprovable",
            "UPDATE OF state ON job",
            f"OLD.authorisation_id IS NOT NULL AND {one_of('NEW.state', _UNPROVABLE)}",
            "an earlier try may be out",
        ),
        _refuse(
            "job_untried",
            "UPDATE OF state ON job",
            f"OLD.authorisation_id IS NULL AND {_pair(State.PREPARED, State.NEEDS_MANUAL)}",
            "nothing of it is in doubt",
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


def _needs_permission() -> str:
    """Return the moves that lead on to another try of a job of which one may be out."""
    ruled = {(row.before, row.after) for row in MOVES if Carry.AUTHORISATION in row.must_carry}
    pairs = " OR ".join(_pair(before, after) for before, after in sorted(ruled))
    claimed = _pair(State.PREPARED, State.SENDING)
    return f"{pairs} OR (NEW.authorisation_id IS NOT NULL AND {claimed})"


def _pair(before: State, after: State) -> str:
    return f"(OLD.state = '{before}' AND NEW.state = '{after}')"
