"""`postproof demo`: the main job on the simulated X, as a user would do it, command by command.

Every step is the real command in a process of its own. The demo adds only what a user's world
adds: the simulated X, the person at the sign-in page, and one kill -9 while a request is held at
the gate. At the end the ledger and the simulated X's own truth stand side by side.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from agent.cli.output import note, print_json, print_line, print_table
from agent.cli.simulated_x import SimulatedX, running
from agent.cli.workspace import PROFILES
from agent.settings import SETTINGS_FILE

AHEAD_S = 8
BROWSER_FOLDER = "browser"
_PASSWORD = "a password of the demo"  # noqa: S105 - of an account of the simulated X
_ACCOUNTS = (("mira_writes", "Mira Writes"), ("essays_by_ken", "Essays by Ken"))


@dataclass(frozen=True, kw_only=True)
class Line:
    """One post of the demo: what the ledger says, and what really is there."""

    job_id: str
    account: str
    state: str
    permalink: str | None
    evidence: str
    truth_count: int
    truth_id: str | None

    @property
    def agrees(self) -> bool:
        """Confirmed means there once, at that permalink; not sent means not there."""
        if self.state == "confirmed":
            at_permalink = bool(self.permalink and self.permalink.endswith(f"/{self.truth_id}"))
            return self.truth_count == 1 and at_permalink
        return self.truth_count == 0 and self.state == "not_sent"


def run_demo(*, keep: bool, as_json: bool) -> int:
    """Runs the demo.

    Returns:
        0 when the ledger and the truth agree on every post, 1 when they do not.
    """
    workspace = Path(tempfile.mkdtemp(prefix="postproof-demo-"))
    try:
        with running(workspace / "simulated-x.log") as site:
            note(f"demo: a simulated X runs on loopback; workspace {workspace}")
            _set_up(workspace, site)
            job_ids = _prepare(workspace)
            kills = _run_through_a_kill(workspace)
            lines = [_line(workspace, job_id, site.posts()) for job_id in job_ids]
        agree = all(line.agrees for line in lines)
        _report(lines, agree=agree, kills=kills, as_json=as_json)
        if keep:
            note(f"demo: everything is left in {workspace}")
        return 0 if agree else 1
    finally:
        if not keep:
            shutil.rmtree(workspace, ignore_errors=True)


def _set_up(workspace: Path, site: SimulatedX) -> None:
    _postproof(workspace, "init")
    (workspace / SETTINGS_FILE).write_text(site.settings(), encoding="utf-8")
    for handle, name in _ACCOUNTS:
        site.add_account(handle, name, _PASSWORD)
        added = _postproof(workspace, "account", "add", handle, "--spacing", "1", "--json")
        profile = workspace / PROFILES / json.loads(added)["account_id"]
        _sign_in(workspace, handle, profile, site)


def _sign_in(workspace: Path, handle: str, profile: Path, site: SimulatedX) -> None:
    """Plays the person: somebody outside types into the window that `account login` opened."""
    note(f"demo: the person signs in as @{handle}")
    pin = f"--ignore-certificate-errors-spki-list={site.spki_sha256_base64}"
    window = json.dumps([pin, "--remote-debugging-port=0"])
    person = subprocess.Popen(  # noqa: S603 - our own module, our own arguments
        [sys.executable, "-m", "simx.person", str(profile / BROWSER_FOLDER), handle, _PASSWORD],
        stdout=sys.stderr,
    )
    try:
        _postproof(
            workspace,
            *("account", "login", handle, "--headless", "--wait", "60"),
            environment={"POSTPROOF_BROWSER__EXTRA_ARGS": window},
        )
    finally:
        person.terminate()
        person.wait()


def _prepare(workspace: Path) -> list[str]:
    soon = (datetime.now(UTC) + timedelta(seconds=AHEAD_S)).isoformat(timespec="seconds")
    file = workspace / "announcements.json"
    file.write_text(json.dumps({"posts": _posts(soon)}, ensure_ascii=False), encoding="utf-8")
    answer = json.loads(_postproof(workspace, "prepare", "--file", str(file), "--json"))
    note(f"demo: {len(answer['posts'])} posts prepared, one of them due at {soon}")
    return [each["job_id"] for each in answer["posts"]]


def _posts(soon: str) -> list[dict[str, str]]:
    mira, ken = (handle for handle, _name in _ACCOUNTS)
    blog = "https://blog.example.com"
    return [
        {
            "account": mira,
            "text": "New essay: what a scheduler owes the reader when an answer gets lost.",
            "link": f"{blog}/lost-answers?utm_source=x",
        },
        {
            "account": ken,
            "text": "新文章：为什么“超时”不等于“失败”，以及怎样不把同一篇发两次。",  # noqa: RUF001
            "link": f"{blog}/zh/timeouts",
        },
        {
            "account": mira,
            "text": "Six gates 🚪🚪🚪 between a draft and the world 🌍 a field guide 👩🏽‍💻",
            "link": f"{blog}/six-gates",
        },
        {
            "account": ken,
            "text": f"{blog}/review-notes notes from a long talk, with thanks to @mira_writes",
            "link": f"{blog}/review-notes",
        },
        {
            "account": mira,
            "text": "Scheduled a few seconds ahead: on keeping promises to a clock.",
            "link": f"{blog}/clocks",
            "at": soon,
        },
    ]


def _run_through_a_kill(workspace: Path) -> int:
    """Runs the daemon to the first held request, kills it there, and runs it to the end."""
    note("demo: the daemon starts; it is killed while a request is held at the gate")
    first = subprocess.Popen(_command(workspace, "run", "--until-idle", "--halt-at", "held"))  # noqa: S603
    _pid, status = os.waitpid(first.pid, os.WUNTRACED)
    kills = 0
    if os.WIFSTOPPED(status):
        first.send_signal(signal.SIGKILL)
        first.wait()
        kills = 1
        note("demo: killed with kill -9; not a byte of the held request has left")
    note("demo: the daemon starts again")
    subprocess.run(_command(workspace, "run", "--until-idle"), stdout=sys.stderr, check=False)  # noqa: S603
    return kills


def _line(workspace: Path, job_id: str, truth: list[dict[str, Any]]) -> Line:
    job = json.loads(_postproof(workspace, "show", job_id, "--json"))
    text = job["segments"][0]["text"]
    there = [
        post
        for post in truth
        if post["text"] == text and post["author"].lower() == job["account"].lower()
    ]
    folders = [Path(each["path"]).parent for each in job["evidence"] if each["path"]]
    return Line(
        job_id=job_id,
        account=job["account"],
        state=job["state"],
        permalink=job["permalink"],
        evidence=str(folders[-1]) if folders else "-",
        truth_count=len(there),
        truth_id=there[0]["id"] if there else None,
    )


def _report(lines: list[Line], *, agree: bool, kills: int, as_json: bool) -> None:
    if as_json:
        posts = [
            {
                "job_id": line.job_id,
                "account": line.account,
                "state": line.state,
                "permalink": line.permalink,
                "evidence": line.evidence,
                "truth_count": line.truth_count,
            }
            for line in lines
        ]
        print_json({"posts": posts, "agree": agree, "kills": kills})
        return
    print_table(
        ("account", "ledger says", "permalink", "really there", "agrees", "evidence"),
        [
            (
                f"@{line.account}",
                line.state,
                line.permalink or "-",
                f"{line.truth_count} time" + ("" if line.truth_count == 1 else "s"),
                "yes" if line.agrees else "NO",
                line.evidence,
            )
            for line in lines
        ],
        title="What the ledger says, beside the truth of the simulated X",
    )
    verdict = "agree" if agree else "DISAGREE"
    print_line(f"Ledger and truth {verdict} on {len(lines)} posts; the daemon was killed {kills}x.")


def _postproof(workspace: Path, *words: str, environment: dict[str, str] | None = None) -> str:
    """Runs one command and returns what it printed.

    Raises:
        RuntimeError: It failed; its own words are on standard error.
    """
    done = subprocess.run(  # noqa: S603 - our own command
        _command(workspace, *words),
        stdout=subprocess.PIPE,
        env=os.environ | (environment or {}),
        check=False,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(f"postproof {' '.join(words)} ended with {done.returncode}")
    return done.stdout


def _command(workspace: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "agent.cli", *words, "--workspace", str(workspace)]
