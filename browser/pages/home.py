"""The home page: the first page of a session, and where the sign-in ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from browser.pages.page import Page, who

if TYPE_CHECKING:
    from browser.facts import Identity
    from browser.profile import Profile


class Home(Page):
    """The own timeline. It is full of other people's posts: nothing is read from it."""

    ADDRESS: ClassVar[str] = "/home"

    async def who(self, profile: Profile) -> Identity:
        """Who is signed in here."""
        self.must_be_here()
        return await who(profile, self.tab)
