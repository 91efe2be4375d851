"""The gates that need no text: cheap, asked of every post of a look before anything is compared.

A post that fails one of them is not ours, whatever it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from agent.domain.clock import to_epoch_ms
from agent.domain.snowflake import EPOCH_MS, LOW_BITS

if TYPE_CHECKING:
    from datetime import datetime

    from agent.domain.matching.policy import MatchPolicy
    from agent.domain.matching.terms import AttemptTimes, SeenPost, Wanted

ID_DIGITS_MAX: Final = 20  # a snowflake is a positive 63-bit number; 19 digits hold it
Passed = bool | None


@dataclass(frozen=True, kw_only=True)
class Span:
    """Where an id must lie to be of an attempt: above the baseline, made inside the window.

    Each bound is None where it is not known.
    """

    baseline: int | None
    first_ms: float | None
    last_ms: float

    def above_baseline(self, number: int | None) -> Passed:
        """Tell whether an id is newer than what was there before the attempt."""
        if number is None or self.baseline is None:
            return None
        return number > self.baseline

    def in_window(self, number: int | None) -> Passed:
        """Tell whether an id was made between the click and now."""
        if number is None:
            return None
        made_ms = (number >> LOW_BITS) + EPOCH_MS
        if made_ms > self.last_ms:
            return False
        return None if self.first_ms is None else made_ms >= self.first_ms


def span_of(attempt: AttemptTimes, now: datetime, policy: MatchPolicy) -> Span:
    """Return where an id of an attempt must lie.

    Without the click's time the release's stands for it: nothing is stored before either.
    """
    start = attempt.clicked_at or attempt.released_at
    skew_ms = policy.clock_skew_s * 1000
    return Span(
        baseline=id_number(attempt.baseline_id),
        first_ms=None if start is None else to_epoch_ms(start) - skew_ms,
        last_ms=to_epoch_ms(now) + skew_ms,
    )


def id_number(post_id: str | None) -> int | None:
    """Return an id as a number, or None where it is none: ids are never compared as text."""
    if post_id is None or len(post_id) > ID_DIGITS_MAX:
        return None
    return int(post_id) if post_id.isascii() and post_id.isdecimal() else None


class Sieve:
    """Asks the cheap gates of one job; made once for a look."""

    def __init__(self, wanted: Wanted, span: Span, *, kinds: frozenset[str]) -> None:
        self._user_id = wanted.user_id
        self._handle = wanted.handle.lower()
        self._span = span
        self._kinds = kinds
        self._taken = frozenset(map(id_number, wanted.taken_ids)) - {None}

    def ask(self, post: SeenPost, number: int | None) -> tuple[Passed, ...]:
        """Return what the gates say, in the order of `EXCLUDING`."""
        return (
            self._is_author(post),
            None if post.kind is None else post.kind in self._kinds,
            self._span.above_baseline(number),
            self._span.in_window(number),
            None if number is None else number not in self._taken,
        )

    def _is_author(self, post: SeenPost) -> Passed:
        """A handle can exclude, and never prove: handles change hands."""
        if post.author_id is not None:
            return post.author_id == self._user_id
        if post.author_handle is None:
            return None
        return None if post.author_handle.lower() == self._handle else False
