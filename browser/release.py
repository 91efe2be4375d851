"""Step 6 of an attempt: the request that waits at the gate, compared with the order.

Nothing here opens the gate. A request that differs in anything, a second one, or none in time ends
the attempt while everything still waits.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from browser import selectors
from browser.errors import Stopped
from browser.facts import StopCode

if TYPE_CHECKING:
    from browser.attempt import Attempt
    from browser.facts import Order, RequestFacts
    from browser.pages.toast import ToastWatch
    from browser.wire import Wire


async def posting_request(attempt: Attempt, wire: Wire, toasts: ToastWatch) -> RequestFacts:
    """Waits for the page's own request and compares it with the order.

    Raises:
        Stopped: None came, another one came, or it says something else.
    """
    await _wait(attempt, wire, toasts)
    if not wire.changes:
        raise await _no_request(attempt, toasts)
    operations = [change.operation for change in wire.changes]
    facts = wire.changes[0].facts
    if len(operations) > 1 or facts is None:
        raise Stopped(
            StopCode.REQUEST_MISMATCH,
            f"the page wanted to send {', '.join(operations)}; it was thrown away unsent",
        )
    attempt.request = facts
    difference = differs(attempt.order, facts)
    if difference is not None:
        raise Stopped(
            StopCode.REQUEST_MISMATCH, f"{difference}; the request was thrown away unsent"
        )
    return facts


def differs(order: Order, facts: RequestFacts) -> str | None:
    """In what a request differs from the order, or None when it says just that."""
    if facts.text != order.text:
        return "the page wanted to post another text"
    if facts.media_count:
        return f"the page wanted to post {facts.media_count} media where none belong"
    if facts.reply_to is not None:
        return f"the page wanted to reply to {facts.reply_to}"
    if facts.quote_of is not None:
        return f"the page wanted to quote {facts.quote_of}"
    return None


async def _wait(attempt: Attempt, wire: Wire, toasts: ToastWatch) -> None:
    """Until the request is there, or its time is over: longer while X itself holds it back."""
    policy = attempt.profile.policy
    loop = asyncio.get_running_loop()
    started = loop.time()
    bound_ms = policy.request_ms
    while not wire.changes:
        if toasts.last is not None:
            bound_ms = policy.undo_ms
        left_s = started + bound_ms / 1000 - loop.time()
        news = {wire.news.next(), toasts.news.next()}
        done, _ = await asyncio.wait(
            news, timeout=max(left_s, 0), return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            return


async def _no_request(attempt: Attempt, toasts: ToastWatch) -> Stopped:
    said = f"; X says: {toasts.last.text}" if toasts.last is not None else ""
    tab = toasts.tab
    if await tab.way(selectors.QUESTION) or await tab.way(selectors.OTHER_DIALOG):
        await attempt.captures.picture("dialog", tab, selectors.QUESTION, selectors.OTHER_DIALOG)
        return Stopped(
            StopCode.INTERSTITIAL,
            f"X asked something instead of sending{said}; open x.com and answer it",
        )
    return Stopped(
        StopCode.NO_REQUEST, f"the click made the page send nothing{said}; it is tried again"
    )
