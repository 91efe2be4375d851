"""A writer's world for tests from end to end: a workspace, a simulated X, and real commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.simx.clients import RunningX

COMMAND_S_MAX = 120
# `make faults` runs every case of the tables of kills, `make test` the tightest of them
IS_LONG = os.environ.get("POSTPROOF_FAULTS") == "long"
BLOG = "https://blog.example.com"
Json = Any  # what commands answer; each test knows its shape


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a command ended."""

    exit_code: int
    out: str
    err: str

    def json(self) -> Json:
        """Reads standard output as one JSON value."""
        return json.loads(self.out)


@dataclass(frozen=True, kw_only=True)
class World:
    """One workspace on a simulated X."""

    workspace: Path
    x: RunningX

    @classmethod
    def made(cls, workspace: Path, x: RunningX) -> World:
        """Makes the workspace and points it at the simulation by configuration alone."""
        world = cls(workspace=workspace, x=x)
        world.ok("init")
        hosts = "\n".join(f'"{host}" = "{place}"' for host, place in x.facts["hosts"].items())
        pin = f"--ignore-certificate-errors-spki-list={x.facts['spki_sha256_base64']}"
        (workspace / "postproof.toml").write_text(
            f'[browser]\nextra_args = ["{pin}"]\n[run]\nsweep_every_s = 1.0\n'
            f'[gate.hosts]\n{hosts}\n"*" = "refuse"\n',
            encoding="utf-8",
        )
        world.looks(after_s=[3600])
        return world

    def looks(self, **times_s: int | list[int]) -> None:
        """Sets when doubts are looked at and posts read again; by default in an hour."""
        file = self.workspace / "postproof.toml"
        rest, _, _ = file.read_text(encoding="utf-8").partition("[looks]\n")
        lines = "".join(f"{name} = {value}\n" for name, value in times_s.items())
        file.write_text(f"{rest}[looks]\n{lines}", encoding="utf-8")

    def looks_soon(self) -> None:
        """Sets a schedule of looks within seconds."""
        self.looks(after_s=[1, 2, 3], gap_s_min=1, again_s=1, span_s_min=1, quarantine_s=0)

    def sign_in(self, handle: str) -> str:
        """Adds an account whose session a person has made before; returns its id."""
        person = self.x.person(handle)
        added = self.ok(
            *("account", "add", handle, "--user-id", person.user_id, "--spacing", "0")
        ).json()
        account_id: str = added["account_id"]
        profile = self.workspace / "profiles" / account_id
        profile.mkdir(parents=True, mode=0o700)
        session = {"cookies": person.account["cookies"], "origins": []}
        (profile / "session.json").write_text(json.dumps(session), encoding="utf-8")
        return account_id

    def prepare(self, handle: str, text: str, link: str | None = f"{BLOG}/essay") -> str:
        """Prepares one post; returns its job id."""
        words = [] if link is None else ["--link", link]
        done = self.ok("prepare", "--account", handle, "--text", text, *words)
        job_id: str = done.json()["job_id"]
        return job_id

    def run(self, *options: str) -> Done:
        """Runs the daemon until it is idle."""
        return self.command("run", "--until-idle", *options)

    def started(self, *options: str) -> subprocess.Popen[bytes]:
        """Starts the daemon and leaves it running."""
        log = (self.workspace / "daemon.log").open("ab")
        with log:
            return subprocess.Popen(
                self._words("run", "--until-idle", *options), stdout=log, stderr=log
            )

    def halted_at(self, point: str) -> subprocess.Popen[bytes]:
        """Starts the daemon and returns once it has stopped itself at that point."""
        daemon = self.started("--halt-at", point)
        _pid, status = os.waitpid(daemon.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status), (self.workspace / "daemon.log").read_text(encoding="utf-8")
        return daemon

    def show(self, job_id: str) -> Json:
        """Returns everything the ledger says of a job."""
        return self.ok("show", job_id).json()

    def until(self, condition: Callable[[], bool]) -> None:
        """Waits for a named condition of a process that runs beside us."""
        ended = time.monotonic() + COMMAND_S_MAX
        while not condition():
            assert time.monotonic() < ended, "it never came true"
            os.sched_yield()

    def ok(self, *words: str) -> Done:
        """Runs a command that must end well."""
        done = self.command(*words)
        assert done.exit_code == 0, f"{words}: {done.out}{done.err}"
        return done

    def command(self, *words: str) -> Done:
        """Runs a command with `--json`."""
        done = subprocess.run(
            self._words(*words, "--json"),
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_S_MAX,
        )
        return Done(exit_code=done.returncode, out=done.stdout, err=done.stderr)

    def _words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "agent.cli", *words, "--workspace", str(self.workspace)]


def killed(daemon: subprocess.Popen[bytes]) -> None:
    """Kills a daemon, stopped or not, and waits until it is gone."""
    daemon.send_signal(signal.SIGKILL)
    daemon.wait()


def is_alive(pid: int) -> bool:
    """Whether a process still runs; a dead one whose parent has not asked yet does not. Linux."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}


def children_of(pid: int) -> dict[int, str]:
    """Returns every descendant of a process with its command line. Linux only."""
    parents: dict[int, int] = {}
    lines: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it ended while we looked
        parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
        lines[int(entry.name)] = line
    found: dict[int, str] = {}
    while True:
        more = {
            child: lines[child]
            for child, parent in parents.items()
            if child not in found and (parent == pid or parent in found)
        }
        if not more:
            return found
        found |= more
