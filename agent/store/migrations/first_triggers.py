"""The triggers of the first schema, frozen beside its step.

Generated from the table of moves of its day; a later table of moves is a later step.
"""

from __future__ import annotations

TRIGGERS = (
    (
        "CREATE TRIGGER attempt_ended BEFORE UPDATE ON attempt WHEN OLD.ended_at IS NOT NULL "
        "BEGIN SELECT RAISE(ABORT, 'an attempt that has ended does not change'); END"
    ),
    (
        "CREATE TRIGGER attempt_released BEFORE UPDATE OF released_at ON attempt WHEN "
        "OLD.released_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'an attempt is released once'); "
        "END"
    ),
    (
        "CREATE TRIGGER audit_delete BEFORE DELETE ON audit_event WHEN 1 BEGIN SELECT "
        "RAISE(ABORT, 'the history is append-only'); END"
    ),
    (
        "CREATE TRIGGER audit_head_delete BEFORE DELETE ON audit_head WHEN 1 BEGIN SELECT "
        "RAISE(ABORT, 'the history keeps its head'); END"
    ),
    (
        "CREATE TRIGGER audit_head_step BEFORE UPDATE ON audit_head WHEN NEW.seq <> OLD.seq + 1 "
        "BEGIN SELECT RAISE(ABORT, 'the history grows one event at a time'); END"
    ),
    (
        "CREATE TRIGGER audit_update BEFORE UPDATE ON audit_event WHEN 1 BEGIN SELECT "
        "RAISE(ABORT, 'the history is append-only'); END"
    ),
    (
        "CREATE TRIGGER intent_delete BEFORE DELETE ON intent WHEN 1 BEGIN SELECT RAISE(ABORT, "
        "'an intent is never deleted'); END"
    ),
    (
        "CREATE TRIGGER intent_frozen BEFORE UPDATE OF tenant, article, revision, channel, "
        "account_id, operation, key, digest, seal, payload ON intent WHEN 1 BEGIN SELECT "
        "RAISE(ABORT, 'an intent is frozen'); END"
    ),
    (
        "CREATE TRIGGER job_begin BEFORE INSERT ON job WHEN NEW.state <> 'prepared' BEGIN SELECT "
        "RAISE(ABORT, 'a job begins prepared'); END"
    ),
    (
        "CREATE TRIGGER job_delete BEFORE DELETE ON job WHEN 1 BEGIN SELECT RAISE(ABORT, 'a job "
        "is never deleted'); END"
    ),
    (
        "CREATE TRIGGER job_move BEFORE UPDATE OF state ON job WHEN NOT ((OLD.state = 'missed' "
        "AND NEW.state = 'cancelled') OR (OLD.state = 'missed' AND NEW.state = 'prepared') OR "
        "(OLD.state = 'needs_manual' AND NEW.state = 'abandoned') OR (OLD.state = 'needs_manual' "
        "AND NEW.state = 'confirmed') OR (OLD.state = 'needs_manual' AND NEW.state = 'prepared') "
        "OR (OLD.state = 'not_sent' AND NEW.state = 'prepared') OR (OLD.state = 'prepared' AND "
        "NEW.state = 'cancelled') OR (OLD.state = 'prepared' AND NEW.state = 'missed') OR "
        "(OLD.state = 'prepared' AND NEW.state = 'sending') OR (OLD.state = 'reconciling' AND "
        "NEW.state = 'confirmed') OR (OLD.state = 'reconciling' AND NEW.state = 'needs_manual') "
        "OR (OLD.state = 'reconciling' AND NEW.state = 'unknown') OR (OLD.state = 'sending' AND "
        "NEW.state = 'confirmed') OR (OLD.state = 'sending' AND NEW.state = 'not_sent') OR "
        "(OLD.state = 'sending' AND NEW.state = 'prepared') OR (OLD.state = 'sending' AND "
        "NEW.state = 'unknown') OR (OLD.state = 'unknown' AND NEW.state = 'reconciling')) BEGIN "
        "SELECT RAISE(ABORT, 'no such move'); END"
    ),
    (
        "CREATE TRIGGER job_proof BEFORE UPDATE OF state ON job WHEN ((OLD.state = 'sending' AND "
        "NEW.state = 'not_sent') OR (OLD.state = 'sending' AND NEW.state = 'prepared')) AND NOT "
        "EXISTS (SELECT 1 FROM attempt WHERE attempt.id = OLD.attempt_id AND attempt.outcome = "
        "'not_sent') BEGIN SELECT RAISE(ABORT, 'no way back without the proof that nothing "
        "left'); END"
    ),
)
