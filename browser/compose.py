"""Step 3 of an attempt: the text, whole and equal, in a composer that holds nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browser import selectors
from browser.errors import Stopped
from browser.facts import StopCode
from browser.pages.composer import Composer
from browser.pages.page import must_be

if TYPE_CHECKING:
    from browser.attempt import Attempt
    from browser.tab import Tab

WAYS_OF_WRITING = (False, True)
"""By filling, then once more on a fresh page by insertion. Source: browser-facts §3: 0 failures
of either in 1,200 trials on an empty editor; another way in, for an editor that is not the known
one."""


async def compose(attempt: Attempt, tab: Tab) -> Composer:
    """Opens a fresh composer and puts the text in; once more on a fresh page when it differs.

    Raises:
        Stopped: No composer, a draft that stays, or a text that comes out different twice.
    """
    composer = Composer(tab)
    for by_insertion in WAYS_OF_WRITING:
        await composer.open()
        await must_be(attempt.profile, tab, attempt.order.identity)
        await composer.clear_the_way()
        await _make_empty(attempt, composer, tab)
        if await composer.write(attempt.order.text, by_insertion=by_insertion):
            return composer
        attempt.notes.append("the editor showed another text than was put in")
        await attempt.captures.picture("other_text", tab, selectors.DIALOG)
    raise Stopped(
        StopCode.TEXT_MISMATCH,
        "the editor showed another text than was put in, twice; look at x.com/compose/post",
    )


async def _make_empty(attempt: Attempt, composer: Composer, tab: Tab) -> None:
    """A draft of an earlier visit is pictured, then cleared, then seen to be gone."""
    state = await composer.state()
    if not state.text:
        return
    attempt.notes.append("a draft was left over in the composer")
    await attempt.captures.picture("left_over_draft", tab, selectors.DIALOG)
    await composer.empty()
