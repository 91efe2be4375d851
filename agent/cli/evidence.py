"""Commands about evidence: `evidence verify | open`."""

from __future__ import annotations

import sys

import typer

from agent.cli.exits import Exit
from agent.cli.options import HERE, JobArgument, JsonOption, WorkspaceOption
from agent.cli.output import print_json, print_line, print_table


def register(app: typer.Typer) -> None:
    """Adds these commands."""
    evidence = typer.Typer(no_args_is_help=True, help="The files kept for each attempt.")
    evidence.command("verify")(verify)
    evidence.command("open")(open_folder)
    app.add_typer(evidence, name="evidence")


def verify(
    job: JobArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False
) -> None:
    """Compare every file of a job's evidence with the hash in the ledger."""
    from agent.cli.evidence_files import examine
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        tree = store.show(store.resolve(job))
    findings = examine(tree, workspace)
    is_whole = all(finding.is_good for finding in findings)
    if as_json:
        print_json(
            {
                "job_id": tree.job.id,
                "is_whole": is_whole,
                "files": [finding.as_json() for finding in findings],
            }
        )
    elif not findings:
        print_line("No evidence was taken for this job.")
    else:
        print_table(
            ("file", "", "what was found"),
            [
                (finding.name, "ok" if finding.is_good else "BAD", finding.words)
                for finding in findings
            ],
        )
    sys.exit(Exit.DONE if is_whole else Exit.STORE_REFUSED)


def open_folder(
    job: JobArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False
) -> None:
    """Show where a job's evidence lies, and open the folder where there is a desktop."""
    from agent.cli.evidence_files import folders_of
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        tree = store.show(store.resolve(job))
    folders = folders_of(tree, workspace)
    if as_json:
        print_json({"job_id": tree.job.id, "folders": [str(folder) for folder in folders]})
        return
    if not folders:
        print_line("No evidence was taken for this job.")
    for folder in folders:
        print_line(str(folder))
        if sys.stdout.isatty():
            typer.launch(str(folder), locate=False)
