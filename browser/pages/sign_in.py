"""The sign-in page: a person's place. This program opens it and waits; it types nothing."""

from __future__ import annotations

from typing import ClassVar

from browser.pages.page import Page


class SignIn(Page):
    """Where a person signs in. X sends the address on to its present form of the page."""

    ADDRESS: ClassVar[str] = "/i/flow/login"

    def is_here(self) -> bool:
        """Whether the tab is at any of the sign-in addresses."""
        path = self.tab.url.partition("x.com")[2]
        return path.startswith(("/i/flow/login", "/i/jf/onboarding", "/login"))
