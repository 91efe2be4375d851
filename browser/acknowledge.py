"""Step 7 of an attempt: what comes back, whichever comes first, within its bound."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from browser.answers import read_created
from browser.errors import Offline, Stopped, TimedOut
from browser.facts import Phase

if TYPE_CHECKING:
    from browser.attempt import Attempt
    from browser.facts import AnswerFacts
    from browser.pages.toast import ToastWatch
    from browser.wire import Wire

NO_ANSWER = "no answer in time"


async def acknowledge(attempt: Attempt, wire: Wire, toasts: ToastWatch) -> None:
    """Waits for the answer to the posting request and for a toast of ours.

    Raises:
        Stopped: Neither came; whether the post is out is not known.
    """
    policy = attempt.profile.policy
    answering = asyncio.create_task(wire.answer(wire.changes[0]))
    toasting = asyncio.create_task(toasts.until_ours())
    try:
        await asyncio.wait(
            {answering, toasting},
            timeout=policy.answer_ms / 1000,
            return_when=asyncio.FIRST_COMPLETED,
        )
        has_answer = answering.done() and answering.result()[0].post_id is not None
        grace_ms = policy.toast_ms if has_answer else policy.toast_without_answer_ms
        if answering.done() or toasting.done():
            await asyncio.wait({answering, toasting}, timeout=grace_ms / 1000)
        if answering.done():
            attempt.answer, raw = answering.result()
            if raw is not None:
                await attempt.captures.keep("answer", "answer.json", raw)
        else:
            attempt.answer = read_created(status=None, body=None, failure=NO_ANSWER)
    finally:
        answering.cancel()
        toasting.cancel()
    attempt.toast = toasts.ours or toasts.last
    if attempt.answer.status is None and toasts.ours is None:
        raise _nothing_came(attempt.answer)
    await attempt.reached(Phase.ACKNOWLEDGED)


def _nothing_came(answer: AnswerFacts) -> Stopped:
    if answer.failure == NO_ANSWER:
        return TimedOut("no answer came in time; the own profile is looked at")
    return Offline(f"the answer was lost: {answer.failure}; the own profile is looked at")
