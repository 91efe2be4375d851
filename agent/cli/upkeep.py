"""Commands about the workspace itself: `init`, `doctor`, `upgrade`, `audit verify`."""

from __future__ import annotations

import sys

import typer

from agent.cli.exits import Exit
from agent.cli.options import HERE, STATE_FILE, JsonOption, WorkspaceOption
from agent.cli.output import print_json, print_line, print_table


def register(app: typer.Typer) -> None:
    """Adds these commands."""
    app.command()(init)
    app.command()(doctor)
    app.command()(upgrade)
    audit = typer.Typer(no_args_is_help=True, help="The record of every move.")
    audit.command("verify")(audit_verify)
    app.add_typer(audit, name="audit")


def init(workspace: WorkspaceOption = HERE, as_json: JsonOption = False) -> None:
    """Make a workspace: state.db and postproof.toml. Never touches what is there already."""
    from agent.cli.workspace import SETTINGS_TEMPLATE
    from agent.settings import SETTINGS_FILE
    from agent.store.ledger import Store

    state = workspace / STATE_FILE
    Store.create(state)
    settings = workspace / SETTINGS_FILE
    if not settings.exists():
        settings.write_text(SETTINGS_TEMPLATE, encoding="utf-8")
    if as_json:
        print_json({"workspace": str(workspace.resolve()), "state": str(state.resolve())})
    else:
        print_line(f"Workspace ready in {workspace.resolve()}.")
        print_line("Next: postproof account add HANDLE, then postproof account login HANDLE.")


def doctor(workspace: WorkspaceOption = HERE, as_json: JsonOption = False) -> None:
    """Check the installation, the browser, the settings and the store, and say what to mend."""
    from agent.cli.doctor import examine

    checks = examine(workspace)
    if as_json:
        print_json({"checks": [check.as_json() for check in checks]})
    else:
        print_table(
            ("check", "", "what was found"),
            [(check.name, check.verdict, check.finding) for check in checks],
        )
    worst = next((check.exit_code for check in checks if check.exit_code), Exit.DONE)
    sys.exit(worst)


def upgrade(workspace: WorkspaceOption = HERE, as_json: JsonOption = False) -> None:
    """Bring a state.db of an earlier version to this one, whole or not at all."""
    from agent.cli.workspace import LOCK_FILE, worker_name
    from agent.domain.clock import SystemClock
    from agent.store.flock import DaemonLock
    from agent.store.ledger import Store

    with DaemonLock(workspace / LOCK_FILE, worker=worker_name(), clock=SystemClock()):
        Store.upgrade(workspace / STATE_FILE)
    if as_json:
        print_json({"state": str((workspace / STATE_FILE).resolve()), "is_current": True})
    else:
        print_line("state.db is of this version.")


def audit_verify(workspace: WorkspaceOption = HERE, as_json: JsonOption = False) -> None:
    """Check that the chain of audit events is whole: nothing changed, nothing taken out."""
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        verdict = store.verify_audit()
    if as_json:
        print_json(
            {
                "is_whole": verdict.is_whole,
                "events": verdict.events,
                "first_bad_seq": verdict.first_bad_seq,
                "why": verdict.why,
            }
        )
    elif verdict.is_whole:
        print_line(f"The chain of {verdict.events} events is whole.")
    else:
        print_line(f"The chain is broken at event {verdict.first_bad_seq}: {verdict.why}.")
        print_line("Do not send from this store; compare it with a backup.")
    sys.exit(Exit.DONE if verdict.is_whole else Exit.STORE_REFUSED)
