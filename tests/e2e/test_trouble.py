"""Trouble of account, answer and machine: what the writer is told, and what is kept."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.e2e.world import IS_LONG, killed

if TYPE_CHECKING:
    from tests.e2e.world import World

ALL_LOST_ANSWERS = {
    "reset after store": ("reset_after_store", 1),
    "goaway after store": ("goaway_after_store", 1),
    "error 500 after store": ("error_500_after_store", 1),
    "error 500 before store": ("error_500_before_store", 0),
    "empty result, stored": ("empty_result_stored", 1),
    "empty result, not stored": ("empty_result_not_stored", 0),
}
LOST_ANSWERS = (
    tuple(ALL_LOST_ANSWERS)
    if IS_LONG
    else ("reset after store", "goaway after store", "empty result, not stored")
)
ACCOUNT_TROUBLE = {"signed_out": "signed_out", "lock_page": "locked", "wrong_account": None}


@pytest.mark.parametrize("case", LOST_ANSWERS)
def test_rows_7_33_34_35_an_answer_that_says_nothing_leaves_unknown_and_one_post(
    world: World, case: str
) -> None:
    """Also with X's own check for duplicates off, no second post is stored; exit 4."""
    fault, stored = ALL_LOST_ANSWERS[case]
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", f"After {case}.")
    world.x.fault("no_duplicate_check")
    world.x.fault(fault, on="CreateTweet", times=1)

    done = world.run()
    again = world.run()

    assert (done.exit_code, world.show(job_id)["state"]) == (4, "unknown")
    assert again.json()["jobs"] == []
    assert stored == len(world.x.truth(origin="web"))


@pytest.mark.parametrize("fault", ACCOUNT_TROUBLE)
def test_row_19_trouble_of_the_account_stops_before_the_click_and_names_the_next_step(
    world: World, fault: str
) -> None:
    """Nothing is clicked, the account is held, and the message says what a person does."""
    world.sign_in("ada_writes")
    world.x.person("somebody_else")
    job_id = world.prepare("ada_writes", f"Into {fault}.")
    world.x.fault(fault, account="ada_writes")

    done = world.run()

    (account,) = world.ok("account", "list").json()
    assert done.exit_code == 8
    assert world.show(job_id)["state"] == "prepared"
    assert "postproof account" in account["breakers"][0]["next_step"]
    assert world.x.posting_requests() == []


def test_an_explicit_refusal_is_not_sent_and_says_so(world: World) -> None:
    """Row 39: X says that the text is too long for it; proven, permanent, exit 6."""
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", "Refused.")
    world.x.fault("graphql_error", on="CreateTweet", code=186, times=1)

    done = world.run()

    job = world.show(job_id)
    assert (done.exit_code, job["state"], job["code"]) == (6, "not_sent", "x_186")
    assert job["attempts"][0]["proof"] == "refused_by_x"


def test_a_post_made_by_hand_before_is_never_sent_over(world: World) -> None:
    """The baseline shows our link in a post no job owns: unknown, code already_there."""
    world.sign_in("ada_writes")
    link = "https://blog.example.com/by-hand"
    world.x.control("POST", "/posts", {"author": "ada_writes", "text": f"By hand {link}"})
    job_id = world.prepare("ada_writes", "By the program.", link)

    done = world.command("run", "--once")

    job = world.show(job_id)
    assert (done.exit_code, job["state"], job["code"]) == (4, "unknown", "already_there")
    assert world.x.posting_requests() == []


def test_row_24_a_fence_lost_before_the_release_throws_the_request_away(world: World) -> None:
    """Another holder took the lane over while the request was held: nothing leaves."""
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", "Fenced off.")
    daemon = world.halted_at("held")
    with closing(sqlite3.connect(world.workspace / "state.db")) as ledger, ledger:
        ledger.execute("UPDATE lane SET epoch = epoch + 1")

    daemon.send_signal(signal.SIGCONT)
    daemon.wait(timeout=100)

    assert world.x.truth(origin="web") == []
    assert not any(request["whole"] for request in world.x.posting_requests())
    assert world.show(job_id)["attempts"][0]["released_at"] is None


def test_row_25_a_store_that_cannot_write_at_the_release_throws_the_request_away(
    world: World,
) -> None:
    """Locked for longer than the store waits: not released, proven, and tried again later."""
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", "Locked out.")
    daemon = world.halted_at("held")
    ledger = sqlite3.connect(world.workspace / "state.db", isolation_level=None)
    ledger.execute("BEGIN IMMEDIATE")

    daemon.send_signal(signal.SIGCONT)
    refused = world.x.posting_requests
    log = world.workspace / "daemon.log"
    world.until(lambda: "busy" in log.read_text(encoding="utf-8"))
    ledger.execute("ROLLBACK")
    ledger.close()
    daemon.wait(timeout=100)
    world.run()

    assert len(refused()) == 1
    assert world.show(job_id)["state"] == "confirmed"
    assert len(world.x.truth(origin="web")) == 1


def test_row_67_sigterm_lets_the_attempt_finish_and_a_second_one_leaves_at_once(
    world: World,
) -> None:
    """One: the post under way is confirmed, nothing further is claimed. Two: an honest state."""
    world.sign_in("ada_writes")
    first = world.prepare("ada_writes", "Finishes.")
    second = world.prepare("ada_writes", "Waits.", "https://blog.example.com/waits")
    daemon = world.halted_at("composed")
    daemon.send_signal(signal.SIGTERM)
    daemon.send_signal(signal.SIGCONT)
    assert daemon.wait(timeout=100) == 0
    assert [world.show(job)["state"] for job in (first, second)] == ["confirmed", "prepared"]

    daemon = world.halted_at("held")
    daemon.send_signal(signal.SIGTERM)
    daemon.send_signal(signal.SIGCONT)
    killed(daemon)
    world.run()

    assert world.show(second)["state"] in {"confirmed", "unknown"}
    assert len(world.x.truth(origin="web")) <= 2


def test_row_68_a_second_daemon_is_refused_and_told_which_is_the_first(world: World) -> None:
    """Two daemons on one store: the second ends with exit 7 and the first one's name."""
    world.sign_in("ada_writes")
    world.prepare("ada_writes", "Held by the first.")
    daemon = world.halted_at("opened")

    second = world.run()

    assert second.exit_code == 7
    assert str(daemon.pid) in second.err
    killed(daemon)
