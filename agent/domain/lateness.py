"""The late policy: a post whose time has passed by too much is missed, not sent into the night.

It is asked at the claim, so that after two days of downtime nothing bursts out.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def is_missed(*, due_at: datetime, now: datetime, late_s_max: int) -> bool:
    """Tell whether it is too late to send: late by more than `late_s_max`."""
    return now - due_at > timedelta(seconds=late_s_max)
