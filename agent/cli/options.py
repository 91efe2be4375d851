"""The options and arguments that several commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WorkspaceOption = Annotated[
    Path,
    typer.Option(
        "--workspace",
        "-w",
        help="The folder with state.db, postproof.toml, profiles and evidence.",
        metavar="DIR",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer with one JSON value.")]
HandleArgument = Annotated[str, typer.Argument(metavar="HANDLE", help="The account's handle.")]
JobArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A job's id, or a beginning of it that is unique.")
]
NoteOption = Annotated[str, typer.Option("--note", help="Why; kept with the decision.")]

HERE = Path()
STATE_FILE = "state.db"  # here, since `list` knows it without the store
