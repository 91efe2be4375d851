from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.domain.schedule import ScheduleRefused, Slot, slot_at

TIMES = {
    "plain": ("2026-12-01 09:00", "Europe/Berlin", "2026-12-01T08:00", "2026-12-01T09:00:00"),
    "with T": ("2026-12-01T09:00", "Europe/Berlin", "2026-12-01T08:00", "2026-12-01T09:00:00"),
    "summer": ("2026-07-01 09:00", "Europe/Berlin", "2026-07-01T07:00", "2026-07-01T09:00:00"),
    "with an offset": (
        "2026-12-01T09:00:00-05:00",
        "Europe/Berlin",
        "2026-12-01T14:00",
        "2026-12-01T15:00:00",
    ),
    "with Z": ("2026-12-01T09:00:00Z", "UTC", "2026-12-01T09:00", "2026-12-01T09:00:00"),
    "gap: forward": (
        "2026-03-29 02:30",
        "Europe/Berlin",
        "2026-03-29T01:30",
        "2026-03-29T02:30:00",
    ),
    "fold: first": (
        "2026-10-25 02:30",
        "Europe/Berlin",
        "2026-10-25T00:30",
        "2026-10-25T02:30:00",
    ),
    "leap day": ("2028-02-29 00:00", "Asia/Tokyo", "2028-02-28T15:00", "2028-02-29T00:00:00"),
}


@pytest.mark.parametrize(("raw", "zone", "due", "wall"), TIMES.values(), ids=TIMES)
def test_a_time_is_an_instant_and_the_wall_clock_it_was_said_by(
    raw: str, zone: str, due: str, wall: str
) -> None:
    """The instant is UTC; zone and wall time stay as they were said."""
    slot = slot_at(raw, zone=zone)

    due_at = datetime.fromisoformat(due).replace(tzinfo=UTC)
    assert slot == Slot(due_at=due_at, zone=zone, wall=wall)


REFUSED = {
    "no time": ("tomorrow", "UTC"),
    "no such day": ("2026-02-30 09:00", "UTC"),
    "no such zone": ("2026-12-01 09:00", "Europe/Atlantis"),
    "empty zone": ("2026-12-01 09:00", ""),
    "zone outside of the database": ("2026-12-01 09:00", "../../etc/passwd"),
    "before the calendar": ("0001-01-01T00:00:00+14:00", "UTC"),
}


@pytest.mark.parametrize(("raw", "zone"), REFUSED.values(), ids=REFUSED)
def test_row_12_a_wrong_time_or_zone_is_refused(raw: str, zone: str) -> None:
    """Row 12: a wrong zone is one clear error."""
    with pytest.raises(ScheduleRefused):
        slot_at(raw, zone=zone)
