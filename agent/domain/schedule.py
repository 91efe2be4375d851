"""When a job is due: the instant in UTC, and beside it what the writer said, zone and wall time.

In the hour that a clock skips, the time moves forward by the gap; in the hour that comes twice,
the first one is meant. Whether an instant has passed is the store's question, not this module's:
repeating a request after its time must replay, not fail.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agent.domain.clock import whole_ms


class ScheduleRefused(ValueError):  # noqa: N818 - named for what happened, as every error here
    """The time or the zone cannot be read; the message says what is expected."""


@dataclass(frozen=True, kw_only=True)
class Slot:
    """An instant, the zone it was said in, and the wall clock's reading there, as said."""

    due_at: datetime
    zone: str
    wall: str


def slot_now(now: datetime) -> Slot:
    """Return the slot of something due at once."""
    return Slot(due_at=whole_ms(now), zone="UTC", wall=_wall(now))


def slot_at(raw: str, *, zone: str) -> Slot:
    """Read a time such as `2026-12-01 09:00`, or with an offset `2026-12-01T09:00:00+01:00`.

    Args:
        raw: ISO 8601; an offset in it wins over the zone for the instant.
        zone: an IANA name, such as `Europe/Berlin`.

    Raises:
        ScheduleRefused: the time or the zone cannot be read.
    """
    place = _zone(zone)
    try:
        said = datetime.fromisoformat(raw.strip())
    except ValueError as error:
        raise ScheduleRefused(
            f"{raw!r} is not a time; write 2026-12-01 09:00, or 2026-12-01T09:00:00+01:00"
        ) from error
    try:
        if said.tzinfo is not None:
            local = said.astimezone(place)
            return Slot(due_at=whole_ms(said), zone=zone, wall=_wall(local))
        return Slot(due_at=whole_ms(_instant(said, place)), zone=zone, wall=_wall(said))
    except OverflowError as error:
        raise ScheduleRefused(f"{raw!r} is outside of the calendar") from error


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ScheduleRefused(
            f"{name!r} is not a time zone; write an IANA name such as Europe/Berlin"
        ) from error


def _instant(wall: datetime, place: ZoneInfo) -> datetime:
    # fold=0 takes the first of two readings, and in a gap the offset before it, which moves the
    # time forward by the length of the gap: both are the rules of this project.
    return wall.replace(tzinfo=place, fold=0).astimezone(UTC)


def _wall(local: datetime) -> str:
    return local.replace(tzinfo=None).isoformat(timespec="seconds")
