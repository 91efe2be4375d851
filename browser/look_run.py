"""What one look has seen so far; filled by `look` and its steps, frozen into the report."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from browser.answer_shape import at, text
from browser.errors import Voided
from browser.look_facts import Disagreement, LookEnd, LookReport, Void, VoidReason
from browser.pages.timeline import PROFILE, TABS
from browser.tab_sight import TabSight, telling
from browser.trouble import trouble_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from browser.capture import Captures
    from browser.facts import Identity, PostFacts
    from browser.policy import LookPolicy
    from browser.profile import Profile
    from browser.wire import Reading, Wire


@dataclass(kw_only=True)
class LookRun:
    """See the head of this module; the fields below `started_at` are what was seen."""

    profile: Profile
    expected: Identity
    since_id: str
    known_id: str | None
    is_candidate: Callable[[PostFacts], bool]
    captures: Captures
    policy: LookPolicy
    clock: Callable[[], datetime]
    started_at: datetime
    identity: Identity | None = None
    void: Void | None = None
    page_loads: int = 0
    sights: dict[str, TabSight] = field(default_factory=dict)
    judged: dict[str, bool] = field(default_factory=dict)
    whole: dict[str, PostFacts] = field(default_factory=dict)
    disagreements: tuple[Disagreement, ...] = ()
    notes: list[str] = field(default_factory=list)
    _taken: int = 0

    def __post_init__(self) -> None:
        """Makes a sight for each tab, by the operation that its answers belong to."""
        for place in TABS:
            self.sights[place.operation] = TabSight(
                name=place.name, identity=self.expected, since_id=self.since_id
            )

    async def take(self, wire: Wire, sight: TabSight) -> None:
        """Takes every answer that has come since the last time.

        Args:
            wire: Where they come from.
            sight: The tab that is being read; a request of another one may fail.

        Raises:
            Voided: One of them failed, or says something it should not.
        """
        await wire.drained()
        readings = wire.readings[self._taken :]
        self._taken += len(readings)
        for reading in readings:
            if reading.operation == PROFILE:
                self._check_profile(reading)
            else:
                self.sights[reading.operation].take(reading)
        current = next(name for name, one in self.sights.items() if one is sight)
        if {current, PROFILE} & set(wire.failures) and not sight.is_answered:
            raise Voided(VoidReason.OFFLINE, "the connection broke while X answered; check it")

    def is_wanted(self, post: PostFacts) -> bool:
        """Whether the caller's filter takes a post; asked once for each."""
        if post.id not in self.judged:
            self.judged[post.id] = self.is_candidate(post)
        return self.judged[post.id]

    def posts(self) -> dict[str, PostFacts]:
        """The own posts of all answers, newest first; the first tab's reading of each."""
        found: dict[str, PostFacts] = {}
        for sight in self.sights.values():
            found = sight.posts | found
        return dict(sorted((found | self.whole).items(), key=lambda one: -int(one[0])))

    def find_disagreements(self) -> None:
        """Compares the page with its answers, and the answers of both tabs.

        Raises:
            Voided: They differ in something.
        """
        self.disagreements = tuple(self._disagreements())
        if self.disagreements:
            first = self.disagreements[0]
            raise Voided(
                VoidReason.DISAGREEMENT,
                f"page and answers differ in {len(self.disagreements)} places, first in the "
                f"{first.what} of {first.post_id}; run `postproof read` on a saved page",
            )

    def must_be_fresh(self) -> None:
        """Makes sure that the profile is not older than what is known of it.

        Raises:
            Voided: It is.
        """
        newest = max(map(int, self.posts()), default=0)
        if self.known_id is not None and newest < int(self.known_id):
            raise Voided(
                VoidReason.STALE,
                f"the newest post shown is {newest}, {self.known_id} was there before; "
                "it is looked at again later",
            )

    def raw(self) -> bytes:
        """The own posts of the window as the answers gave them."""
        kept = [
            {"tab": sight.name, "operation": operation, "posts": list(sight.raw.values())}
            for operation, sight in self.sights.items()
        ]
        return json.dumps(kept, ensure_ascii=False, indent=1).encode()

    def report(self) -> LookReport:
        """The frozen report."""
        begun = [sight for sight in self.sights.values() if sight.answers]
        shown: dict[str, PostFacts] = {}
        for sight in begun:
            shown = sight.shown | shown
        return LookReport(
            end=LookEnd.READ if self.void is None else LookEnd.VOID,
            void=self.void,
            identity=self.identity,
            since_id=self.since_id,
            posts=tuple(self.posts().values()),
            shown=tuple(sorted(shown.values(), key=lambda post: -int(post.id))),
            candidate_ids=tuple(one for one, is_wanted in self.judged.items() if is_wanted),
            tabs=tuple(sight.reading() for sight in begun),
            disagreements=self.disagreements,
            captures=self.captures.taken,
            page_loads=self.page_loads,
            started_at=self.started_at,
            ended_at=self.clock(),
        )

    def facts(self) -> dict[str, object]:
        """Everything seen, for the manifest."""
        report = replace(self.report(), captures=())
        return {"look": report, "known_id": self.known_id, "notes": self.notes}

    def _check_profile(self, reading: Reading) -> None:
        """The profile's own answer: it must be about this account."""
        user = at(reading.body, "data", "user", "result")
        if text(at(user, "__typename")) == "UserUnavailable":
            is_suspended = text(at(user, "reason")) == "Suspended"
            raise Voided(
                VoidReason.SUSPENDED if is_suspended else VoidReason.EMPTY_STATE,
                f"X says of the profile: {text(at(user, 'message'))}; open x.com and look",
            )
        user_id = text(at(user, "rest_id"))
        if user_id is None:
            raise trouble_of(reading, is_first=True)
        if user_id != self.expected.user_id:
            raise Voided(
                VoidReason.WRONG_ACCOUNT,
                f"@{self.expected.handle} belongs to {user_id} now, not to "
                f"{self.expected.user_id}; correct the account's handle",
            )

    def _disagreements(self) -> Iterator[Disagreement]:
        answers = self.posts()
        for sight in self.sights.values():
            yield from sight.disagreements(answers)
        first, *others = self.sights.values()
        for sight in others:
            for post_id in first.posts.keys() & sight.posts.keys():
                one, other = first.posts[post_id], sight.posts[post_id]
                if telling(one) != telling(other):
                    yield Disagreement(
                        tab=sight.name,
                        post_id=post_id,
                        what="answers",
                        answer=one.text,
                        page=other.text,
                    )
