"""Commands about doubt: `reconcile`, `explain`, and `review`, where a person decides."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from agent.cli.options import HERE, JobArgument, JsonOption, NoteOption, WorkspaceOption
from agent.cli.output import print_json, print_line, print_table, printable


def register(app: typer.Typer) -> None:
    """Adds these commands."""
    app.command()(reconcile)
    app.command()(explain)
    review = typer.Typer(
        no_args_is_help=True,
        help="Posts of which a person has to say whether they are out, and what was seen of them.",
    )
    review.command("list")(list_doubts)
    review.command()(show)
    review.command()(confirm)
    review.command()(absent)
    review.command("give-up")(give_up)
    review.command()(withdraw)
    review.command("open")(open_evidence)
    app.add_typer(review, name="review")


VersionOption = Annotated[
    int,
    typer.Option(
        "--version",
        min=1,
        help="The job's version that was decided on; `review show` names it.",
    ),
]
ActorOption = Annotated[
    str | None,
    typer.Option("--as", help="Who decides; by default the operating system's user."),
]


def reconcile(
    job: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="A job in doubt; by default every unknown one."),
    ] = None,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Look now on the account's own profile for what may or may not be out."""
    import asyncio

    from agent.cli.looking import look_now
    from agent.cli.workspace import operator

    answer = asyncio.run(look_now(workspace, job, actor=operator()))
    if as_json:
        print_json(answer.as_json())
    elif not answer.jobs:
        print_line("No job is unknown.")
    else:
        print_table(("job", "state", "permalink or reason"), answer.rows())
    sys.exit(answer.exit_code)


def explain(
    job: JobArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False
) -> None:
    """Explain each look of a job: every gate and score of every post that was read."""
    from agent.cli.looks import explained, look_as_json
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        tree = store.show(store.resolve(job))
    if as_json:
        looks = [look_as_json(look) for look in tree.looks]
        print_json({"job_id": tree.job.id, "state": tree.job.state.value, "looks": looks})
    elif not tree.looks:
        print_line("Nobody has looked for this job yet.")
    else:
        for line in explained(tree):
            print_line(printable(line))


def list_doubts(workspace: WorkspaceOption = HERE, as_json: JsonOption = False) -> None:
    """List what waits for a person, the oldest doubt first."""
    from agent.cli.output import local_time
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        jobs = store.in_review()
    if as_json:
        print_json(
            [
                {
                    "job_id": job.id,
                    "account": job.handle,
                    "version": job.version,
                    "since": job.state_at,
                    "code": job.code,
                    "detail": job.detail,
                    "text": job.text,
                }
                for job in jobs
            ]
        )
    elif not jobs:
        print_line("Nothing waits for a person.")
    else:
        print_table(
            ("job", "account", "since", "why", "text"),
            [
                (job.id, f"@{job.handle}", local_time(job.state_at), job.code or "-", job.text)
                for job in jobs
            ],
        )


def show(job: JobArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False) -> None:
    """Show what was expected beside what was seen, and the commands that decide."""
    from agent.cli.review_page import as_json as shown
    from agent.cli.review_page import print_page
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        job_id = store.resolve(job)
        tree = store.show(job_id)
        until = store.quarantine_until(job_id)
    page = shown(tree, workspace, absent_from=until)
    if as_json:
        print_json(page)
    else:
        print_page(page)


def confirm(
    job: JobArgument,
    permalink: Annotated[str, typer.Argument(help="The post that it is: its address on x.com.")],
    version: VersionOption,
    force: Annotated[
        bool, typer.Option("--force", help="It is the post although its text differs; say why.")
    ] = False,
    note_text: NoteOption = "",
    actor: ActorOption = None,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Say which post it is. The post is opened, and author, time, link and text are checked."""
    import asyncio

    from agent.cli.deciding import Said, confirm_post
    from agent.cli.workspace import operator

    said = Said(job=job, version=version, actor=actor or operator(), note=note_text or None)
    answer = asyncio.run(confirm_post(workspace, said, permalink, is_forced=force))
    print_json(answer) if as_json else print_line(f"{answer['job_id']} confirmed: {permalink}")


def absent(
    job: JobArgument,
    version: VersionOption,
    note_text: NoteOption = "",
    despite_candidates: Annotated[
        bool,
        typer.Option(
            "--despite-candidates", help="The posts that the fresh look shows are not this job's."
        ),
    ] = False,
    lasts_s: Annotated[
        int | None,
        typer.Option("--for", min=60, help="Seconds for which one more try is allowed."),
    ] = None,
    actor: ActorOption = None,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Rule that it is not out and allow one more try. A fresh look is made first."""
    import asyncio

    from agent.cli.deciding import Said, rule_absent
    from agent.cli.workspace import operator

    said = Said(job=job, version=version, actor=actor or operator(), note=note_text or None)
    answer = asyncio.run(
        rule_absent(workspace, said, despite_candidates=despite_candidates, lasts_s=lasts_s)
    )
    if as_json:
        print_json(answer)
    else:
        print_line(f"{answer['job_id']} {answer['state']}: one more try is allowed")


def give_up(
    job: JobArgument,
    version: VersionOption,
    note_text: NoteOption = "",
    actor: ActorOption = None,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Close the doubt without settling it: shown as "not resolved", never as not sent."""
    from agent.cli.deciding import decided
    from agent.cli.workspace import opened_store, operator

    with opened_store(workspace) as store:
        record = store.give_up(
            store.resolve(job), version=version, note=note_text, actor=actor or operator()
        )
    answer = decided(record)
    print_json(answer) if as_json else print_line(f"{record.id} closed, not resolved")


def withdraw(
    job: JobArgument,
    version: VersionOption,
    note_text: NoteOption = "",
    actor: ActorOption = None,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Take the permission for one more try back, as long as nothing has left."""
    from agent.cli.deciding import decided
    from agent.cli.workspace import opened_store, operator

    with opened_store(workspace) as store:
        record = store.withdraw(
            store.resolve(job), version=version, note=note_text, actor=actor or operator()
        )
    answer = decided(record)
    print_json(answer) if as_json else print_line(f"{record.id} {record.state.value}")


def open_evidence(
    job: JobArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False
) -> None:
    """Show where the pictures and facts of attempts and looks lie; open them on a desktop."""
    from agent.cli.evidence import open_folder

    open_folder(job, workspace, as_json)
