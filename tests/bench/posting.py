"""A warm post by the agent, beside a bare Playwright script on the same site in the same run."""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.async_api import async_playwright

from agent.channels.x_web import XWebChannel
from agent.cli.browsers import browser_settings
from agent.cli.workspace import opened_store, worker_name
from agent.domain.clock import SystemClock
from agent.domain.facts import Phase
from agent.store.door import Door
from agent.work.daemon import Daemon, Until
from agent.work.halt import Halt
from agent.work.lane import work_lane
from agent.work.means import Means
from browser.launch import FLAGS, VIEWPORT_HEIGHT_PX, VIEWPORT_WIDTH_PX, find_browser
from tests.bench.enqueue import preparation
from tests.bench.rows import Row, Sample, ratio_row
from tests.e2e.world import World
from tests.simx.clients import started

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from playwright.async_api import BrowserContext

    from agent.store.ledger import Store
    from tests.simx.clients import Person, RunningX

ROUNDS = 10
RATIO_GOAL_MAX = 1.3
DELAY_GOAL_MAX_MS = 3_000.0
AHEAD_S = 2.0


def post_warm() -> Iterator[Row]:
    """From a due job to confirmed, browser and profile warm, everything durable and kept."""
    with tempfile.TemporaryDirectory() as folder, started() as (_process, x):
        world = World.made(Path(folder) / "workspace", x)
        world.sign_in("agent_posts")
        ours, bare = asyncio.run(_in_turn(world, x.person("bare_posts")))
    yield ratio_row(
        "post_warm",
        ours,
        bare,
        goal_max=RATIO_GOAL_MAX,
        how=(
            "claim to confirmed with the gate, all evidence and durable writes, beside a bare "
            "Playwright script that visits the same pages (own profile, composer, permalink), "
            "posts, and takes none of it; both in warm full Chromium, in turn"
        ),
    )


def due_to_click() -> Iterator[Row]:
    """From the due time of a scheduled post to `clicked_at`, the daemon waiting for it."""
    with tempfile.TemporaryDirectory() as folder, started() as (_process, x):
        world = World.made(Path(folder) / "workspace", x)
        world.sign_in("agent_posts")
        delays = asyncio.run(_delays(world))
    sample = Sample(durations_ms=delays)
    yield Row(
        name="due_to_click",
        value=sample.median_ms,
        unit="ms",
        goal=f"<= {DELAY_GOAL_MAX_MS:g}",
        holds=sample.median_ms <= DELAY_GOAL_MAX_MS,
        how=f"scheduled posts of one account, profile warm after the first: {sample}",
    )


async def _in_turn(world: World, person: Person) -> tuple[Sample, Sample]:
    ours: list[float] = []
    bare: list[float] = []
    numbers = count()
    with opened_store(world.workspace) as store:
        async with _means(world, store) as means, _bare_context(world.x, person) as context:
            account = store.account("agent_posts")
            for number in (next(numbers) for _ in range(ROUNDS + 1)):
                store.prepare(preparation(account.id, number, due_at=datetime.now(UTC)))
                began = time.perf_counter()
                await work_lane(account.id, means, stopping=asyncio.Event(), posts_max=1, done={})
                ours.append((time.perf_counter() - began) * 1000)
                began = time.perf_counter()
                await _bare_post(context, person.account["handle"], f"Bare essay {number}")
                bare.append((time.perf_counter() - began) * 1000)
            confirmed = store.account_counts(account.id)
    assert {state.value for state in confirmed} == {"confirmed"}, confirmed
    return Sample(durations_ms=tuple(ours[1:])), Sample(durations_ms=tuple(bare[1:]))


async def _delays(world: World) -> tuple[float, ...]:
    with opened_store(world.workspace) as store:
        account = store.account("agent_posts")
        first = datetime.now(UTC) + timedelta(seconds=AHEAD_S)
        for number in range(ROUNDS):
            due_at = first + timedelta(seconds=number * 2 * AHEAD_S)
            store.prepare(preparation(account.id, number, due_at=due_at))
        async with _means(world, store) as means:
            daemon = Daemon(
                means=means, until=Until.IDLE, parallel_accounts_max=1, sweep_every_s=30.0
            )
            await daemon.run()
        return tuple(
            (attempt.phases[Phase.CLICKED] - job.due_at).total_seconds() * 1000
            for job in daemon.done.values()
            for attempt in store.show(job.id).attempts
        )


@asynccontextmanager
async def _means(world: World, store: Store) -> AsyncIterator[Means]:
    clock = SystemClock()
    settings = browser_settings(world.workspace, headed=False)
    channel = XWebChannel(settings, clock=clock)
    door = Door(store)
    try:
        yield Means(
            store=store,
            door=door,
            channel=channel,
            clock=clock,
            policy=store.policy,
            workspace=world.workspace,
            worker=worker_name(),
            rehearse=False,
            tell=lambda _line: None,
            halt=Halt(None),
        )
    finally:
        await channel.close()
        await door.close()


@asynccontextmanager
async def _bare_context(x: RunningX, person: Person) -> AsyncIterator[BrowserContext]:
    with tempfile.TemporaryDirectory() as folder:
        async with async_playwright() as playwright:
            context = await playwright.chromium.launch_persistent_context(
                folder,
                executable_path=find_browser(None),
                args=[*FLAGS, *x.facts["chromium_flags"]],
                viewport={"width": VIEWPORT_WIDTH_PX, "height": VIEWPORT_HEIGHT_PX},
                locale="en-US",
            )
            await context.add_cookies(person.account["cookies"])
            yield context
            await context.close()


async def _bare_post(context: BrowserContext, handle: str, text: str) -> None:
    """What a script of a few lines does, visiting the same pages."""
    page = await context.new_page()
    await page.goto(f"https://x.com/{handle}")
    await page.wait_for_selector("[data-testid=tweet], [data-testid=emptyState]")
    await page.goto("https://x.com/compose/post")
    dialog = page.locator("[role=dialog]:has([data-testid=tweetTextarea_0])").last
    link = f"https://blog.example.com/bare/{abs(hash(text))}"
    await dialog.locator("[data-testid=tweetTextarea_0]").fill(f"{text} {link}")
    async with page.expect_response("**/CreateTweet") as answer:
        await dialog.locator("[data-testid=tweetButton]").click()
    created = await (await answer.value).json()
    post_id = created["data"]["create_tweet"]["tweet_results"]["result"]["rest_id"]
    await page.goto(f"https://x.com/{handle}/status/{post_id}")
    await page.wait_for_selector("article [data-testid=tweetText]")
    await page.close()
