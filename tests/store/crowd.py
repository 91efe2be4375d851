"""What the tests of several processes run in each of them."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent.domain.clock import SystemClock
from agent.domain.facts import PHASES, Phase, RequestSeen
from agent.domain.ids import TimeOrderedIds
from agent.domain.intent import IntentKey, article_of
from agent.domain.payload import freeze
from agent.store.errors import FenceLost, StoreError
from agent.store.ledger import Store
from agent.store.records import Preparation

if TYPE_CHECKING:
    from agent.store.records import Claim


def opened(path: Path) -> Store:
    """Open the store as a process of its own does."""
    clock = SystemClock()
    ids = TimeOrderedIds(clock=clock, entropy=secrets.token_bytes)
    return Store.open(path, clock=clock, ids=ids, draw=lambda: 0.5)


def prepare_once(path: Path, key: str | None) -> str:
    """Ask for the one post that all ask for; return the job's id or the kind of refusal."""
    with opened(path) as store:
        account = store.account("writer")
        payload = freeze(
            account_id=account.id, tier=account.tier, text="Hello", link="https://example.com/a"
        )
        intent = IntentKey(
            tenant=account.tenant,
            article=article_of(article=None, link=payload.link, text=payload.text),
            revision="1",
            channel="x_web",
            account_id=account.id,
            operation="announce",
        )
        asked = Preparation(
            intent=intent, payload=payload, key=key, slot=None, late_s_max=None, actor="crowd"
        )
        try:
            return store.prepare(asked).job_id
        except StoreError as error:
            return type(error).__name__


def claim_once(path: Path, worker: str) -> str | None:
    """Try to claim the writer's next job; return its id."""
    with opened(path) as store:
        claim = store.claim_next(store.account("writer").id, worker=worker)
        return claim.job.id if claim else None


def cancel_or_claim(path: Path, ref: str, verb: str) -> str:
    """Race one verb against the other; say what came of it."""
    with opened(path) as store:
        try:
            if verb == "cancel":
                return str(store.cancel(store.resolve(ref), actor="crowd").state)
            claim = store.claim_next(store.account("writer").id, worker="w")
            return str(claim.job.state) if claim else "nothing"
        except StoreError as error:
            return type(error).__name__


def worker(path: Path, phase: str) -> None:
    """Claim, carry the attempt to a phase, say so, wait for a line, then try to go on."""
    with opened(path) as store:
        claim = store.claim_next(store.account("writer").id, worker="worker")
        if claim is None:
            raise SystemExit("nothing to claim")
        carry(store, claim, Phase(phase))
        say(claim.ticket.attempt_id)
        sys.stdin.readline()
        try:
            store.released(claim.ticket, RequestSeen(operation="CreateTweet", body_sha256="ab"))
        except FenceLost:
            say("fence lost")
        else:
            say("released")


def say(line: str) -> None:
    """Tell the test that started this process."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def carry(store: Store, claim: Claim, phase: Phase) -> None:
    """Carry an attempt from its start to a phase."""
    for one in PHASES[: PHASES.index(phase) + 1]:
        if one is Phase.RELEASED:
            store.released(claim.ticket, RequestSeen(operation="CreateTweet", body_sha256="ab"))
        else:
            store.reached(claim.ticket, one)


if __name__ == "__main__":
    worker(Path(sys.argv[1]), sys.argv[2])
