"""`postproof demo`: the main job on the simulated X, as a user would do it, command by command.

Every step is the real command in a process of its own. The demo adds only what a user's world
adds: the simulated X, the person at the sign-in page, one kill -9 while a request is held at the
gate, and two answers of X that get lost: one of a post that is out, one of a post that is not. At
the end the ledger and the simulated X's own truth stand side by side.
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

from agent.cli import demo_posts
from agent.cli.output import note, print_json, print_line, print_table
from agent.cli.simulated_x import SimulatedX, running
from agent.cli.workspace import PROFILES
from agent.settings import SETTINGS_FILE

AHEAD_S = 8
BROWSER_FOLDER = "browser"
LOOKS = """
[looks] # minutes and hours in a real workspace; a demo cannot wait for them
after_s = [1, 3, 6]
gap_s_min = 1
again_s = 2
span_s_min = 4
"""
_PASSWORD = "a password of the demo"  # noqa: S105 - of an account of the simulated X


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
        """Confirmed means there once, at that permalink; not sent means not there.

        Before a person lies only the post of which nothing is there to be found.
        """
        if self.state == "confirmed":
            at_permalink = bool(self.permalink and self.permalink.endswith(f"/{self.truth_id}"))
            return self.truth_count == 1 and at_permalink
        return self.truth_count == 0 and self.state in {"not_sent", "needs_manual"}


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
            soon = (datetime.now(UTC) + timedelta(seconds=AHEAD_S)).isoformat(timespec="seconds")
            job_ids = _prepare(workspace, demo_posts.announcements(soon))
            kills = _run_through_a_kill(workspace)
            job_ids += _lose_two_answers(workspace, site)
            lines = [_line(workspace, job_id, site.posts()) for job_id in job_ids]
        agree = all(line.agrees for line in lines)
        _report(lines, agree=agree, kills=kills, as_json=as_json)
        if not as_json:
            _print_decisions(workspace, lines)
        if keep:
            note(f"demo: everything is left in {workspace}")
        else:
            note("demo: the workspace goes now; with --keep it stays, to be decided in")
        return 0 if agree else 1
    finally:
        if not keep:
            shutil.rmtree(workspace, ignore_errors=True)


def _set_up(workspace: Path, site: SimulatedX) -> None:
    _postproof(workspace, "init")
    (workspace / SETTINGS_FILE).write_text(site.settings() + LOOKS, encoding="utf-8")
    for handle, name in demo_posts.ACCOUNTS:
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


def _prepare(workspace: Path, posts: list[dict[str, str]]) -> list[str]:
    file = workspace / "announcements.json"
    file.write_text(json.dumps({"posts": posts}, ensure_ascii=False), encoding="utf-8")
    answer = json.loads(_postproof(workspace, "prepare", "--file", str(file), "--json"))
    note(f"demo: {len(posts)} posts prepared")
    return [each["job_id"] for each in answer["posts"]]


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


def _lose_two_answers(workspace: Path, site: SimulatedX) -> list[str]:
    """X takes one more post and loses the answer, and loses another post with its answer."""
    found, lost = demo_posts.lost_answers()
    site.fault("answer_lost_after_store", account=found["account"], times=1)
    site.fault("answer_lost_before_store", account=lost["account"], times=1)
    job_ids = _prepare(workspace, [found, lost])
    note("demo: X will lose its answer to both; only one of them will be out")
    subprocess.run(_command(workspace, "run", "--until-idle"), stdout=sys.stderr, check=False)  # noqa: S603
    return job_ids


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


def _print_decisions(workspace: Path, lines: list[Line]) -> None:
    """Prints how a person decides about what the program cannot know."""
    for line in lines:
        if line.state == "needs_manual":
            page = json.loads(_postproof(workspace, "review", "show", line.job_id, "--json"))
            print_line(f"\n{line.job_id} waits for a person ({page['detail']}):")
            for command in page["commands"].values():
                print_line(f"  {command} --workspace {workspace}")


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
