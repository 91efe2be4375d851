"""The entry point of `postproof`: every command, and what its errors end in.

No heavy import at module level here or in the command modules: Playwright, SQLModel and the rest
are imported inside the commands that need them, so that `--help` and `list` stay quick.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from agent.cli import accounts, doubt, evidence, matching, posts, running, upkeep
from agent.cli.exits import MEANING, Exit
from agent.cli.output import print_error

EPILOG = "Exit codes: " + "; ".join(f"{code.value} {text}" for code, text in MEANING.items())

app = typer.Typer(
    name="postproof",
    help=(
        "Announces a writer's articles on X through a real browser, one account at a time, "
        "and never turns doubt into a double post."
    ),
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is.", is_eager=True)
    ] = False,
) -> None:
    if version:
        from importlib.metadata import version as version_of

        sys.stdout.write(f"postproof {version_of('postproof')}\n")
        raise typer.Exit


for family in (upkeep, accounts, posts, running, doubt, evidence, matching):
    family.register(app)


def main() -> None:
    """Runs the command line; every failure ends in one sentence and its exit code."""
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.DONE)
    except KeyboardInterrupt:
        sys.stderr.write("postproof: interrupted\n")
        sys.exit(130)
    except Exception as error:
        from agent.cli.failures import exit_of

        code = exit_of(error)
        if code is None:
            raise
        print_error(error, code, as_json="--json" in sys.argv)
        sys.exit(code)
