from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from agent.domain.clock import SystemClock
from agent.domain.facts import Phase
from agent.domain.moves import State
from agent.store.flock import DaemonLock, DaemonRunning
from tests.store import crowd
from tests.store.scene import begin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.pool import Pool
    from pathlib import Path

EIGHT = 8


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one account, closed."""
    scene = begin(tmp_path / "state.db")
    scene.store.close()
    return scene.path


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Eight processes of their own, none of which shares anything with this one."""
    with multiprocessing.get_context("spawn").Pool(EIGHT) as pool:
        yield pool


def test_rows_1_and_10_eight_processes_at_once_make_one_intent(path: Path, pool: Pool) -> None:
    """Rows 1 and 10: same key, same content, eight at once: one job, one id for all."""
    named = pool.starmap(crowd.prepare_once, [(path, "k")] * EIGHT, chunksize=1)
    derived = pool.starmap(crowd.prepare_once, [(path, None)] * EIGHT, chunksize=1)
    claimed = pool.starmap(crowd.claim_once, [(path, f"w{n}") for n in range(EIGHT)], 1)

    assert len(set(named)) == 1
    assert set(derived) == {"IntentConflict"}
    assert [job for job in claimed if job is not None] == [named[0]]


def test_row_27_a_cancel_and_a_claim_at_once_end_as_one_of_them(path: Path, pool: Pool) -> None:
    """Row 27: exactly one of cancelled, sending, also between processes."""
    job_id = crowd.prepare_once(path, "k")

    verbs = ["cancel", "claim"] * (EIGHT // 2)
    said = pool.starmap(crowd.cancel_or_claim, [(path, job_id, verb) for verb in verbs], 1)

    with crowd.opened(path) as store:
        state = store.show(store.resolve(job_id)).job.state
    assert state in {State.CANCELLED, State.SENDING}
    assert ("sending" in said) == (state is State.SENDING)
    assert ("cancelled" in said) == (state is State.CANCELLED)


@contextmanager
def working(path: Path, phase: Phase) -> Iterator[subprocess.Popen[str]]:
    """A worker in a process of its own that has come to a phase and waits there."""
    command = [sys.executable, "-m", "tests.store.crowd", str(path), phase]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("att_")
        yield process
        process.kill()


KILLED = {
    Phase.OPENED: State.PREPARED,
    Phase.CLICKED: State.PREPARED,
    Phase.RELEASED: State.UNKNOWN,
}


@pytest.mark.parametrize(("phase", "state"), KILLED.items(), ids=KILLED)
def test_rows_4_and_5_a_killed_worker_leaves_an_honest_state(
    path: Path, phase: Phase, state: State
) -> None:
    """Rows 4 and 5: killed before the release: claimed again; after it: unknown."""
    job_id = crowd.prepare_once(path, "k")
    with working(path, phase) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()

    with crowd.opened(path) as store:
        store.sweep(live_leases_too=True)

        assert store.show(store.resolve(job_id)).job.state is state
        assert store.verify_audit().is_whole


def test_row_6_a_stopped_worker_that_wakes_up_releases_nothing(path: Path) -> None:
    """Row 6: stopped, taken over, woken: its release is refused; the job is claimed anew."""
    job_id = crowd.prepare_once(path, "k")
    with working(path, Phase.CLICKED) as process, crowd.opened(path) as store:
        process.send_signal(signal.SIGSTOP)
        store.sweep(live_leases_too=True)
        process.send_signal(signal.SIGCONT)
        said, _ = process.communicate("go on\n")

        assert said == "fence lost\n"
        assert store.show(store.resolve(job_id)).job.state is State.PREPARED


def test_row_68_the_second_daemon_refuses_and_names_the_first(tmp_path: Path) -> None:
    """Row 68: two daemons on one database: the second says who works there."""
    clock = SystemClock()
    lock = tmp_path / "state.lock"

    with (
        DaemonLock(lock, worker="first", clock=clock),
        pytest.raises(DaemonRunning, match=r"first \(pid \d+ on "),
        DaemonLock(lock, worker="second", clock=clock),
    ):
        pass

    with DaemonLock(lock, worker="third", clock=clock):
        assert "third" in lock.read_text()
