"""The command `run`: the daemon, from a terminal or a service manager; and `demo`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from agent.cli.bad_input import BadInput
from agent.cli.options import HERE, JsonOption, WorkspaceOption
from agent.cli.output import print_json, print_line, print_table


def register(app: typer.Typer) -> None:
    """Adds these commands."""
    app.command()(run)
    app.command()(demo)


def run(
    once: Annotated[
        bool, typer.Option("--once", help="At most one post per account of what is due; leave.")
    ] = False,
    until_idle: Annotated[
        bool, typer.Option("--until-idle", help="Leave when nothing comes due within a minute.")
    ] = False,
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser's window.")] = False,
    slow_mo_ms: Annotated[
        int, typer.Option("--slow-mo", min=0, max=10_000, help="Milliseconds between steps.")
    ] = 0,
    pause: Annotated[
        bool, typer.Option("--pause", help="Stop in Playwright's inspector before the click.")
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Keep a Playwright trace with the evidence.")
    ] = False,
    video: Annotated[
        bool, typer.Option("--video", help="Keep a video with the evidence; needs ffmpeg.")
    ] = False,
    rehearse: Annotated[
        bool,
        typer.Option("--rehearse", help="Do everything up to the armed gate, then clear it."),
    ] = False,
    halt_at: Annotated[
        str | None,
        typer.Option(help="Stop this process (SIGSTOP) at a phase, to look or to kill it there."),
    ] = None,
    workspace: WorkspaceOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Send what is due. Without an option: until SIGTERM, which lets attempts finish."""
    from agent.cli.daemon import Choices, run_daemon

    if once and until_idle:
        raise BadInput("Give --once or --until-idle, not both.")
    summary = run_daemon(
        workspace,
        Choices(
            once=once,
            until_idle=until_idle,
            headed=headed or pause,
            slow_mo_ms=slow_mo_ms,
            pause=pause,
            trace=trace,
            video=video,
            rehearse=rehearse,
            halt_at=halt_at,
        ),
    )
    if as_json:
        print_json(summary.as_json())
    else:
        if summary.jobs:
            print_table(("job", "state", "permalink or reason"), summary.rows())
        elif not summary.waiting:
            print_line("Nothing was due.")
        for each in summary.waiting:
            print_line(f"{each.job_id} of @{each.handle} waits: {each.why}")
    sys.exit(summary.exit_code)


def demo(
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave the workspace to look at, and say where it is.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Announce on the simulated X: through a kill -9, a lost answer, and a doubt."""
    from agent.cli.demo import run_demo

    sys.exit(run_demo(keep=keep, as_json=as_json))
