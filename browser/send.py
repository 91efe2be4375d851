"""One attempt at one post, from the open profile to the permalink: facts, never a judgement.

`send` reads as its steps (DESIGN §4, 2 to 8). It tells the journal of each before it goes on, it
clicks exactly once, and between arming and the journal's durable `released` the gate lets nothing
out. Whatever goes wrong, at any step, ends in the report; the gate dies first.
"""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from browser import selectors
from browser.acknowledge import acknowledge
from browser.attempt import Attempt
from browser.capture import Captures
from browser.compose import compose
from browser.errors import Stopped
from browser.facts import Phase, Stop, StopCode
from browser.gate import GateState
from browser.pages.page import must_be
from browser.pages.post_page import PostPage
from browser.pages.profile import ProfilePage
from browser.pages.toast import ToastWatch
from browser.release import posting_request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime
    from pathlib import Path

    from browser.facts import Journal, Order, SendReport
    from browser.pages.composer import Composer
    from browser.profile import Profile
    from browser.tab import Tab
    from browser.wire import Wire

ANOTHER_REQUEST = "the page wanted to send another posting request"


async def send(
    profile: Profile,
    *,
    order: Order,
    journal: Journal,
    folder: Path,
    clock: Callable[[], datetime],
) -> SendReport:
    """Makes one attempt and reports what it saw.

    Args:
        profile: Open and usable; used up afterwards when its gate had to die.
        order: What to post and as whom.
        journal: The caller's durable record, told of each step before the next.
        folder: Where the evidence of this attempt goes; its own folder.
        clock: Tells the time, aware UTC.

    Warning:
        A report that ends early says nothing about whether a post left: only its phase does.
        When the caller cancels, the gate is dead before the cancellation is passed on.
    """
    captures = Captures(folder=folder, clock=clock)
    attempt = Attempt(profile=profile, order=order, journal=journal, captures=captures)
    try:
        async with profile.tab() as tab, _traced(profile, captures):
            await profile.supervise(tab, _steps(attempt, tab))
    except Stopped as stopped:
        attempt.stop = await _as_seen(attempt, stopped)
    except Exception as error:  # noqa: BLE001 - a surprise is a fact of the attempt like any other
        attempt.stop = _surprise(error)
    finally:
        if profile.gate.state is not GateState.OPEN:
            await profile.shut("the attempt is over")
    await _keep_session(attempt)
    await captures.write_manifest(attempt.facts())
    return attempt.report()


async def _steps(attempt: Attempt, tab: Tab) -> None:
    """The attempt, step by step."""
    await _open(attempt, tab)
    composer = await compose(attempt, tab)
    await attempt.reached(Phase.COMPOSED)

    await attempt.captures.picture("composer", tab, selectors.DIALOG)
    await must_be(attempt.profile, tab, attempt.order.identity)
    await composer.must_be_ready(attempt.order.text)
    await attempt.captures.must_be_writable(attempt.facts())
    if attempt.profile.settings.is_paused:
        await tab.pause()

    handle = attempt.order.identity.handle
    async with tab.wire() as wire, ToastWatch(tab, handle=handle) as toasts, _armed(attempt):
        await tab.take_answers(wire)
        await attempt.reached(Phase.ARMED)
        if attempt.order.rehearse:
            await composer.empty()
            raise Stopped(
                StopCode.REHEARSED, "everything up to the click was done; nothing was sent"
            )
        await _click_and_release(attempt, tab, composer, wire, toasts)
        await attempt.captures.picture("after", tab, selectors.TOAST, selectors.DIALOG)
    await _read_back(attempt, tab)


async def _open(attempt: Attempt, tab: Tab) -> None:
    """Step 2: the session, the identity, and what was posted last."""
    page = ProfilePage(tab, attempt.order.identity)
    async with tab.wire() as wire:
        await page.open_watched(wire)
        await attempt.reached(Phase.OPENED)
        attempt.identity = await must_be(attempt.profile, tab, attempt.order.identity)
        await attempt.reached(Phase.SIGNED_IN)
        attempt.baseline = await page.read_newest(wire)
    await attempt.tell(attempt.journal.baseline(attempt.baseline))


