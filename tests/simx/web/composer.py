"""The composer's dialog as a posting script sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# The text of an editor by its blocks: text nodes as they are, pictures by their alt, and one
# newline less at the end of a block, since Draft.js shows a last soft newline twice.
READ_BACK = """
editor => [...editor.querySelectorAll('[data-block="true"]')].map(block => {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_ALL);
  let text = "";
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) text += node.data;
    else if (node.tagName === "IMG") text += node.alt;
  }
  return text.endsWith("\\n") ? text.slice(0, -1) : text;
}).join("\\n")
"""


@dataclass(frozen=True, kw_only=True)
class Composer:
    """The innermost dialog that holds an editor."""

    tab: Page

    @classmethod
    def open(cls, tab: Page, address: str = "https://x.com/compose/post") -> Composer:
        """Load an address that opens the composer and wait for its editor."""
        tab.goto(address)
        composer = cls(tab=tab)
        composer.editor.wait_for()
        return composer

    @property
    def dialog(self) -> Locator:
        """The inner one of the two nested dialogs."""
        return self.tab.locator("[role=dialog][aria-modal=true]:has([role=textbox])")

    @property
    def editor(self) -> Locator:
        """The editor of the first post."""
        return self.dialog.get_by_test_id("tweetTextarea_0")

    @property
    def button(self) -> Locator:
        """The button that sends."""
        return self.dialog.get_by_test_id("tweetButton")

    @property
    def callout(self) -> Locator:
        """The message about a failed sending."""
        return self.dialog.locator("[role=status][aria-live=assertive]")

    @property
    def suggestions(self) -> Locator:
        """The rows of the type-ahead."""
        return self.dialog.get_by_role("option")

    @property
    def toast(self) -> Locator:
        """The toast, wherever it is shown."""
        return self.tab.get_by_test_id("toast")

    def put(self, text: str) -> None:
        """Write a text in one piece into the focused editor."""
        self.editor.click()
        self.tab.keyboard.insert_text(text)

    def text(self) -> str:
        """Read the text back from the editor's blocks."""
        found: str = self.editor.evaluate(READ_BACK)
        return found

    def send(self, text: str) -> None:
        """Write a text and click the button."""
        self.put(text)
        expect(self.button).to_be_enabled()
        self.button.click()
