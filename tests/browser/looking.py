"""What the tests of looking share: a look and a reading on the desk, and how time becomes an id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from browser.look import look
from browser.read_post import read_post
from tests.browser.desk import QUICK, identity

if TYPE_CHECKING:
    from pathlib import Path

    from browser.facts import PostFacts
    from browser.look_facts import LookReport, PostReading
    from browser.policy import LookPolicy
    from browser.profile import Profile
    from tests.browser.desk import Desk
    from tests.simx.clients import Person, RunningX

EPOCH_MS = 1_288_834_974_657
LINK = "https://blog.example.org/essay"


@dataclass(frozen=True, kw_only=True)
class Seeds:
    """Seeds posts of one account."""

    x: RunningX
    person: Person

    @classmethod
    def on(cls, desk: Desk) -> Self:
        """Of a new account."""
        return cls(x=desk.x, person=desk.person())

    def post(self, text: str, *, age_s: float, **wishes: object) -> str:
        """A post so many seconds old; returns its id."""
        wish = {"author": self.handle, "text": text, "age_s": age_s, **wishes}
        return str(self.x.control("POST", "/posts", wish)["id"])

    def posts(self, count: int, *, from_s: float, apart_s: float = 60) -> list[str]:
        """So many posts, the newest first."""
        return [
            self.post(f"Note number {number} of many.", age_s=from_s + number * apart_s)
            for number in range(count)
        ]

    @property
    def handle(self) -> str:
        """The account's."""
        return str(self.person.account["handle"])


def id_at(age_s: float) -> str:
    """The snowflake id of an instant so many seconds ago."""
    at_ms = int(datetime.now(UTC).timestamp() * 1000 - age_s * 1000)
    return str((at_ms - EPOCH_MS) << 22)


def names_in(folder: Path) -> set[str]:
    """The files of a folder."""
    return {path.name for path in folder.iterdir()}


def with_link(post: PostFacts) -> bool:
    """Whether a post carries the link that the tests look for."""
    return any(link.expanded == LINK for link in post.links)


async def look_at(
    desk: Desk,
    person: Person,
    *,
    since_id: str,
    folder: Path,
    known_id: str | None = None,
    bounds: dict[str, float] | None = None,
    profile: Profile | None = None,
    policy: LookPolicy | None = None,
) -> LookReport:
    """One look at a person's profile; `bounds` are the browser's, `policy` is the look's own."""
    profile = profile or await desk.profile(person)
    profile.policy = replace(QUICK, **(bounds or {}))
    return await look(
        profile,
        identity=identity(person),
        since_id=since_id,
        is_candidate=with_link,
        folder=folder,
        clock=lambda: datetime.now(UTC),
        known_id=known_id,
        policy=policy,
    )


async def read_at(desk: Desk, person: Person, post_id: str, *, folder: Path) -> PostReading:
    """One reading of a post's own page."""
    return await read_post(
        await desk.profile(person),
        identity=identity(person),
        post_id=post_id,
        folder=folder,
        clock=lambda: datetime.now(UTC),
    )
