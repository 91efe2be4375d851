"""The gate's promise under kill -9: of the agent and of every process below it.

A real agent process opens a real Chromium through `open_profile`, holds a post at its gate, and
loses one process, or is told to stop. Afterwards everything is gone, and the site has not seen
the first byte of a post. `POSTPROOF_FAULTS=long` repeats each case.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.processes import are_gone, below, which
from tests.browser.recording_site import PIN_FLAG, recording_site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.browser.recording_site import RecordingSite

ROOT = Path(__file__).parents[2]
TRIALS = 20 if os.environ.get("POSTPROOF_FAULTS") == "long" else 1
HELD_WITHIN_S = 60.0

KILLS = [
    ("agent", signal.SIGKILL),
    ("agent", signal.SIGTERM),
    ("agent", signal.SIGINT),
    ("everybody", signal.SIGINT),
    ("driver", signal.SIGKILL),
    ("driver", signal.SIGTERM),
    ("browser", signal.SIGKILL),
    ("browser", signal.SIGTERM),
    ("renderer", signal.SIGKILL),
    ("network", signal.SIGKILL),
]


@pytest.fixture
async def site() -> AsyncIterator[RecordingSite]:
    """The recording site over HTTP/2, as x.com speaks it."""
    async with recording_site(protocols=("h2", "http/1.1")) as made:
        yield made


async def _held(site: RecordingSite, folder: Path, way: str) -> asyncio.subprocess.Process:
    """Starts an agent and waits until it holds a post."""
    order = {"folder": str(folder), "port": site.port, "pin_flag": PIN_FLAG, "way": way}
    agent = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.browser.held_agent",
        json.dumps(order),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    assert agent.stdout is not None
    async with asyncio.timeout(HELD_WITHIN_S):
        assert await agent.stdout.readline() == b"held\n"
    return agent


async def _over(site: RecordingSite, agent: asyncio.subprocess.Process, command: str) -> None:
    """Lets the agent end, and waits until it, its browser and its connections are gone."""
    family = [agent.pid, *below(agent.pid)]
    await agent.communicate(command.encode())
    await are_gone(family)
    await site.is_quiet()


@pytest.mark.parametrize("_trial", range(TRIALS))
@pytest.mark.parametrize("way", ["fetch", "keepalive"])
@pytest.mark.parametrize("kill", KILLS, ids=[f"{who}-{how.name}" for who, how in KILLS])
async def test_rows_15_16_a_kill_while_held_lets_nothing_out(
    site: RecordingSite, tmp_path: Path, kill: tuple[str, signal.Signals], way: str, _trial: int
) -> None:
    """Whichever process dies, and however, the post that waits is never sent."""
    agent = await _held(site, tmp_path / "profile", way)
    family = [agent.pid, *below(agent.pid)]
    whom, how = kill

    if whom == "everybody":
        os.killpg(agent.pid, how)
    else:
        os.kill(agent.pid if whom == "agent" else which(agent.pid, whom), how)
    await _over(site, agent, "\n")
    await are_gone(family)

    assert site.posts == []


@pytest.mark.parametrize("command", ["stop\n", "close\n", "page\n"], ids=["stop", "close", "page"])
@pytest.mark.parametrize("way", ["beacon", "keepalive"])
async def test_an_orderly_end_while_held_lets_nothing_out(
    site: RecordingSite, tmp_path: Path, command: str, way: str
) -> None:
    """Stopping Playwright and closing context or page are kills as well: nothing is sent."""
    agent = await _held(site, tmp_path / "profile", way)

    await _over(site, agent, command)

    assert site.posts == []


async def test_control_the_same_agent_posts_when_it_releases(
    site: RecordingSite, tmp_path: Path
) -> None:
    """The harness sees a post that does leave."""
    agent = await _held(site, tmp_path / "profile", "fetch")

    await _over(site, agent, "release\n")

    assert site.posts == ["/post"]
