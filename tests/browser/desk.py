"""A desk for the sending tests: one warm browser on the simulated X, a new account for each test.

The profile is opened again whenever a test has used it up. `Recorder` is a journal that keeps what
it was told and does, at a named step, what a test asks for.
"""

from __future__ import annotations

import asyncio
import itertools
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from browser.facts import Identity, Order
from browser.launch import BrowserSettings, open_profile
from browser.policy import BrowserPolicy
from browser.send import send

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from playwright.async_api import Page

    from browser.facts import Baseline, Phase, RequestFacts, SendReport
    from browser.profile import Profile
    from tests.simx.clients import Person, RunningX

TEXT = "On lost answers, and what they cost. https://blog.example.org/essay"
NUMBERS = itertools.count(1)
QUICK = BrowserPolicy(answer_ms=20_000)


@dataclass(kw_only=True)
class Recorder:
    """A journal in memory; `at` maps a step's name to what is to happen there."""

    at: dict[str, Callable[[], Awaitable[None]]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    baselines: list[Baseline] = field(default_factory=list)
    requests: list[RequestFacts] = field(default_factory=list)

    async def reached(self, phase: Phase) -> None:
        """Keeps a phase."""
        await self._step(phase.value)

    async def baseline(self, baseline: Baseline) -> None:
        """Keeps the baseline."""
        self.baselines.append(baseline)
        await self._step("baseline")

    async def clicked(self) -> None:
        """Keeps the click."""
        await self._step("clicked")

    async def held(self, request: RequestFacts) -> None:
        """Does what the test wants done while the request waits; not a step that is kept."""
        assert request.text
        if "held" in self.at:
            await self.at["held"]()

    async def released(self, request: RequestFacts) -> None:
        """Keeps the request."""
        self.requests.append(request)
        await self._step("released")

    async def _step(self, name: str) -> None:
        self.told.append(name)
        if name in self.at:
            await self.at[name]()


class Desk:
    """See the head of this module."""

    def __init__(self, *, x: RunningX, folder: Path) -> None:
        self.x = x
        self.settings = BrowserSettings(
            is_headed=False,
            extra_args=(f"--ignore-certificate-errors-spki-list={x.facts['spki_sha256_base64']}",),
            host_map={**x.facts["hosts"], "*": "refuse"},
        )
        self._folder = folder
        self._stack = AsyncExitStack()
        self._profile: Profile | None = None

    def person(self, **wishes: object) -> Person:
        """A new account."""
        return self.x.person(f"writer_{next(NUMBERS)}", **wishes)

    async def profile(self, person: Person) -> Profile:
        """The warm profile, with this person signed in."""
        if self._profile is None or not self._profile.is_usable:
            await self.close()
            self._profile = await self._stack.enter_async_context(
                open_profile(folder=self._folder / "profile", settings=self.settings)
            )
        self._profile.policy = QUICK
        await self._profile._context.clear_cookies()
        await self._profile._context.add_cookies(list(person.account["cookies"]))
        return self._profile

    async def send(
        self,
        person: Person,
        *,
        text: str = TEXT,
        journal: Recorder | None = None,
        is_rehearsal: bool = False,
        folder: Path | None = None,
        bounds: Mapping[str, float] | None = None,
    ) -> SendReport:
        """One attempt of this person's; `bounds` are those of the policy that differ."""
        profile = await self.profile(person)
        profile.policy = replace(QUICK, **(bounds or {}))
        return await send(
            profile,
            order=Order(identity=identity(person), text=text, rehearse=is_rehearsal),
            journal=journal or Recorder(),
            folder=folder or self._folder / "evidence" / str(person.account["handle"]),
            clock=lambda: datetime.now(UTC),
        )

    @property
    def page(self) -> Page:
        """The page that an attempt is working in, for a test to meddle with."""
        assert self._profile is not None
        return self._profile._context.pages[-1]

    async def crash(self) -> None:
        """Kills the renderer of that page."""
        session = await self.page.context.new_cdp_session(self.page)
        crash = asyncio.ensure_future(session.send("Page.crash"))
        await self.page.wait_for_event("crash")
        crash.cancel()

    def truth(self, person: Person) -> list[str]:
        """The texts that the site has accepted from this person."""
        posts = self.x.truth(author=str(person.account["handle"]), origin="web")
        return [str(post["text"]) for post in posts]

    async def close(self) -> None:
        """Closes the browser."""
        await self._stack.aclose()
        self._profile = None


def identity(person: Person) -> Identity:
    """The identity of an account of the simulation."""
    return Identity(user_id=person.user_id, handle=str(person.account["handle"]))
