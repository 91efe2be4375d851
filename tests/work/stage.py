"""The stage of the tests of work: a real store on a held clock, and a channel with a script.

No browser. What a look or a page shows is written down by the test; what was asked is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agent.channels.channel import Delivery, PageSight, Sight, Trouble
from agent.domain.facts import AnswerSeen, AttemptFacts, Phase
from agent.domain.ids import PostId, UserId
from agent.domain.matching.terms import SeenLink, SeenPost
from agent.domain.snowflake import floor_id
from agent.store.door import Door
from agent.work.halt import Halt
from agent.work.means import Means
from tests.store.scene import REQUEST, UNKNOWN, Scene

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent.channels.channel import Journal, LookOrder, Order, ReadOrder
    from agent.domain.ids import JobId
    from agent.store.records import JobRecord

TEXT = "On lost answers, and what they cost a writer"
LINK = "https://blog.example.com/essay"
OLD_ID = PostId(str((1 << 22) * 200_000_000_000))  # far before any window
NEW_ID = PostId(str((1 << 22) * 900_000_000_000))  # far behind any window
UNSEEN = Sight(
    trouble=None,
    posts=(),
    has_reached_start=True,
    has_reached_end=True,
    reached_id=OLD_ID,
    page_loads=1,
    facts={},
    captures=(),
)


@dataclass(kw_only=True)
class ScriptedChannel:
    """Shows what the script says, and keeps what was asked, in order."""

    sights: list[Sight] = field(default_factory=list)
    pages: dict[PostId, PageSight] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    orders: list[LookOrder] = field(default_factory=list)
    before: Callable[[], object] = lambda: None

    async def deliver(self, order: Order, journal: Journal) -> Delivery:
        """Ends before anything was done."""
        self.asked.append("deliver")
        await journal.reached(Phase.OPENED)
        answer: AnswerSeen | None = None
        facts = AttemptFacts(
            expected=order.expected,
            phase=Phase.OPENED,
            stop_code="offline",
            stop_detail="as the script says",
            answer=answer,
            toast=None,
            read_back=None,
        )
        return Delivery(facts=facts, captures=())

    async def look(self, order: LookOrder) -> Sight:
        """Shows the next sight of the script; the last one again and again."""
        self.asked.append("look")
        self.orders.append(order)
        self.before()
        return self.sights.pop(0) if len(self.sights) > 1 else self.sights[0]

    async def read(self, order: ReadOrder) -> PageSight:
        """Shows the page of the script."""
        self.asked.append(f"read {order.post_id}")
        return self.pages[order.post_id]

    async def rest(self) -> None:
        """Has nothing open."""

    async def close(self) -> None:
        """As above."""


@dataclass(kw_only=True)
class Stage:
    """A store, a script, and the means that hold both."""

    scene: Scene
    channel: ScriptedChannel
    means: Means

    def doubted(
        self, text: str = TEXT, link: str | None = LINK, *, baseline_id: str = OLD_ID
    ) -> JobId:
        """A job whose post was released and whose answer was lost; its first look is due."""
        job_id = self.scene.prepare(text, link=link).job_id
        ticket = self.scene.claim().ticket
        store = self.means.store
        for phase in (Phase.OPENED, Phase.SIGNED_IN):
            store.reached(ticket, phase)
        store.record_baseline(ticket, newest_id=PostId(baseline_id), post_ids=())
        for phase in (Phase.COMPOSED, Phase.ARMED, Phase.CLICKED):
            store.reached(ticket, phase)
        store.released(ticket, REQUEST)
        store.finish(ticket, UNKNOWN, facts=None)
        self.scene.clock.forward(60)
        return job_id

    def shows(self, *posts: SeenPost, **changes: Any) -> None:  # noqa: ANN401 - any part of a sight
        """The profile shows these posts, and each one's own page shows it as well."""
        self.channel.sights = [replace(UNSEEN, posts=posts, **changes)]
        for post in posts:
            if post.id is not None:
                self.channel.pages[post.id] = page_of(post)

    def in_trouble(self, code: str, breaker: Any = None) -> None:  # noqa: ANN401 - a breaker's kind
        """The profile cannot be read."""
        trouble = Trouble(code=code, detail="as the script says", breaker=breaker)
        self.channel.sights = [replace(UNSEEN, trouble=trouble, has_reached_start=False)]

    def ours(self, **changes: Any) -> SeenPost:  # noqa: ANN401 - any part of a post
        """The post as the profile shows it when it went out a moment after the click."""
        made_at = self.scene.clock.now() - timedelta(seconds=59)
        made = post_of(floor_id(made_at))
        return replace(made, **changes)

    def job(self, job_id: JobId) -> JobRecord:
        """The job as it is now."""
        return self.scene.job(job_id)


def post_of(post_id: PostId, text: str = TEXT, link: str = LINK) -> SeenPost:
    """A post of the account, as an answer has it."""
    return SeenPost(
        id=post_id,
        author_id=UserId("42"),
        author_handle="Writer",
        source="answer",
        kind="post",
        text=f"{text} https://t.co/abcdefghij",
        links=(SeenLink(shown="blog", href="https://t.co/abcdefghij", expanded=link),),
        card_domain=None,
        pinned=False,
        truncated=False,
        edited=False,
        media_count=0,
    )


def page_of(post: SeenPost | None, *, gone: str | None = None) -> PageSight:
    """A post's own page."""
    return PageSight(post=post, gone=gone, trouble=None, captures=())


def stage_on(scene: Scene, workspace: Path) -> Stage:
    """Sets the stage."""
    channel = ScriptedChannel()
    means = Means(
        store=scene.store,
        door=Door(scene.store),
        channel=channel,
        clock=scene.clock,
        policy=scene.store.policy,
        workspace=workspace,
        worker="ann's laptop",
        rehearse=False,
        tell=lambda _line: None,
        halt=Halt(None),
    )
    return Stage(scene=scene, channel=channel, means=means)
