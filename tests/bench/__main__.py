"""`python -m tests.bench [--only NAME]`: runs the rows, prints each, writes `docs/bench.md`."""

from __future__ import annotations

import argparse
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.commands import cold_help, cold_list
from tests.bench.enqueue import enqueue
from tests.bench.matching import labelled_set, long_look
from tests.bench.posting import due_to_click, post_warm
from tests.bench.rows import Row, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGE = Path(__file__).parents[2] / "docs" / "bench.md"
ROWS: dict[str, Callable[[], Iterator[Row]]] = {
    "cold_help": cold_help,
    "cold_list": cold_list,
    "enqueue": enqueue,
    "post_warm": post_warm,
    "due_to_click": due_to_click,
    "labelled_set": labelled_set,
    "long_look": long_look,
}


def main() -> int:
    """Runs all rows, or one; only a whole run writes the page."""
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--only", choices=ROWS, help="run one row")
    only = parser.parse_args().only
    rows = [row for name in ([only] if only else ROWS) for row in _measured(name)]
    sys.stdout.write(table(rows))
    if not only:
        PAGE.write_text(_page(rows), encoding="utf-8")
        sys.stdout.write(f"written to {PAGE.name}\n")
    return 0


def _measured(name: str) -> Iterator[Row]:
    for row in ROWS[name]():
        sys.stdout.write(row.as_json_line() + "\n")
        sys.stdout.flush()
        yield row


def _page(rows: list[Row]) -> str:
    today = datetime.now(UTC).date().isoformat()
    return f"""# Speed

Written by `make bench` on {today}, Python {platform.python_version()}, {platform.system()},
2 cores, shared with others: use the ratios. Durations are medians with the span from the 10th to
the 90th percentile; both sides of a ratio were measured in turn in the same run.

{table(rows)}"""


if __name__ == "__main__":
    sys.exit(main())
