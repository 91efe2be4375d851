"""What a measured row is, and how a pair of things is timed fairly."""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure: its value is what the goal speaks of; `how` tells what was measured."""

    name: str
    value: float
    unit: str
    goal: str
    holds: bool
    how: str

    def as_json_line(self) -> str:
        """Shows the row as one line of JSON."""
        return json.dumps(
            {
                "row": self.name,
                "value": round(self.value, 3),
                "unit": self.unit,
                "goal": self.goal,
                "holds": self.holds,
            }
        )


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Durations in milliseconds; shown as median and the span from the 10th to the 90th."""

    durations_ms: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        """The middle one."""
        return statistics.median(self.durations_ms)

    def __str__(self) -> str:
        deciles = statistics.quantiles(self.durations_ms, n=10)
        return f"{self.median_ms:.1f} ms [{deciles[0]:.1f} {deciles[-1]:.1f}], n={len(self)}"

    def __len__(self) -> int:
        return len(self.durations_ms)


def interleaved(
    ours: Callable[[], object], bare: Callable[[], object], *, rounds: int
) -> tuple[Sample, Sample]:
    """Times two calls in turn, so that whatever else the machine does hits both."""
    taken: tuple[list[float], list[float]] = ([], [])
    for call in (ours, bare):
        call()  # once unmeasured: files and caches are warm for both
    for _ in range(rounds):
        for call, durations in zip((ours, bare), taken, strict=True):
            durations.append(timed_ms(call))
    return Sample(durations_ms=tuple(taken[0])), Sample(durations_ms=tuple(taken[1]))


def timed_ms(call: Callable[[], object]) -> float:
    """Times one call."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def ratio_row(name: str, ours: Sample, bare: Sample, *, goal_max: float, how: str) -> Row:
    """Makes a row of a ratio of medians."""
    ratio = ours.median_ms / bare.median_ms
    return Row(
        name=name,
        value=ratio,
        unit="x",
        goal=f"<= {goal_max:g}",
        holds=ratio <= goal_max,
        how=f"{how}: ours {ours}; bare {bare}",
    )


def table(rows: Sequence[Row]) -> str:
    """Shows rows as a Markdown table."""
    head = "| row | value | goal | holds | how |\n|---|---|---|---|---|\n"
    return head + "".join(
        f"| {row.name} | {row.value:.2f} {row.unit} | {row.goal} | "
        f"{'yes' if row.holds else 'no'} | {row.how} |\n"
        for row in rows
    )
