"""A simulated X in a process of its own, and what tests ask of its control API."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

STOP_TIMEOUT_S = 10
CONTROL_TIMEOUT_S = 10


@dataclass(frozen=True, kw_only=True)
class SimulatedX:
    """A running simulated X.

    Attributes:
        editor: which editor its composers use.
        chromium_flags: what makes a Chromium take it for x.com.
        control_port: port of the control API on the loopback.
        process: the server; its standard input keeps it alive.
    """

    editor: str
    chromium_flags: tuple[str, ...]
    control_port: int
    process: subprocess.Popen[str]

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        """Call the control API and return the decoded answer."""
        connection = HTTPConnection("127.0.0.1", self.control_port, timeout=CONTROL_TIMEOUT_S)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            content = answer.read().decode()
            assert answer.status < 400, f"{method} {path}: {answer.status} {content}"
            return json.loads(content) if content else None
        finally:
            connection.close()

    def fault(self, do: str, **parameters: object) -> None:
        """Put a fault in force."""
        self.ask("POST", "/faults", {"do": do, **parameters})

    def seed(self, author: str, **parameters: object) -> dict[str, Any]:
        """Seed a post; return what the server knows of it."""
        post: dict[str, Any] = self.ask("POST", "/posts", {"author": author, **parameters})
        return post

    def sent(self) -> list[dict[str, Any]]:
        """Return the posts accepted from the web client, oldest first."""
        posts: list[dict[str, Any]] = self.ask("GET", "/truth/posts?origin=web")
        return sorted(posts, key=lambda post: int(post["id"]))

    def requests(self, operation: str) -> list[dict[str, Any]]:
        """Return the requests of one operation."""
        found: list[dict[str, Any]] = self.ask("GET", f"/truth/requests?operation={operation}")
        return found


def start(editor: str) -> SimulatedX:
    """Start a simulated X whose composers use this editor."""
    process = subprocess.Popen(
        [sys.executable, "-m", "simx", "--until-stdin-closes", "--seed", "7", "--editor", editor],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    facts = json.loads(process.stdout.readline())
    return SimulatedX(
        editor=editor,
        chromium_flags=tuple(facts["chromium_flags"]),
        control_port=facts["control_port"],
        process=process,
    )


def stop(site: SimulatedX) -> None:
    """Let it end by closing what keeps it alive."""
    site.process.communicate(timeout=STOP_TIMEOUT_S)
