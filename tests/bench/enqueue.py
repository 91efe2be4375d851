"""Preparing a post, beside one bare INSERT and COMMIT under the same settings of SQLite."""

from __future__ import annotations

import random
import secrets
import sqlite3
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from agent.domain.clock import SystemClock
from agent.domain.ids import TimeOrderedIds
from agent.domain.intent import IntentKey
from agent.domain.payload import freeze
from agent.domain.schedule import slot_now
from agent.domain.text import Tier
from agent.store.ledger import TENANT, Store
from agent.store.records import Preparation
from tests.bench.rows import interleaved, ratio_row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from agent.domain.ids import AccountId
    from tests.bench.rows import Row

ROUNDS = 300
GOAL_MAX = 10.0


def enqueue() -> Iterator[Row]:
    """Both commits are durable (WAL, FULL)."""
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare(Path(folder) / "bare.db")
        Store.create(Path(folder) / "w" / "state.db")
        clock = SystemClock()
        ids = TimeOrderedIds(clock=clock, entropy=secrets.token_bytes)
        place = Path(folder) / "w" / "state.db"
        with Store.open(place, clock=clock, ids=ids, draw=random.random) as store:
            account = store.add_account(handle="bench", tier=Tier.BASIC, actor="bench")
            numbers = count()
            ours, floor = interleaved(
                lambda: store.prepare(preparation(account.id, next(numbers), due_at=clock.now())),
                lambda: bare.execute("INSERT INTO post (text) VALUES (?)", ("x" * 200,)),
                rounds=ROUNDS,
            )
        bare.close()
    rate = f"{1000 / ours.median_ms:.0f} a second beside {1000 / floor.median_ms:.0f}"
    yield ratio_row(
        "enqueue",
        ours,
        floor,
        goal_max=GOAL_MAX,
        how=f"intent, job, segment, audit event and outbox row in one commit, beside one bare "
        f"INSERT+COMMIT, in turn, {rate}",
    )


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE post (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    return connection


def preparation(account_id: AccountId, number: int, *, due_at: datetime) -> Preparation:
    """Asks for one announcement, numbered, so that each is another article."""
    link = f"https://blog.example.com/{number}"
    payload = freeze(account_id=account_id, tier=Tier.BASIC, text=f"Essay {number}.", link=link)
    return Preparation(
        intent=IntentKey(
            tenant=TENANT,
            article=link,
            revision="1",
            channel="x_web",
            account_id=account_id,
            operation="announce",
        ),
        payload=payload,
        key=None,
        slot=slot_now(due_at),
        late_s_max=None,
        actor="bench",
    )
