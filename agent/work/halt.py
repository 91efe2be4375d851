"""Points at which the agent can be told to stop itself (SIGSTOP), to be looked at or killed there.

For headed debugging and for fault tests: at a named point nothing races. Used by the journal;
set by `postproof run --halt-at`. A stopped process goes on with SIGCONT.
"""

from __future__ import annotations

import os
import signal
from enum import StrEnum


class HaltPoint(StrEnum):
    """Where an attempt can be halted: a phase just made durable, or `held`.

    `clicked` is after `clicked_at` is written and before the click. `held` is when the page's
    request waits at the gate and the release is not written yet. `released` is after the release
    is written and before the gate opens.
    """

    OPENED = "opened"
    SIGNED_IN = "signed_in"
    COMPOSED = "composed"
    ARMED = "armed"
    CLICKED = "clicked"
    HELD = "held"
    RELEASED = "released"
    ACKNOWLEDGED = "acknowledged"
    PERMALINK = "permalink"


class Halt:
    """Stops this process the first time the wanted point is reached; None never does."""

    def __init__(self, wanted: HaltPoint | None) -> None:
        """Waits for the point."""
        self._wanted = wanted

    def at(self, point: HaltPoint) -> None:
        """Stops here if this is the point; goes on after SIGCONT."""
        if point is self._wanted:
            self._wanted = None
            os.kill(os.getpid(), signal.SIGSTOP)
