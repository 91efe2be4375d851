"""Where things stand in X's answers: walks parsed JSON, makes no facts of it.

Every shape of x-web-facts §4.4 is walked, the older ones included: timelines under whatever key,
single entries, modules, additions to modules, a single post, the answer to a posting request.
What is missing is None and never an error. `answers` makes facts of what is found here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CREATED = (("create_tweet", "tweet_results"), ("notetweet_create", "tweet_results"))
RESULTS = frozenset(
    {
        "Tweet",
        "TweetWithVisibilityResults",
        "TweetTombstone",
        "TweetUnavailable",
        "TweetPreviewDisplay",
    }
)
"""What a post's result calls itself. Source: x-web-facts §4.4, seen August to October 2026."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """A place in an answer where a post stands or should stand.

    Args:
        entry_id: The timeline entry that holds it; the items of a conversation share it. Empty
            outside of timelines.
        item_id: Its own id, which ends with the post's.
        result: What stands there; None when nothing does.
        is_pinned: Whether it is pinned to the top, whatever its age.
        is_promoted: Whether it is an advertisement.
    """

    entry_id: str
    item_id: str
    result: object
    is_pinned: bool
    is_promoted: bool


def items(body: object) -> Iterator[Item]:
    """Yields every place for a post in an answer, in its order."""
    data = at(body, "data")
    for path in CREATED:
        created = at(data, *path)
        if created is not None:
            yield _outside(at(created, "result"))
    single = at(data, "tweetResult")
    for found in single if isinstance(single, list) else [single]:
        if found is not None:
            yield _outside(at(found, "result"))
    if text(at(body, "__typename")) in RESULTS:
        yield _outside(body)
    for instruction in instructions(data):
        yield from _items_of(instruction)


def instructions(value: object) -> Iterator[object]:
    """Yields the instructions of every timeline below a value, whatever it is called there."""
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        if key == "instructions":
            yield from listed(inner)
        else:
            yield from instructions(inner)


def goes_on(body: object) -> bool:
    """Whether a timeline says that it goes on below: it gives a cursor and no end."""
    found = list(instructions(at(body, "data")))
    ends = {
        text(at(one, "direction"))
        for one in found
        if text(at(one, "type")) == "TimelineTerminateTimeline"
    }
    contents = [at(entry, "content") for one in found for entry in _entries(one)]
    cursors = {
        text(at(content, "cursorType")) or text(at(content, "itemContent", "cursorType"))
        for content in contents
    }
    return "Bottom" in cursors and not ends & {"Bottom", "TopAndBottom"}


def unwrapped(result: object) -> object:
    """Takes off the wrapper of limited visibility."""
    inner = at(result, "tweet")
    return result if inner is None else inner


def post_id(result: object) -> str | None:
    """The id of the post that a result holds."""
    tweet = unwrapped(result)
    return text(at(tweet, "rest_id")) or text(at(tweet, "legacy", "id_str"))


def at(value: object, *path: str) -> object:
    """What stands at a path of keys, or None."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def listed(value: object) -> list[object]:
    """A list, empty when there is none."""
    return value if isinstance(value, list) else []


def text(value: object) -> str | None:
    """A text, or None."""
    return value if isinstance(value, str) else None


def _items_of(instruction: object) -> Iterator[Item]:
    is_pin = text(at(instruction, "type")) == "TimelinePinEntry"
    for entry in _entries(instruction):
        entry_id = text(at(entry, "entryId")) or ""
        contents = [(entry_id, at(entry, "content", "itemContent"))]
        contents += _contents(listed(at(entry, "content", "items")))
        for item_id, content in contents:
            yield from _item(entry_id, item_id, content, is_pin=is_pin)
    module_id = text(at(instruction, "moduleEntryId")) or ""
    for item_id, content in _contents(listed(at(instruction, "moduleItems"))):
        yield from _item(module_id, item_id, content, is_pin=is_pin)


def _entries(instruction: object) -> list[object]:
    single = at(instruction, "entry")
    return [*listed(at(instruction, "entries")), *([] if single is None else [single])]


def _contents(of: list[object]) -> list[tuple[str, object]]:
    return [(text(at(one, "entryId")) or "", at(one, "item", "itemContent")) for one in of]


def _item(entry_id: str, item_id: str, content: object, *, is_pin: bool) -> Iterator[Item]:
    """The item of a content, unless it holds a person, a cursor or anything else but a post."""
    is_for_post = "TimelineTweet" in (at(content, "itemType"), at(content, "__typename"))
    if not is_for_post and at(content, "tweet_results") is None:
        return
    yield Item(
        entry_id=entry_id,
        item_id=item_id,
        result=at(content, "tweet_results", "result"),
        is_pinned=is_pin or text(at(content, "socialContext", "contextType")) == "Pin",
        is_promoted=at(content, "promotedMetadata") is not None,
    )


def _outside(result: object) -> Item:
    return Item(entry_id="", item_id="", result=result, is_pinned=False, is_promoted=False)