@asynccontextmanager
async def _armed(attempt: Attempt) -> AsyncIterator[None]:
    """Step 4: holds the wire. Left in any way but after the answer, the gate dies, and first."""
    gate = attempt.profile.gate
    gate.arm()
    try:
        yield
        if gate.state is GateState.RELEASED:
            gate.reopen()
    except BaseException as error:
        gate.kill(type(error).__name__)
        raise
    finally:
        attempt.gate = gate.facts


async def _click_and_release(
    attempt: Attempt, tab: Tab, composer: Composer, wire: Wire, toasts: ToastWatch
) -> None:
    """Steps 5 to 7: one click, the request compared, the durable release, the answer."""
    gate = attempt.profile.gate
    await attempt.tell(attempt.journal.clicked())
    attempt.phase = Phase.CLICKED
    await composer.click()
    request = await posting_request(attempt, wire, toasts)
    wire.on_change(lambda _change: gate.kill(ANOTHER_REQUEST))
    await attempt.tell(attempt.journal.held(request))
    await _must_still_wait(attempt, tab, wire)
    await attempt.tell(attempt.journal.released(request))
    if gate.state is GateState.DEAD:
        raise Stopped(StopCode.REQUEST_MISMATCH, f"{ANOTHER_REQUEST}; both were thrown away")
    gate.release()
    attempt.phase = Phase.RELEASED
    await acknowledge(attempt, wire, toasts)


async def _must_still_wait(attempt: Attempt, tab: Tab, wire: Wire) -> None:
    """A release on record is doubt if the request is gone: so the browser is asked just before.

    Raises:
        Stopped: Page, browser or connection died meanwhile; nothing has left.
    """
    profile = attempt.profile
    within_s = profile.policy.hold_ms / 1000
    is_there = await tab.is_alive() and not any(change.has_failed for change in wire.changes)
    if not is_there or not await profile.gate.holds_a_living_request(within_s=within_s):
        raise Stopped(
            StopCode.BROWSER_DIED,
            "the browser died while the request waited; the next attempt starts a new browser",
        )


async def _read_back(attempt: Attempt, tab: Tab) -> None:
    """Step 8: the post's own page, when there is an id and a way to it."""
    post_id = attempt.post_id
    if post_id is None:
        return
    page = PostPage(tab, handle=attempt.order.identity.handle, post_id=post_id)
    attempt.read_back = await page.read()
    if attempt.read_back.post is not None:
        await attempt.captures.picture("permalink", tab, page.article)
        await attempt.reached(Phase.PERMALINK)


@asynccontextmanager
async def _traced(profile: Profile, captures: Captures) -> AsyncIterator[None]:
    """Keeps a Playwright trace of the attempt when the settings ask for one."""
    if not profile.settings.is_traced:
        yield
        return
    await profile.start_trace()
    path = captures.path("trace.zip")
    try:
        yield
    finally:
        with suppress(Stopped):  # a trace that was not written is captured as failed below
            await profile.stop_trace(path)
        captures.keep_file("trace", path)


async def _as_seen(attempt: Attempt, stopped: Stopped) -> Stop:
    """A session that was there and whose cookie is gone was lost by the browser, not ended by X.

    Chromium's network process keeps young cookies in its memory; killed, it loses them. A fresh
    browser gets them back from the copy, and if X did end the session, says so at its start.
    """
    if stopped.code is StopCode.SIGNED_OUT and attempt.identity is not None:
        with suppress(Stopped):
            if await attempt.profile.user_id() is None:
                return Stop(
                    code=StopCode.BROWSER_DIED,
                    detail="the browser lost its session; the next attempt starts a new browser",
                )
    return stopped.stop


async def _keep_session(attempt: Attempt) -> None:
    if not attempt.profile.is_usable:
        return
    try:
        await attempt.profile.save_session()
    except (Stopped, OSError) as error:
        attempt.notes.append(f"the session's copy was not written: {error}")


def _surprise(error: Exception) -> Stop:
    return Stop(
        code=StopCode.UNKNOWN_PAGE,
        detail=f"{type(error).__name__}: {error}; this is a fault of the program, report it",
    )
