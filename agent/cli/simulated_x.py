"""Starts the simulated X as a process of its own and speaks to its control port. For the demo.

It is reached as anybody's would be: a process, one line of JSON, HTTP on loopback.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ANSWER_S_MAX = 10.0


@dataclass(frozen=True, kw_only=True)
class SimulatedX:
    """A running simulated X: where it listens, and the flags that point a browser at it."""

    control_url: str
    hosts: dict[str, str]
    spki_sha256_base64: str

    def add_account(self, handle: str, name: str, password: str) -> None:
        """Makes an account there."""
        self._ask("POST", "/accounts", {"handle": handle, "name": name, "password": password})

    def fault(self, do: str, *, account: str, times: int) -> None:
        """Lets something go wrong there, for one account and so many times."""
        self._ask("POST", "/faults", {"do": do, "account": account, "times": times})

    def posts(self) -> list[dict[str, Any]]:
        """Returns every post it accepted: the ground truth."""
        answer = self._ask("GET", "/truth/posts")
        posts: list[dict[str, Any]] = answer["posts"] if isinstance(answer, dict) else answer
        return posts

    def settings(self) -> str:
        """Returns the lines of `postproof.toml` that point the agent at it."""
        hosts = "\n".join(f'"{host}" = "{place}"' for host, place in self.hosts.items())
        pin = f"--ignore-certificate-errors-spki-list={self.spki_sha256_base64}"
        return f'[browser]\nextra_args = ["{pin}"]\n\n[gate.hosts]\n{hosts}\n"*" = "refuse"\n'

    def _ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        request = Request(  # noqa: S310 - a loopback address that we started
            self.control_url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json"},
        )
        with urlopen(request, timeout=_ANSWER_S_MAX) as answer:  # noqa: S310 - as above
            return json.loads(answer.read() or b"null")


@contextmanager
def running(log: Path) -> Iterator[SimulatedX]:
    """Starts it, and ends it with the block; it also ends by itself when we die."""
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "simx", "--until-stdin-closes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    try:
        assert process.stdout is not None  # noqa: S101 - asked for above; for the type checker
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"The simulated X did not start; its last words are in {log}.")
        facts = json.loads(line)
        yield SimulatedX(
            control_url=facts["control_url"].rstrip("/"),
            hosts=facts["hosts"],
            spki_sha256_base64=facts["spki_sha256_base64"],
        )
    finally:
        process.terminate()
        process.communicate(timeout=_ANSWER_S_MAX)
