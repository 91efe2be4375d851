"""The channel through X's website: where the ledger's words meet the browser's.

It opens each account's profile when there is work and keeps it warm for a while, hands the order
to `browser.send`, passes each phase on to the journal, turns the report into the ledger's facts,
and lends the profile for looks and readings (`x_web_reading`). It judges nothing and retries
nothing.
"""

from __future__ import annotations

import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent.channels import x_web_facts as words
from agent.channels.channel import AttemptStopped, Delivery, PageSight, Sight
from agent.channels.x_web_reading import look_in, read_in, trouble_of_stop
from agent.domain.facts import Phase
from browser.errors import BrowserMissing, Stopped
from browser.facts import Identity, Order, StopCode
from browser.launch import BrowserSettings, find_browser, open_profile
from browser.policy import BrowserPolicy
from browser.send import send

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from agent.channels import channel
    from agent.domain.clock import Clock
    from agent.domain.ids import AccountId
    from browser import facts as seen
    from browser.profile import Profile

__all__ = ["BrowserMissing", "Stopped", "XWebChannel", "XWebSettings"]


@dataclass(frozen=True, kw_only=True)
class XWebSettings:
    """How this channel's browsers are started, and where the accounts' profiles lie."""

    profiles_root: Path
    executable: Path | None
    extra_args: tuple[str, ...]
    locale: str
    idle_close_s: float
    host_map: Mapping[str, str]
    is_headed: bool
    slow_mo_ms: int
    is_paused: bool
    is_traced: bool
    video_folder: Path | None
    bounds: BrowserPolicy = field(default_factory=BrowserPolicy)

    def browser(self) -> BrowserSettings:
        """Returns the browser package's own settings."""
        return BrowserSettings(
            executable=self.executable,
            extra_args=self.extra_args,
            host_map=self.host_map,
            locale=self.locale,
            is_headed=self.is_headed,
            slow_mo_ms=self.slow_mo_ms,
            is_paused=self.is_paused,
            is_traced=self.is_traced,
            video_folder=self.video_folder,
        )

    def folder_of(self, account_id: AccountId) -> Path:
        """Returns the folder of an account's profile; the id stays when a handle changes."""
        return self.profiles_root / account_id


@dataclass(frozen=True, kw_only=True)
class _Open:
    """An open profile, and since when it has been idle (monotonic seconds)."""

    profile: Profile
    stack: AsyncExitStack
    idle_since_s: float


@dataclass(kw_only=True)
class _Held:
    """A profile while it is lent; whoever has it says whether it served well."""

    profile: Profile
    is_good: bool = False


class XWebChannel:
    """Delivers through x.com; see `Channel` for the contract."""

    def __init__(self, settings: XWebSettings, *, clock: Clock) -> None:
        """Opens nothing yet.

        Raises:
            BrowserMissing: No browser can be found on this machine.
        """
        find_browser(settings.executable)
        self._settings = settings
        self._clock = clock
        self._idle: dict[AccountId, _Open] = {}

    async def deliver(self, order: channel.Order, journal: channel.Journal) -> Delivery:
        """Makes one attempt in the account's own profile."""
        expected = order.expected
        try:
            async with self._profile_of(order.account_id) as held:
                report = await send(
                    held.profile,
                    order=Order(
                        identity=Identity(user_id=expected.user_id, handle=expected.handle),
                        text=expected.text,
                        rehearse=order.rehearse,
                    ),
                    journal=_Relay(journal),
                    folder=order.evidence_dir,
                    clock=self._clock.now,
                )
                held.is_good = report.stop is None
        except Stopped as stopped:
            return words.delivery_of_stop(expected, stopped.stop)
        return words.delivery_of(expected, report)

    async def look(self, order: channel.LookOrder) -> Sight:
        """Reads the account's own profile as its owner. See `Channel`."""
        try:
            async with self._profile_of(order.account_id) as held:
                sight = await look_in(held.profile, order, clock=self._clock)
                held.is_good = sight.trouble is None
        except Stopped as stopped:
            return Sight(
                trouble=trouble_of_stop(stopped.stop),
                posts=(),
                has_reached_start=False,
                has_reached_end=False,
                reached_id=None,
                page_loads=0,
                facts={},
                captures=(),
            )
        return sight

    async def read(self, order: channel.ReadOrder) -> PageSight:
        """Opens one post's page. See `Channel`."""
        try:
            async with self._profile_of(order.account_id) as held:
                sight = await read_in(held.profile, order, clock=self._clock)
                held.is_good = sight.trouble is None
        except Stopped as stopped:
            trouble = trouble_of_stop(stopped.stop)
            return PageSight(post=None, gone=None, trouble=trouble, captures=())
        return sight

    async def rest(self) -> None:
        """Closes profiles that have been idle for longer than the settings allow."""
        oldest_s = time.monotonic() - self._settings.idle_close_s
        for account_id, idle in list(self._idle.items()):
            if idle.idle_since_s <= oldest_s:
                del self._idle[account_id]
                await idle.stack.aclose()

    async def close(self) -> None:
        """Closes every profile, each gate before its browser."""
        while self._idle:
            _account_id, idle = self._idle.popitem()
            await idle.stack.aclose()

    @asynccontextmanager
    async def _profile_of(self, account_id: AccountId) -> AsyncIterator[_Held]:
        """Lends the account's profile, and keeps only a good one for what comes next.

        What went wrong once may be the browser's own fault.

        Raises:
            Stopped: No browser, or the profile is open elsewhere.
        """
        idle = self._idle.pop(account_id, None) or await self._opened(account_id)
        held = _Held(profile=idle.profile)
        try:
            yield held
        finally:
            if held.is_good and idle.profile.is_usable:
                self._idle[account_id] = replace(idle, idle_since_s=time.monotonic())
            else:
                await idle.stack.aclose()

    async def _opened(self, account_id: AccountId) -> _Open:
        stack = AsyncExitStack()
        profile = await stack.enter_async_context(
            open_profile(
                folder=self._settings.folder_of(account_id),
                settings=self._settings.browser(),
                policy=self._settings.bounds,
            )
        )
        return _Open(profile=profile, stack=stack, idle_since_s=time.monotonic())


class _Relay:
    """Passes the browser's phases on to the ledger's journal, in the ledger's words."""

    def __init__(self, journal: channel.Journal) -> None:
        self._journal = journal

    async def reached(self, phase: seen.Phase) -> None:
        await self._journal.reached(Phase(phase.value))

    async def baseline(self, baseline: seen.Baseline) -> None:
        newest_id, posts = words.baseline_of(baseline)
        try:
            await self._journal.baseline(newest_id, posts)
        except AttemptStopped as stopped:
            raise Stopped(StopCode(stopped.code), stopped.detail) from stopped

    async def clicked(self) -> None:
        await self._journal.clicked()

    async def held(self, _request: seen.RequestFacts) -> None:
        await self._journal.held()

    async def released(self, request: seen.RequestFacts) -> None:
        await self._journal.released(words.request_of(request))
