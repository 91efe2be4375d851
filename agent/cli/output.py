"""How commands speak: one JSON value with `--json`, plain or Rich text without.

Results go to standard output, progress and errors to standard error. Page and post text is data:
it is printed escaped, so that it can carry no markup and no terminal control.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agent.cli.exits import Exit


def print_json(value: object) -> None:
    """Prints one value as JSON; instants as RFC 3339 in UTC."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=_plain) + "\n")


def print_line(text: str = "") -> None:
    """Prints one line of a result."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Says what is going on, on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def print_error(error: Exception, exit_code: Exit, *, as_json: bool) -> None:
    """Prints why a command ended; as JSON on standard output too when that was asked for."""
    message = str(getattr(error, "detail", None) or error)
    if as_json:
        known = {name: value for name, value in vars(error).items() if not name.startswith("_")}
        words = {"kind": type(error).__name__, "exit_code": int(exit_code), "message": message}
        print_json({"error": known | words})
    sys.stderr.write(f"postproof: {printable(message)}\n")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "") -> None:
    """Prints a table, as wide as the terminal; whole cells when there is no terminal."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    is_wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    console = Console(width=240) if is_wide else Console()
    table = Table(title=title or None, title_justify="left", box=SIMPLE, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(table)


def printable(text: str) -> str:
    """Shows a text without what could steer a terminal; line ends become a visible sign."""
    shown = text.replace("\n", " ⏎ ")
    return "".join(sign if sign.isprintable() or sign == "\u200d" else "�" for sign in shown)


def local_time(instant: datetime | None) -> str:
    """Shows an instant to the second in UTC, or a dash."""
    return instant.strftime("%Y-%m-%d %H:%M:%S UTC") if instant else "-"


def _plain(value: Any) -> str:  # noqa: ANN401 - json calls it with whatever it does not know
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return str(value)
