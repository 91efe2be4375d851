"""Commands about accounts: `account add | login | check | list | pause | resume`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from agent.cli.exits import Exit
from agent.cli.options import HERE, HandleArgument, JsonOption, NoteOption, WorkspaceOption
from agent.cli.output import note, print_json, print_line, print_table, printable

RULES = """\
Before you sign in, know this: X's developer rules forbid scripted use of its website, also for
your own account, and name permanent suspension as the result. Postproof hides nothing and cannot
protect the account from that. X's supported way is its official API."""


def register(app: typer.Typer) -> None:
    """Adds these commands."""
    account = typer.Typer(no_args_is_help=True, help="The writer's own accounts.")
    account.command("add")(add)
    account.command("login")(login)
    account.command("check")(check)
    account.command("list")(list_accounts)
    account.command()(show)
    account.command("pause")(pause)
    account.command("resume")(resume)
    app.add_typer(account, name="account")


def add(
    handle: HandleArgument,
    user_id: Annotated[
        str | None, typer.Option(help="The numeric user id, if known; login records it.")
    ] = None,
    tier: Annotated[str, typer.Option(help="basic (280) or premium (25,000).")] = "basic",
    spacing_s: Annotated[
        int | None,
        typer.Option("--spacing", min=0, max=86_400, help="Least seconds between two posts."),
    ] = None,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Register an account of your own."""
    from agent.cli.account_words import as_json as shown
    from agent.cli.account_words import handle_of, user_id_of
    from agent.cli.words import member
    from agent.cli.workspace import opened_store, operator
    from agent.domain.text import Tier

    with opened_store(workspace) as store:
        record = store.add_account(
            handle=handle_of(handle),
            user_id=user_id_of(user_id),
            tier=member(Tier, tier, what="a tier"),
            spacing_s=spacing_s,
            actor=operator(),
        )
    if as_json:
        print_json(shown(record, {}))
    else:
        print_line(f"@{record.handle} added. Next: postproof account login {record.handle}")


def login(
    handle: HandleArgument,
    wait_s: Annotated[
        float, typer.Option("--wait", min=1, max=3600, help="Seconds to wait for the person.")
    ] = 600.0,
    headless: Annotated[
        bool,
        typer.Option(
            "--headless",
            help="No window: for a person at the browser's remote debugging port.",
        ),
    ] = False,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Open a window, wait until a person has signed in, and record who it is."""
    import asyncio

    from agent.channels.x_web_sessions import sign_in
    from agent.cli.account_words import as_json as shown
    from agent.cli.browsers import browser_settings
    from agent.cli.workspace import opened_store, operator

    note(RULES)
    with opened_store(workspace) as store:
        record = store.account(handle)
        settings = browser_settings(workspace, headed=not headless)
        note(f"Sign in as @{record.handle} in the window; it closes by itself when done.")
        who = asyncio.run(sign_in(settings, account_id=record.id, wait_s=wait_s))
        record = store.record_identity(
            record.id, user_id=who.user_id, handle=who.handle, actor=operator()
        )
    if as_json:
        print_json(shown(record, {}))
    else:
        print_line(f"Signed in as @{record.handle}, user id {record.user_id}.")


def check(
    handle: HandleArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False
) -> None:
    """Open the account's profile and see whether its session still holds."""
    import asyncio

    from agent.channels.x_web_sessions import check_session
    from agent.cli.browsers import browser_settings
    from agent.cli.workspace import opened_store, operator

    with opened_store(workspace) as store:
        record = store.account(handle)
        settings = browser_settings(workspace, headed=False)
        session = asyncio.run(check_session(settings, account_id=record.id))
        who, breaker = session.signed_in, session.breaker
        if who is not None:
            store.record_identity(
                record.id, user_id=who.user_id, handle=who.handle, actor=operator()
            )
        elif breaker is not None:
            store.open_breaker(record.id, breaker, detail=session.detail, actor=operator())
    if as_json:
        print_json(
            {
                "handle": record.handle,
                "is_signed_in": who is not None,
                "user_id": who.user_id if who else None,
                "detail": session.detail,
            }
        )
    else:
        print_line(f"@{record.handle}: {session.detail}")
    sys.exit(Exit.DONE if who else Exit.ACCOUNT_NEEDS_PERSON)


def show(
    handle: HandleArgument, workspace: WorkspaceOption = HERE, as_json: JsonOption = False
) -> None:
    """Show one account: who it is, what holds it, what X said, and what to do next."""
    from agent.cli.account_words import as_json as shown
    from agent.cli.account_words import lines
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        record = store.account(handle)
        counts = store.account_counts(record.id)
    if as_json:
        print_json(shown(record, counts))
        return
    for line in lines(record, counts):
        print_line(printable(line))


def list_accounts(workspace: WorkspaceOption = HERE, as_json: JsonOption = False) -> None:
    """List accounts with what holds them and what they have to do."""
    from agent.cli.account_words import as_json as shown
    from agent.cli.account_words import rows
    from agent.cli.workspace import opened_store

    with opened_store(workspace) as store:
        records = [(record, store.account_counts(record.id)) for record in store.accounts()]
    if as_json:
        print_json([shown(record, counts) for record, counts in records])
    elif not records:
        print_line("No accounts. Next: postproof account add HANDLE")
    else:
        print_table(("account", "user id", "tier", "held by", "jobs"), rows(records))


def pause(
    handle: HandleArgument,
    note_text: NoteOption = "",
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Hold an account: nothing of it is sent until it is resumed."""
    from agent.cli.account_words import as_json as shown
    from agent.cli.workspace import opened_store, operator

    with opened_store(workspace) as store:
        account = store.account(handle)
        record = store.pause_account(account.id, note=note_text, actor=operator())
    print_json(shown(record, {})) if as_json else print_line(f"@{record.handle} is paused.")


def resume(
    handle: HandleArgument,
    note_text: NoteOption = "",
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Close what holds an account, after a person has seen to it."""
    from agent.cli.account_words import as_json as shown
    from agent.cli.workspace import opened_store, operator

    with opened_store(workspace) as store:
        account = store.account(handle)
        record = store.resume_account(account.id, note=note_text, actor=operator())
    print_json(shown(record, {})) if as_json else print_line(f"@{record.handle} goes on.")
