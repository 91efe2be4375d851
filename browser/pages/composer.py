"""The composer at /compose/post: a dialog over the home page, with an editor and one button.

Text goes in whole and is read back from the blocks until equal; nothing here presses Enter, Tab
or Escape, uses the clipboard, or answers a question of X's. One verb clicks the post button; who
calls it, and when, is `browser.send`'s business.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import ClassVar

from browser import selectors
from browser.errors import Stopped, TimedOut
from browser.facts import StopCode
from browser.pages.page import Page, Seen
from browser.scripts import COMPOSER, EDITOR_SHOWS, POST_BUTTON_ENABLED

CSS = {
    "editor": selectors.EDITOR.ways,
    "button": selectors.POST_BUTTON.ways,
    "counter": selectors.COUNTER.ways,
    "attachments": selectors.ATTACHMENTS.ways,
    "callout": selectors.CALLOUT.ways,
    "typeahead": selectors.TYPEAHEAD.ways,
    "question": selectors.QUESTION.ways,
    "otherDialog": selectors.OTHER_DIALOG.ways,
}
OPEN_TOKEN = re.compile(r"[@#$]\w{1,30}$")
SHEETS_MAX = 3  # more sheets than that on one page are a page this program does not know


@dataclass(frozen=True, kw_only=True)
class ComposerState:
    """Everything the composer shows at one moment."""

    text: str
    is_editable: bool
    buttons: int
    is_enabled: bool
    counter: str | None
    attachments: int
    callout: str | None
    is_typeahead_open: bool
    is_question_open: bool
    other_dialogs: int


class Composer(Page):
    """See the head of this module."""

    ADDRESS: ClassVar[str] = "/compose/post"

    async def loaded(self) -> Seen:
        """Waits for the editor.

        Raises:
            Stopped: Another page, or no composer on it.
        """
        seen = await super().loaded()
        try:
            await self.tab.first_of(selectors.EDITOR, within_ms=self.tab.policy.hydrate_ms)
        except TimedOut as error:
            raise Stopped(
                StopCode.COMPOSER_MISSING,
                "the page has no composer in any form that is known; look at x.com/compose/post",
            ) from error
        return seen

    async def state(self) -> ComposerState:
        """What the composer shows now.

        Raises:
            Stopped: It is gone.
        """
        found = await self.tab.run(COMPOSER, CSS)
        if found is None:
            raise Stopped(
                StopCode.COMPOSER_MISSING, "the composer has closed; look at x.com/compose/post"
            )
        return ComposerState(
            text=found["text"],
            is_editable=found["isEditable"],
            buttons=found["buttons"],
            is_enabled=found["isEnabled"],
            counter=found["counter"],
            attachments=found["attachments"],
            callout=found["callout"],
            is_typeahead_open=found["isTypeaheadOpen"],
            is_question_open=found["isQuestionOpen"],
            other_dialogs=found["otherDialogs"],
        )

    async def clear_the_way(self) -> None:
        """Closes sheets that lie over the composer, each by its own close button.

        Raises:
            Stopped: A question, or a dialog without that button, or too many.
        """
        self.must_be_here()
        for _ in range(SHEETS_MAX):
            state = await self.state()
            if state.is_question_open or not state.other_dialogs:
                break
            close = await self.tab.way(selectors.SHEET_CLOSE)
            if close is None:
                break
            await self.tab.click(close, is_trial=False)
        await self._must_be_clear()

    async def empty(self) -> None:
        """Empties the editor, whatever was left in it.

        Raises:
            Stopped: It cannot be emptied.
        """
        self.must_be_here()
        await self._select_all()
        await self.tab.press("Delete")
        if not await self._shows(""):
            raise Stopped(
                StopCode.TEXT_MISMATCH,
                "a draft that was left over cannot be cleared; discard it by hand on x.com",
            )

    async def write(self, text: str, *, by_insertion: bool) -> bool:
        """Puts the whole text into an empty editor; returns whether it then shows just that.

        Args:
            text: NFC, LF.
            by_insertion: As an input method does, over a selection, instead of by filling.
        """
        self.must_be_here()
        if by_insertion:
            await self._select_all()
            await self.tab.insert(text)
        else:
            await self.tab.fill(await self._editor(), text)
        if OPEN_TOKEN.search(text):
            await self.tab.press("Control+Home")  # a caret that left the token closes the list
        return await self._shows(text)

    async def must_be_ready(self, text: str) -> None:
        """Makes sure that a click would send just this text.

        Raises:
            Stopped: The first of the reasons why it would not.
        """
        self.must_be_here()
        with contextlib.suppress(TimedOut):  # the reasons below say more
            await self.tab.until(
                POST_BUTTON_ENABLED,
                CSS,
                within_ms=self.tab.policy.button_ms,
                doing="waiting for the post button",
            )
        await self._must_be_clear()
        state = await self.state()
        if state.text != _as_shown(text):
            raise Stopped(
                StopCode.TEXT_MISMATCH, "the editor shows another text; it is tried on a new page"
            )
        if state.counter is not None and state.counter.startswith(("-", "\u2212")):
            raise Stopped(
                StopCode.OVER_LIMIT, f"X counts {state.counter} characters left; shorten the text"
            )
        if state.buttons != 1:
            raise Stopped(
                StopCode.COMPOSER_MISSING,
                f"the composer has {state.buttons} post buttons that are known where one "
                "belongs; look at x.com/compose/post",
            )
        if not state.is_enabled or state.attachments:
            raise Stopped(StopCode.BUTTON_DISABLED, _why_disabled(state))
        await self.tab.click(await self._button(), is_trial=True)

    async def click(self) -> None:
        """Clicks the post button, once."""
        self.must_be_here()
        await self.tab.click(await self._button(), is_trial=False)

    async def _must_be_clear(self) -> None:
        state = await self.state()
        if state.is_question_open or state.other_dialogs:
            raise Stopped(
                StopCode.INTERSTITIAL,
                "X shows a dialog of its own over the composer; open x.com and answer it",
            )
        if state.is_typeahead_open:
            raise Stopped(
                StopCode.INTERSTITIAL,
                "X's list of suggestions does not close; it is tried on a new page",
            )

    async def _shows(self, text: str) -> bool:
        try:
            await self.tab.until(
                EDITOR_SHOWS,
                {"css": CSS, "text": _as_shown(text)},
                within_ms=self.tab.policy.read_back_ms,
                doing="reading the text back",
            )
        except TimedOut:
            return False
        return True

    async def _select_all(self) -> None:
        await self.tab.click(await self._editor(), is_trial=False)
        await self.tab.press("Control+A")

    async def _editor(self) -> str:
        return await self._one(selectors.EDITOR)

    async def _button(self) -> str:
        return await self._one(selectors.POST_BUTTON)

    async def _one(self, selector: selectors.Selector) -> str:
        way = await self.tab.way(selector)
        if way is None:
            raise Stopped(
                StopCode.COMPOSER_MISSING,
                f"the composer has no {selector.name} that is known; look at x.com/compose/post",
            )
        return way


def _as_shown(text: str) -> str:
    """Browsers may show a space as a no-break space; both read as one."""
    return text.replace("\u00a0", " ")


def _why_disabled(state: ComposerState) -> str:
    if state.attachments:
        return f"{state.attachments} attachments are there that belong to no post of ours"
    said = f"; X says: {state.callout}" if state.callout else ""
    return f"the post button stays disabled{said}; look at x.com/compose/post"
