"""Commands about posts: `prepare`, `list`, `show`, `cancel`, `reschedule`, `again`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.bad_input import BadInput
from agent.cli.options import HERE, JobArgument, JsonOption, NoteOption, WorkspaceOption
from agent.cli.output import local_time, print_json, print_line, print_table, printable


def register(app: typer.Typer) -> None:
    """Adds these commands."""
    app.command()(prepare)
    app.command("list")(list_jobs)
    app.command()(show)
    app.command()(cancel)
    app.command()(reschedule)
    app.command()(again)


AccountOption = Annotated[str | None, typer.Option(help="Handle of the account that posts.")]
TextOption = Annotated[str | None, typer.Option(help="The post's text.")]
TextFileOption = Annotated[
    Path | None, typer.Option(help="Read the text from this file; `-` is standard input.")
]
LinkOption = Annotated[
    str | None, typer.Option(help="The article's link; put behind the text if not in it.")
]
ArticleOption = Annotated[
    str | None, typer.Option(help="Name of the article; by default its link.")
]
RevisionOption = Annotated[str | None, typer.Option(help="Revision of the article; 1 by default.")]
OperationOption = Annotated[
    str | None,
    typer.Option(help="What for, `announce` by default; another one may announce it again."),
]
KeyOption = Annotated[
    str | None, typer.Option(help="Idempotency key; derived from the intent by default.")
]
AtOption = Annotated[
    str | None,
    typer.Option(help="When: 2026-12-01 09:00 in the workspace's zone, or with an offset."),
]
FileOption = Annotated[
    Path | None, typer.Option(help="Read one or many announcements from JSON or TOML.")
]


def prepare(
    account: AccountOption = None,
    text: TextOption = None,
    text_file: TextFileOption = None,
    link: LinkOption = None,
    article: ArticleOption = None,
    revision: RevisionOption = None,
    operation: OperationOption = None,
    key: KeyOption = None,
    at: AtOption = None,
    file: FileOption = None,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Freeze an announcement and queue it. Asking again with the same content changes nothing."""
    from agent.cli.announcement import from_file, from_options
    from agent.cli.prepare import prepare_all, print_prepared
    from agent.cli.workspace import opened_store, operator
    from agent.settings import load

    options: dict[str, str | None] = {
        "account": account,
        "link": link,
        "article": article,
        "revision": revision,
        "operation": operation,
        "key": key,
        "at": at,
    }
    given = {name: value for name, value in options.items() if value is not None}
    if file is None:
        announcements = [from_options(given, text=text, text_file=text_file)]
    elif given or text is not None or text_file is not None:
        raise BadInput("--file already holds the announcement; give no other option with it.")
    else:
        announcements = from_file(file)
    with opened_store(workspace) as store:
        prepared = prepare_all(announcements, store, load(workspace), actor=operator())
    print_prepared(prepared, as_json=as_json)


def list_jobs(
    state: Annotated[str | None, typer.Option(help="Only jobs in this state.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 200,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """List jobs, the newest first."""
    from agent.cli.glimpses import as_json as shown
    from agent.cli.glimpses import glimpses

    found = glimpses(workspace, state=state, limit=limit)
    if as_json:
        print_json([shown(each) for each in found])
        return
    if not found:
        print_line("No jobs." if state is None else f"No jobs in state {state}.")
        return
    print_table(
        ("job", "account", "state", "due", "text or permalink"),
        [
            (
                each.job_id,
                f"@{each.handle}",
                each.state,
                local_time(each.due_at),
                each.permalink or printable(each.text),
            )
            for each in found
        ],
    )


def show(job: JobArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False) -> None:
    """Show one job: what was asked, each attempt, each move, and the evidence."""
    from agent.cli.show import as_json as shown
    from agent.cli.show import print_tree
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        tree = store.show(store.resolve(job))
    if as_json:
        print_json(shown(tree))
    else:
        print_tree(tree)


def cancel(
    job: JobArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False
) -> None:
    """Withdraw a job before anything was done for it."""
    from agent.cli.prepare import print_job
    from agent.cli.workspace import opened_store, operator

    with opened_store(workspace) as store:
        record = store.cancel(store.resolve(job), actor=operator())
    print_job(record, as_json=as_json)


def reschedule(
    job: JobArgument,
    at: Annotated[str, typer.Option(help="The new time, as for `prepare --at`.")],
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Give a post that waits, or that was missed, a new time."""
    from agent.cli.prepare import print_job, slot_of
    from agent.cli.workspace import opened_store, operator
    from agent.settings import load

    slot = slot_of(at, load(workspace))
    with opened_store(workspace) as store:
        record = store.reschedule(store.resolve(job), slot, actor=operator())
    print_job(record, as_json=as_json)


def again(
    job: JobArgument,
    note_text: NoteOption,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Let a post that was proven not sent be tried anew; a person's decision, with its reason."""
    from agent.cli.prepare import print_job
    from agent.cli.workspace import opened_store, operator

    with opened_store(workspace) as store:
        record = store.prepare_again(store.resolve(job), note=note_text, actor=operator())
    print_job(record, as_json=as_json)
