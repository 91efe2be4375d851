"""What time it is, as a parameter: everything that needs the time is handed a `Clock`.

Nothing in the domain or the store reads the system's clock by itself, so that tests and the
simulation can hold it still, jump it or run it fast.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Return the present instant as an aware UTC datetime."""


class SystemClock:
    """The machine's own clock; made once, at the edge, and handed down."""

    def now(self) -> datetime:
        """Return the present instant as an aware UTC datetime."""
        return datetime.now(UTC)


def to_epoch_ms(instant: datetime) -> int:
    """Return the whole milliseconds since 1970 of an aware instant.

    Raises:
        ValueError: the instant is naive; which moment it means is not known.
    """
    if instant.tzinfo is None:
        raise ValueError(f"{instant!r} has no zone; an instant is aware, in UTC")
    since = instant.astimezone(UTC) - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000


def from_epoch_ms(epoch_ms: int) -> datetime:
    """Return the aware UTC instant of whole milliseconds since 1970."""
    seconds, ms = divmod(epoch_ms, 1000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=ms * 1000)


def whole_ms(instant: datetime) -> datetime:
    """Return the instant as it is kept: in UTC, without what is finer than a millisecond."""
    return from_epoch_ms(to_epoch_ms(instant))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
