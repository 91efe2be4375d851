"""Commands that judge and read files, without a store, a browser or X: `match` and `read`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.bad_input import BadInput
from agent.cli.exits import Exit
from agent.cli.options import HERE, JsonOption, WorkspaceOption
from agent.cli.output import print_json, print_line, print_table, printable


def register(app: typer.Typer) -> None:
    """Adds these commands."""
    app.command()(match)
    app.command()(read)


def match(
    intent: Annotated[Path | None, typer.Option(help="The job in doubt, as JSON.")] = None,
    posts: Annotated[
        Path | None, typer.Option(help="The posts that a look read, as JSON; `read` writes them.")
    ] = None,
    batch: Annotated[
        Path | None,
        typer.Option(help="JSON lines, each with `intent` and `posts`; answers a verdict a line."),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schemas of all of these.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell which of some posts is the job's own, if one is, and explain every gate and score."""
    from agent.cli.match_files import explained, match_file, schemas, verdict_as_json

    if schema and not (intent or posts or batch):
        print_json(schemas())
    elif batch is not None and not (intent or posts or schema):
        sys.exit(_match_batch(batch))
    elif intent is not None and posts is not None and not (batch or schema):
        verdict = verdict_as_json(match_file(intent, posts))
        if as_json:
            print_json(verdict)
            return
        for line in explained(verdict):
            print_line(printable(line))
    else:
        raise BadInput("Give --intent and --posts, or --batch, or --schema.")


def read(
    file: Annotated[
        Path, typer.Argument(help="A saved page (.html) or a saved answer of X (.json).")
    ],
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Read the posts out of a saved page or answer, as a look would read them."""
    from agent.cli.read_file import read_file
    from agent.settings import load

    report = read_file(file, executable=load(workspace).browser.executable)
    if as_json:
        print_json(report.as_json())
        return
    print_table(
        ("id", "author", "kind", "text", "links"),
        [
            (
                post["id"] or "-",
                f"@{post['author_handle']}" if post["author_handle"] else post["author_id"] or "-",
                post["kind"] or "-",
                printable(post["text"] or ""),
                ", ".join(link["expanded"] or link["shown"] or "" for link in post["links"] or ()),
            )
            for post in report.posts
        ],
    )
    for what, count in report.skipped.items():
        print_line(f"no post: {count} x {what}")
    for code in report.codes:
        print_line(f"X's code: {code}")


def _match_batch(batch: Path) -> Exit:
    """Answers each line as it is judged; a faulty line is answered with its fault."""
    from agent.cli.match_files import match_batch

    ending = Exit.DONE
    for answer in match_batch(batch):
        if "error" in answer:
            ending = Exit.BAD_INPUT
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    return ending
