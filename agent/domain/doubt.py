"""What follows from a look at the own profile: confirm, look again, or hand over to a person.

Pure, and the only place that knows the schedule of looks. An absent look never proves that nothing
was sent, however many there are: at the bounds a person decides. Void looks are counted apart and
never count as absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from agent.domain.clock import whole_ms
from agent.domain.matching.terms import Outcome, WantedSegment
from agent.domain.snowflake import is_newer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from agent.domain.breaker import BreakerKind
    from agent.domain.ids import PostId
    from agent.domain.matching.terms import AttemptTimes, SeenPost, Verdict, Wanted
    from agent.domain.payload import Payload
    from agent.domain.policy import Policy

NOT_FOUND: Final = "not_found"
COULD_NOT_LOOK: Final = "could_not_look"
NOT_BY_US: Final = "not_by_us"


class LookResult(StrEnum):
    """What a look came to.

    Attributes:
        FOUND: posts that are ours, or may be; the verdict says whether that is sufficient.
        ABSENT: the page was healthy and read down to the window's start, and nothing is like it.
        VOID: it says nothing: signed out, an error, a page that was read in part.
    """

    FOUND = "found"
    ABSENT = "absent"
    VOID = "void"


_VERDICTS: Final[Mapping[LookResult, frozenset[Outcome | None]]] = {
    LookResult.FOUND: frozenset({Outcome.UNIQUE, Outcome.AMBIGUOUS}),
    LookResult.ABSENT: frozenset({Outcome.NONE}),
    LookResult.VOID: frozenset({None}),
}


@dataclass(frozen=True, kw_only=True)
class LookSeen:
    """What a look saw, and what the matcher made of it.

    Args:
        result: found, absent or void.
        code: a short word for why: `unique`, `duplicate`, `signed_out`.
        why: a sentence for a person.
        verdict: the matcher's; None exactly when the look is void.
        wanted: what was looked for, as the matcher was given it.
        posts: what was read.
        reached_id: the oldest id read, of the tab that was read the least far.
        page_loads: how many pages were loaded for it.
        is_read_back: the post's own page was opened and agreed.
        breaker: the account's trouble that the look shows.
        facts: what else was seen, for the record.
        policy: the bounds that were in force, for the record.

    Raises:
        ValueError: result and verdict contradict each other, or no id is named as unique.
    """

    result: LookResult
    code: str
    why: str
    verdict: Verdict | None
    wanted: Wanted | None
    posts: tuple[SeenPost, ...]
    reached_id: PostId | None
    page_loads: int
    is_read_back: bool
    breaker: BreakerKind | None
    facts: Mapping[str, Any]
    policy: Mapping[str, Any]

    def __post_init__(self) -> None:
        outcome = self.verdict.outcome if self.verdict else None
        if outcome not in _VERDICTS[self.result]:
            raise ValueError(f"a look that is {self.result} has no verdict {outcome}")
        if self.verdict and (self.verdict.id is None) == (outcome is Outcome.UNIQUE):
            raise ValueError("a unique verdict names the post, and no other does")

    @property
    def found_id(self) -> PostId | None:
        """The post that is ours, if the verdict is unique."""
        return self.verdict.id if self.verdict else None


@dataclass(frozen=True, kw_only=True)
class Looking:
    """How far the looking for a job has come; the look just made is counted.

    Attributes:
        started_at: the click of the attempt in doubt, or its start when it never clicked.
        first_at: the first look.
        first_absent_at: the first absent one.
        code: why the job is in doubt.
    """

    started_at: datetime
    first_at: datetime
    first_absent_at: datetime | None
    absent: int
    void: int
    code: str


@dataclass(frozen=True, kw_only=True)
class Confirm:
    """The post is ours."""

    post_id: PostId


@dataclass(frozen=True, kw_only=True)
class LookAgain:
    """Nothing is settled; the next look is due then."""

    at: datetime


@dataclass(frozen=True, kw_only=True)
class HandOver:
    """A person decides, and this is why."""

    code: str
    why: str


Step: TypeAlias = Confirm | LookAgain | HandOver


def first_look_at(
    started_at: datetime, *, now: datetime, policy: Policy, draw: Callable[[], float]
) -> datetime:
    """Return when to look first: by the schedule, at once when that has passed."""
    return max(now, _later(started_at, policy.look_after_s[0], policy, draw))


def after_look(
    seen: LookSeen,
    looking: Looking,
    *,
    tried: AttemptTimes | None,
    now: datetime,
    policy: Policy,
    draw: Callable[[], float],
) -> Step:
    """Return what follows from a look.

    Args:
        seen: the look.
        looking: how far the looking has come, with this look.
        tried: the earliest attempt that may be out; None when none was ever released.
        now: the present instant.
        policy: the bounds in force.
        draw: a source of numbers from 0 up to 1, for jitter.
    """
    if seen.result is LookResult.VOID:
        return _after_void(seen, looking, now=now, policy=policy, draw=draw)
    if seen.found_id is not None and is_by_us(seen.found_id, tried):
        return Confirm(post_id=seen.found_id)
    if seen.found_id is not None:
        why = f"post {seen.found_id} fits, but no release on record can have made it"
        return HandOver(code=NOT_BY_US, why=why)
    if seen.result is LookResult.FOUND:
        return HandOver(code=seen.code, why=seen.why)
    if tried is None:
        return HandOver(code=looking.code, why=f"{seen.why}; nothing of this job was ever released")
    return _after_absent(looking, now=now, policy=policy, draw=draw)


def is_by_us(post_id: PostId, tried: AttemptTimes | None) -> bool:
    """Tell whether a release on record can have made a post: its id is above the baseline.

    Where there was no release, or the baseline is not known, nothing is taken for ours.
    """
    return bool(tried and tried.baseline_id and is_newer(post_id, tried.baseline_id))


def segments_wanted(payload: Payload) -> tuple[WantedSegment, ...]:
    """Return the frozen posts as the matcher wants them."""
    link = payload.link.final if payload.link else None
    return tuple(
        WantedSegment(
            text=segment.text,
            link=link if link is not None and link in segment.text else None,
            media_count=len(segment.media),
        )
        for segment in payload.segments
    )


def last_look_at(looking: Looking, policy: Policy) -> datetime:
    """Return until when to look; what began late, as after downtime, may go on for a while."""
    return max(
        looking.started_at + timedelta(seconds=policy.look_within_s),
        looking.first_at + timedelta(seconds=policy.look_late_s),
    )


def _after_absent(
    looking: Looking, *, now: datetime, policy: Policy, draw: Callable[[], float]
) -> Step:
    until = last_look_at(looking, policy)
    scheduled = _scheduled(looking, now, policy)
    if now >= until or (not scheduled and _is_exhausted(looking, now, policy)):
        why = f"{looking.absent} looks at the profile did not find it; it may still be out"
        return HandOver(code=NOT_FOUND, why=why)
    if scheduled:
        return LookAgain(at=min(until, _later(looking.started_at, scheduled[0], policy, draw)))
    return LookAgain(at=min(until, _later(now, policy.look_again_s, policy, draw)))


def _after_void(
    seen: LookSeen,
    looking: Looking,
    *,
    now: datetime,
    policy: Policy,
    draw: Callable[[], float],
) -> Step:
    until = last_look_at(looking, policy)
    if looking.void >= policy.looks_void_max or now >= until:
        why = f"{looking.void} looks could not read the profile, the last one: {seen.why}"
        return HandOver(code=COULD_NOT_LOOK, why=why)
    waits = policy.look_void_after_s
    wait_s = waits[min(looking.void, len(waits)) - 1]
    return LookAgain(at=min(until, _later(now, wait_s, policy, draw)))


def _is_exhausted(looking: Looking, now: datetime, policy: Policy) -> bool:
    if looking.first_absent_at is None or looking.absent < policy.looks_absent_min:
        return False
    return now - looking.first_absent_at >= timedelta(seconds=policy.look_span_s_min)


def _scheduled(looking: Looking, now: datetime, policy: Policy) -> list[int]:
    """Return what is left of the schedule."""
    elapsed_s = (now - looking.started_at).total_seconds()
    return [one for one in policy.look_after_s if one >= elapsed_s + policy.look_gap_s_min]


def _later(start: datetime, wait_s: float, policy: Policy, draw: Callable[[], float]) -> datetime:
    return whole_ms(start + timedelta(seconds=wait_s * (1 + policy.look_jitter * draw())))
