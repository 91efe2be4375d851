"""The main job: a post goes from prepared to confirmed, with proof."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e.world import World


def test_a_prepared_post_is_confirmed_with_its_permalink_and_evidence(world: World) -> None:
    """The ledger, the evidence and the simulated X agree on one post."""
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", "On lost answers, and what they cost.")

    done = world.run()

    job = world.show(job_id)
    (post,) = world.x.truth(origin="web")
    assert done.exit_code == 0
    assert job["state"] == "confirmed"
    assert job["permalink"] == f"https://x.com/ada_writes/status/{post['id']}"
    assert post["text"] == job["segments"][0]["text"]
    kinds = {each["kind"] for each in job["evidence"] if each["path"]}
    assert {"composer", "answer", "permalink"} <= kinds
    assert world.ok("evidence", "verify", job_id).json()["is_whole"]
    assert world.ok("audit", "verify").json()["is_whole"]


def test_asking_again_replays_the_confirmed_job(world: World) -> None:
    """Row 3: a caller that lost the answer gets the stored result, with the state as it is now."""
    world.sign_in("ada_writes")
    first = world.prepare("ada_writes", "Said once.")
    world.run()

    again = world.ok(
        *("prepare", "--account", "ada_writes", "--text", "Said once."),
        *("--link", "https://blog.example.com/essay"),
    ).json()

    assert (first, "confirmed", True) == (again["job_id"], again["state"], again["replayed"])
    assert len(world.x.truth(origin="web")) == 1


def test_every_phase_is_durable_before_the_next(world: World) -> None:
    """The times of the phases in the ledger follow each other, the release before the post."""
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", "In order.")
    world.run()

    phases = world.show(job_id)["attempts"][0]["phases"]

    assert list(phases) == [
        *("opened", "signed_in", "composed", "armed", "clicked"),
        *("released", "acknowledged", "permalink"),
    ]
    assert list(phases.values()) == sorted(phases.values())


def test_a_rehearsal_does_everything_up_to_the_gate_and_sends_nothing(world: World) -> None:
    """`--rehearse` leaves the job prepared and X without a posting request."""
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", "Only rehearsed.")

    done = world.command("run", "--once", "--rehearse")

    assert done.exit_code == 0
    assert world.show(job_id)["state"] == "prepared"
    assert "armed" in world.show(job_id)["attempts"][0]["phases"]
    assert world.x.posting_requests() == []


def test_the_secrets_of_the_session_stay_in_the_profile(world: World) -> None:
    """No cookie's value stands in the store, the evidence or the log of a whole run."""
    account_id = world.sign_in("ada_writes")
    session = world.workspace / "profiles" / account_id / "session.json"
    cookies = json.loads(session.read_text(encoding="utf-8"))["cookies"]
    world.prepare("ada_writes", "Nothing to see.")
    world.ok("run", "--until-idle")
    with sqlite3.connect(world.workspace / "state.db") as ledger:
        dump = "\n".join(ledger.iterdump())
    ledger.close()

    secrets = [each["value"] for each in cookies if each["name"] in {"auth_token", "ct0"}]
    files = [path for path in (world.workspace / "evidence").rglob("*") if path.is_file()]

    assert len(secrets) == 2
    leaks = [path for path in files if any(s.encode() in path.read_bytes() for s in secrets)]
    assert leaks == []
    assert not any(secret in dump for secret in secrets)
