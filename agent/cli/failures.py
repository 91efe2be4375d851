"""Which error ends in which exit code. Imported only when there is an error to explain."""

from __future__ import annotations

from agent.channels.x_web import Stopped
from agent.channels.x_web_sessions import SignInFailed
from agent.cli.bad_input import BadInput
from agent.cli.exits import Exit
from agent.settings import SettingsError
from agent.store.errors import (
    AccountExists,
    AmbiguousId,
    DecisionRefused,
    IdentityConflict,
    IntentConflict,
    KeyConflict,
    MoveConflict,
    NotFound,
    StoreError,
    TimePassed,
)
from agent.store.flock import DaemonRunning

TABLE: tuple[tuple[type[Exception], Exit], ...] = (
    (BadInput, Exit.BAD_INPUT),
    (SettingsError, Exit.BAD_INPUT),
    (NotFound, Exit.BAD_INPUT),
    (AmbiguousId, Exit.BAD_INPUT),
    (AccountExists, Exit.BAD_INPUT),
    (TimePassed, Exit.BAD_INPUT),
    (MoveConflict, Exit.BAD_INPUT),
    (DecisionRefused, Exit.BAD_INPUT),
    (KeyConflict, Exit.KEY_CONFLICT),
    (IntentConflict, Exit.KEY_CONFLICT),
    (IdentityConflict, Exit.ACCOUNT_NEEDS_PERSON),
    (SignInFailed, Exit.ACCOUNT_NEEDS_PERSON),
    (Stopped, Exit.NO_BROWSER),
    (DaemonRunning, Exit.STORE_REFUSED),
    (StoreError, Exit.STORE_REFUSED),
)


def exit_of(error: Exception) -> Exit | None:
    """Returns the exit code of an error of ours, None for one that nobody foresaw."""
    return next((code for kind, code in TABLE if isinstance(error, kind)), None)
