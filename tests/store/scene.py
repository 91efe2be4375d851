"""The stage of the store's tests: a store on a held clock, an account, and a worker's steps.

The tests ask the store through this and nothing else, so that they run on any engine.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from agent.domain.facts import PHASES, Phase, RequestSeen
from agent.domain.ids import PostId, TimeOrderedIds, UserId
from agent.domain.intent import IntentKey, article_of
from agent.domain.outcome import NotSent, NotSentProof, Sent, Unknown
from agent.domain.payload import freeze
from agent.domain.policy import DEFAULT_POLICY, Policy
from agent.domain.schedule import Slot
from agent.domain.text import Tier
from agent.store.ledger import Store
from agent.store.records import Preparation

if TYPE_CHECKING:
    from pathlib import Path

    from agent.domain.ids import JobId
    from agent.store.records import AccountRecord, Claim, JobRecord, JobTree, Prepared, Ticket

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
REQUEST = RequestSeen(operation="CreateTweet", body_sha256="ab" * 32)


class HeldClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now

    def now(self) -> datetime:
        """Return the held instant."""
        return self._now

    def forward(self, seconds: float) -> None:
        """Move the clock, forward or back."""
        self._now += timedelta(seconds=seconds)


@dataclass(kw_only=True)
class Scene:
    """A store with one account; `writer` is its record."""

    path: Path
    clock: HeldClock
    store: Store
    writer: AccountRecord

    def asking(self, text: str = "Hello", link: str | None = None, **changes: Any) -> Preparation:  # noqa: ANN401 - any part of a request
        """Return a request to post, with changes to its intent or to itself."""
        account = changes.pop("account", self.writer)
        payload = freeze(account_id=account.id, tier=account.tier, text=text, link=link)
        intent = IntentKey(
            tenant=account.tenant,
            article=article_of(article=None, link=payload.link, text=payload.text),
            revision="1",
            channel="x_web",
            account_id=account.id,
            operation="announce",
        )
        parts = {name: changes.pop(name) for name in ("article", "revision") if name in changes}
        asked: dict[str, Any] = {"key": None, "slot": None, "late_s_max": None, "actor": "ann"}
        intent = replace(intent, **parts)
        return Preparation(intent=intent, payload=payload, **(asked | changes))

    def prepare(self, text: str = "Hello", **changes: Any) -> Prepared:  # noqa: ANN401 - as above
        """Prepare a post."""
        return self.store.prepare(self.asking(text, **changes))

    def due_in(self, seconds: float) -> Slot:
        """Return the slot that many seconds from now."""
        due_at = self.clock.now() + timedelta(seconds=seconds)
        return Slot(due_at=due_at, zone="UTC", wall=due_at.isoformat())

    def claim(self, worker: str = "ann's laptop") -> Claim:
        """Claim what must be there to claim."""
        claim = self.store.claim_next(self.writer.id, worker=worker)
        assert claim is not None
        return claim

    def claimed_at(self, phase: Phase) -> Ticket:
        """Prepare a post, claim it, and carry the attempt to a phase."""
        self.prepare()
        ticket = self.claim().ticket
        self.carry(ticket, phase)
        return ticket

    def carry(self, ticket: Ticket, phase: Phase) -> None:
        """Carry an attempt from its start to a phase."""
        for one in PHASES[: PHASES.index(phase) + 1]:
            if one is Phase.RELEASED:
                self.store.released(ticket, REQUEST)
            else:
                self.store.reached(ticket, one)

    def job(self, job_id: JobId) -> JobRecord:
        """Return a job as it is now."""
        return self.show(job_id).job

    def show(self, job_id: JobId) -> JobTree:
        """Return everything known about a job."""
        return self.store.show(job_id)

    def reopened(self) -> Store:
        """Return another store on the same database, as another process would."""
        return open_store(self.path, self.clock)

    def tamper(self, *statements: str) -> None:
        """Change the database behind the store's back, with its triggers out of the way."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in rows.fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                connection.execute(statement)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Read the database directly."""
        with closing(sqlite3.connect(self.path)) as connection:
            return connection.execute(statement).fetchall()


def open_store(path: Path, clock: HeldClock, policy: Policy = DEFAULT_POLICY) -> Store:
    """Open a store whose jitter is always half of its bound."""
    ids = TimeOrderedIds(clock=clock, entropy=secrets.token_bytes)
    return Store.open(path, clock=clock, ids=ids, draw=lambda: 0.5, policy=policy)


def begin(path: Path) -> Scene:
    """Make a database and set the stage on it."""
    clock = HeldClock()
    Store.create(path)
    store = open_store(path, clock)
    writer = store.add_account(
        handle="Writer", tier=Tier.BASIC, actor="ann", user_id=UserId("42"), spacing_s=0
    )
    return Scene(path=path, clock=clock, store=store, writer=writer)


def sent(post_id: str = "2000000000000000001", *, is_read_back: bool = True) -> Sent:
    """Return an outcome: it is out."""
    permalink = f"https://x.com/Writer/status/{post_id}"
    return Sent(post_id=PostId(post_id), permalink=permalink, is_read_back=is_read_back)


def not_sent(code: str = "offline", **changes: Any) -> NotSent:  # noqa: ANN401 - any field
    """Return an outcome: proven not out, since it was never released; another try may help."""
    said: dict[str, Any] = {
        "proof": NotSentProof.NOT_RELEASED,
        "code": code,
        "detail": "seen in a test",
        "is_retryable": True,
        "is_counted": True,
        "breaker": None,
    }
    return NotSent(**(said | changes))


UNKNOWN = Unknown(code="no_answer", detail="no answer was seen", breaker=None)
