"""The kinds of ids, and the factory that makes new ones.

An id is a short prefix and 26 characters in the order of time (48 bits of milliseconds, 80 bits
of entropy), so that rows sort by age and two processes never draw the same one. A bare `str` in
a signature says nothing; these types say which id is meant.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Final, NewType, Protocol

from agent.domain.clock import to_epoch_ms

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.domain.clock import Clock

TenantId = NewType("TenantId", str)
AccountId = NewType("AccountId", str)
IntentId = NewType("IntentId", str)
JobId = NewType("JobId", str)
AttemptId = NewType("AttemptId", str)
UserId = NewType("UserId", str)  # the numeric id of a user of the site, as text
PostId = NewType("PostId", str)  # the numeric id of a post, as text: it outgrows a double
Fence = NewType("Fence", int)

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u
ID_LENGTH: Final = 26


class IdFactory(Protocol):
    """Makes new ids."""

    def new(self, prefix: str) -> str:
        """Return `<prefix>_` and 26 characters; never the same twice."""


class TimeOrderedIds:
    """Ids in the order of time, also inside one millisecond of one process.

    Args:
        clock: where the leading 48 bits come from.
        entropy: returns that many random bytes, such as `secrets.token_bytes`.
    """

    def __init__(self, *, clock: Clock, entropy: Callable[[int], bytes]) -> None:
        self._clock = clock
        self._entropy = entropy
        self._last = 0
        self._lock = Lock()

    def new(self, prefix: str) -> str:
        """Return `<prefix>_` and 26 characters; never the same twice."""
        drawn = int.from_bytes(self._entropy(_ENTROPY_BYTES))
        value = to_epoch_ms(self._clock.now()) << (8 * _ENTROPY_BYTES) | drawn
        with self._lock:
            self._last = max(value, self._last + 1)
            return f"{prefix}_{_encode(self._last)}"


_ENTROPY_BYTES: Final = 10


def _encode(value: int) -> str:
    return "".join(ALPHABET[value >> shift & 31] for shift in range(5 * (ID_LENGTH - 1), -1, -5))
