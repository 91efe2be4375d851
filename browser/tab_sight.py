"""What one tab of the own profile has told so far: its answers and what it showed. Pure.

The look feeds it with each answer and each reading of the page, and asks whether the tab is read.
Pinned posts and advertisements stand out of order and prove nothing about how far was read; of a
conversation only its newest own post stands in its place.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from browser.agreement import differences
from browser.answer_shape import goes_on, items
from browser.answers import has_timeline, read_item, what_is_missing
from browser.errors import Voided
from browser.look_facts import Disagreement, TabReading, VoidReason
from browser.trouble import trouble_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from browser.answer_shape import Item
    from browser.facts import Identity, PostFacts
    from browser.wire import Reading

EMPTY = "empty"


class TabSight:
    """See the head of this module.

    Args:
        name: `posts` or `replies`.
        identity: Whose profile.
        since_id: The start of the window; posts up to it lie before.

    Attributes:
        posts: Own posts from the answers, by id, in the order of the timeline.
        shown: Own posts as the page showed them, by id; reposts left out.
        raw: The own posts of the window as the answers gave them, by id.
        scrolls: Counted by the look.
    """

    def __init__(self, *, name: str, identity: Identity, since_id: str) -> None:
        self.name, self._identity, self._since = name, identity, int(since_id)
        self.posts: dict[str, PostFacts] = {}
        self.shown: dict[str, PostFacts] = {}
        self.raw: dict[str, object] = {}
        self.scrolls = 0
        self._answers = 0
        self._has_ended = False
        self._places: list[int] = []
        self._placed: set[str] = set()
        self._promoted: set[str] = set()
        self._above: set[str] = set()
        self._below: set[str] = set()
        self._unreadable: Counter[str] = Counter()
        self._answers_differ: list[Disagreement] = []

    @property
    def answers(self) -> int:
        """How many answers were taken."""
        return self._answers

    @property
    def reaches_start(self) -> bool:
        """Whether the lowest own post, in its place, is from before the window."""
        return bool(self._places) and self._places[-1] <= self._since

    @property
    def has_ended(self) -> bool:
        """Whether the answers say that nothing lies below."""
        return self._has_ended

    @property
    def is_answered(self) -> bool:
        """Whether no further answer is needed."""
        return self._has_ended or self.reaches_start

    @property
    def is_passed(self) -> bool:
        """Whether the page has shown all it should, or something that lies below all that."""
        only_below = {one for one in self._below - self._above if not self.posts[one].pinned}
        return not self.unseen() or bool(only_below & set(self.shown))

    def take(self, reading: Reading) -> None:
        """Takes an answer; one that failed is of no interest when nothing more was needed.

        Raises:
            Voided: It failed, is empty, or lists posts out of order or without showing them.
        """
        if not has_timeline(reading.body):
            if not self.is_answered:
                raise trouble_of(reading, is_first=not self._answers)
            return
        self._answers += 1
        places = list(items(reading.body))
        if not places and self._answers == 1:
            raise Voided(
                VoidReason.EMPTY_STATE, f"X lists no post at all under {self.name}; look by hand"
            )
        self._has_ended = not places or not goes_on(reading.body)
        for group in _grouped(places):
            self._take_entry(group)

    def see(self, shown: tuple[PostFacts, ...]) -> None:
        """Takes what the page shows now."""
        for post in shown:
            if post.kind != "repost" and self._is_shown_as_own(post):
                self.shown.setdefault(post.id, post)

    def unseen(self) -> list[str]:
        """The own posts of the window that the page should have shown and has not."""
        return [
            post.id
            for post in self.posts.values()
            if int(post.id) > self._since
            and post.kind != "repost"
            and post.id not in self._promoted - self._placed
            and post.id not in self.shown
        ]

    def disagreements(self, answers: Mapping[str, PostFacts]) -> Iterator[Disagreement]:
        """Yields where the page and the answers differ, once the tab is read.

        Args:
            answers: The own posts that any answer told, in whatever tab, by id.
        """
        yield from self._answers_differ
        for post_id in self.unseen():
            yield self._lacking(post_id, answer="listed", page=None)
        for post_id, shown in self.shown.items():
            told = answers.get(post_id)
            if told is None:
                yield self._lacking(post_id, answer=None, page="shown")
                continue
            for what, answer, page in differences(told, shown):
                yield Disagreement(
                    tab=self.name, post_id=post_id, what=what, answer=answer, page=page
                )

    def reading(self) -> TabReading:
        """How far the tab was read."""
        return TabReading(
            name=self.name,
            answers=self._answers,
            scrolls=self.scrolls,
            newest_id=str(max(self._places)) if self._places else None,
            oldest_id=str(min(self._places)) if self._places else None,
            reaches_start=self.reaches_start,
            has_ended=self._has_ended,
            unreadable=tuple(sorted(self._unreadable.items())),
        )

    def _take_entry(self, group: list[Item]) -> None:
        own = []
        for item in group:
            post = read_item(item)
            if post is None:
                self._miss(item)
            elif post.author_id in {None, self._identity.user_id}:
                own.append(post)
                self._take_post(item, post)
        if not own or any(item.is_pinned or item.is_promoted for item in group):
            return
        place = max(int(post.id) for post in own)
        self._placed.update(post.id for post in own)
        is_edited = any(post.edited for post in own)
        if place > self._since and self.reaches_start and not is_edited:
            raise Voided(
                VoidReason.OUT_OF_ORDER,
                f"{place} stands below older posts; X does not list by time now, look by hand",
            )
        (self._above if place > self._since else self._below).update(post.id for post in own)
        if not is_edited or not self._places:
            self._places.append(place)

    def _take_post(self, item: Item, post: PostFacts) -> None:
        known = self.posts.get(post.id)
        if known is not None and telling(known) != telling(post):
            differ = Disagreement(
                tab=self.name,
                post_id=post.id,
                what="answers",
                answer=known.text,
                page=post.text,
            )
            self._answers_differ.append(differ)
        if known is None or post.pinned:
            self.posts[post.id] = post
        if item.is_promoted:
            self._promoted.add(post.id)
        if int(post.id) > self._since:
            self.raw[post.id] = item.result

    def _miss(self, item: Item) -> None:
        word = what_is_missing(item)
        self._unreadable[word] += 1
        number = item.item_id.rpartition("-")[2]
        if word == EMPTY and number.isdecimal() and int(number) > self._since:
            raise Voided(
                VoidReason.PARTIAL_LOAD,
                f"X lists {number} without showing it; it is looked at again later",
            )

    def _is_shown_as_own(self, post: PostFacts) -> bool:
        if post.author_handle is None:
            return post.id in self.posts
        return post.author_handle.lower() == self._identity.handle.lower()

    def _lacking(self, post_id: str, *, answer: str | None, page: str | None) -> Disagreement:
        return Disagreement(
            tab=self.name, post_id=post_id, what="presence", answer=answer, page=page
        )


def _grouped(places: list[Item]) -> Iterator[list[Item]]:
    """Items by entry; what stands outside of entries stands alone."""
    group: list[Item] = []
    for item in places:
        if group and (not item.entry_id or item.entry_id != group[-1].entry_id):
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def telling(post: PostFacts) -> tuple[object, ...]:
    """What two answers about one post must both say."""
    return post.author_id, post.kind, post.text, post.links
