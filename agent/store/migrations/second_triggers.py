"""The triggers of the second schema that are new or other than those of the first, frozen.

Generated from the table of moves of its day; a later table of moves is a later step.
"""

from __future__ import annotations

REPLACED = ("job_move",)
TRIGGERS = (
    (
        "CREATE TRIGGER attempt_permitted BEFORE UPDATE OF released_at ON attempt WHEN "
        "NEW.released_at IS NOT NULL AND EXISTS (SELECT 1 FROM job WHERE job.id = NEW.job_id AND "
        "job.authorisation_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM authorisation WHERE "
        "authorisation.id = job.authorisation_id AND authorisation.attempt_id = NEW.id)) BEGIN "
        "SELECT RAISE(ABORT, 'an earlier try may be out, and nobody has permitted this one'); END"
    ),
    (
        "CREATE TRIGGER authorisation_delete BEFORE DELETE ON authorisation WHEN 1 BEGIN SELECT "
        "RAISE(ABORT, 'a permission is never deleted'); END"
    ),
    (
        "CREATE TRIGGER authorisation_frozen BEFORE UPDATE OF job_id, actor, note, digest, "
        "attempt_number, dismissed, granted_at, expires_at ON authorisation WHEN 1 BEGIN SELECT "
        "RAISE(ABORT, 'a permission is frozen'); END"
    ),
    (
        "CREATE TRIGGER authorisation_over BEFORE UPDATE ON authorisation WHEN OLD.consumed_at IS"
        " NOT NULL OR OLD.ended_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'a permission is used "
        "once'); END"
    ),
    (
        "CREATE TRIGGER decision_delete BEFORE DELETE ON decision WHEN 1 BEGIN SELECT "
        "RAISE(ABORT, 'a decision stays'); END"
    ),
    (
        "CREATE TRIGGER decision_update BEFORE UPDATE ON decision WHEN 1 BEGIN SELECT "
        "RAISE(ABORT, 'a decision stays as it was made'); END"
    ),
    (
        "CREATE TRIGGER job_left_over BEFORE UPDATE OF authorisation_id ON job WHEN "
        "OLD.authorisation_id IS NOT NULL AND NEW.authorisation_id IS NULL BEGIN SELECT "
        "RAISE(ABORT, 'that an earlier try may be out is not forgotten'); END"
    ),
    (
        "CREATE TRIGGER job_move BEFORE UPDATE OF state ON job WHEN NOT ((OLD.state = 'missed' "
        "AND NEW.state = 'cancelled') OR (OLD.state = 'missed' AND NEW.state = 'prepared') OR "
        "(OLD.state = 'needs_manual' AND NEW.state = 'abandoned') OR (OLD.state = 'needs_manual' "
        "AND NEW.state = 'confirmed') OR (OLD.state = 'needs_manual' AND NEW.state = 'prepared') "
        "OR (OLD.state = 'not_sent' AND NEW.state = 'prepared') OR (OLD.state = 'prepared' AND "
        "NEW.state = 'cancelled') OR (OLD.state = 'prepared' AND NEW.state = 'missed') OR "
        "(OLD.state = 'prepared' AND NEW.state = 'needs_manual') OR (OLD.state = 'prepared' AND "
        "NEW.state = 'sending') OR (OLD.state = 'reconciling' AND NEW.state = 'confirmed') OR "
        "(OLD.state = 'reconciling' AND NEW.state = 'needs_manual') OR (OLD.state = 'reconciling'"
        " AND NEW.state = 'unknown') OR (OLD.state = 'sending' AND NEW.state = 'confirmed') OR "
        "(OLD.state = 'sending' AND NEW.state = 'not_sent') OR (OLD.state = 'sending' AND "
        "NEW.state = 'prepared') OR (OLD.state = 'sending' AND NEW.state = 'unknown') OR "
        "(OLD.state = 'unknown' AND NEW.state = 'needs_manual') OR (OLD.state = 'unknown' AND "
        "NEW.state = 'reconciling')) BEGIN SELECT RAISE(ABORT, 'no such move'); END"
    ),
    (
        "CREATE TRIGGER job_permitted BEFORE UPDATE OF state ON job WHEN ((OLD.state = "
        "'needs_manual' AND NEW.state = 'prepared') OR (NEW.authorisation_id IS NOT NULL AND "
        "(OLD.state = 'prepared' AND NEW.state = 'sending'))) AND NOT EXISTS (SELECT 1 FROM "
        "authorisation WHERE authorisation.id = NEW.authorisation_id AND authorisation.job_id = "
        "NEW.id AND authorisation.consumed_at IS NULL AND authorisation.ended_at IS NULL) BEGIN "
        "SELECT RAISE(ABORT, 'no further try without a permission'); END"
    ),
    (
        "CREATE TRIGGER job_unprovable BEFORE UPDATE OF state ON job WHEN OLD.authorisation_id IS"
        " NOT NULL AND NEW.state IN ('cancelled', 'missed', 'not_sent') BEGIN SELECT RAISE(ABORT,"
        " 'an earlier try may be out'); END"
    ),
    (
        "CREATE TRIGGER job_untried BEFORE UPDATE OF state ON job WHEN OLD.authorisation_id IS "
        "NULL AND (OLD.state = 'prepared' AND NEW.state = 'needs_manual') BEGIN SELECT "
        "RAISE(ABORT, 'nothing of it is in doubt'); END"
    ),
    (
        "CREATE TRIGGER look_delete BEFORE DELETE ON look WHEN 1 BEGIN SELECT RAISE(ABORT, 'a "
        "look is never deleted'); END"
    ),
    (
        "CREATE TRIGGER look_ended BEFORE UPDATE ON look WHEN OLD.ended_at IS NOT NULL BEGIN "
        "SELECT RAISE(ABORT, 'a look that has ended does not change'); END"
    ),
    (
        "CREATE TRIGGER reading_delete BEFORE DELETE ON reading WHEN 1 BEGIN SELECT RAISE(ABORT, "
        "'a reading is never deleted'); END"
    ),
    (
        "CREATE TRIGGER reading_ended BEFORE UPDATE ON reading WHEN OLD.ended_at IS NOT NULL "
        "BEGIN SELECT RAISE(ABORT, 'a reading that has ended does not change'); END"
    ),
)
