"""Reads X's answers: pure functions from parsed JSON to facts.

Every shape of x-web-facts §4.2 to §4.4 is read, the older ones included; what is missing becomes
None and never an error, since an answer is data of somebody else's. Ids are read from their
places in the structure, never by searching the text. Called by `wire` on live answers and by the
`read` command on saved ones.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from browser.facts import AnswerFacts, Link, PostFacts

if TYPE_CHECKING:
    from collections.abc import Iterator

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
CREATED = (("create_tweet", "tweet_results"), ("notetweet_create", "tweet_results"))


def read_created(*, status: int | None, body: object, failure: str | None) -> AnswerFacts:
    """Reads the answer to a posting request.

    Args:
        status: The HTTP status, or None when no answer came.
        body: The parsed JSON, or None when there was none or it was not JSON.
        failure: The browser's word for why no answer came.
    """
    results = [_at(body, "data", *path) for path in CREATED]
    result = next((found for found in results if found is not None), None)
    post = _tweet(_at(result, "result"))
    errors = _list(_at(body, "errors"))
    return AnswerFacts(
        status=status,
        post_id=_post_id(post),
        author_id=_author(post)[0],
        codes=tuple(code for code in map(_error_code, errors) if code is not None),
        messages=tuple(_text(_at(error, "message")) or "" for error in errors),
        empty_result=result is not None and _post_id(post) is None,
        failure=failure,
    )


def read_posts(body: object) -> tuple[PostFacts, ...]:
    """Reads the posts of any known answer, in its order, each id once.

    A timeline gives its own entries: a repost is one post, and what it reposts or quotes is not
    another. Tombstones, unavailable posts and empty results hold no post.
    """
    posts: dict[str, PostFacts] = {}
    for result, is_pinned in _results(body):
        post = _read_post(_tweet(result), is_pinned=is_pinned)
        if post is not None and (is_pinned or post.id not in posts):
            posts[post.id] = post
    return tuple(posts.values())


def has_timeline(body: object) -> bool:
    """Whether this is a timeline at all, with or without posts."""
    return any(True for _ in _instructions(_at(body, "data")))


def error_codes(body: object) -> tuple[str, ...]:
    """The codes of an answer's errors, in order."""
    codes = map(_error_code, _list(_at(body, "errors")))
    return tuple(code for code in codes if code is not None)


def _results(body: object) -> Iterator[tuple[object, bool]]:
    for path in CREATED:
        yield _at(body, "data", *path, "result"), False
    single = _at(body, "data", "tweetResult")
    for found in single if isinstance(single, list) else [single]:
        yield _at(found, "result"), False
    for instruction in _instructions(_at(body, "data")):
        is_pin = _text(_at(instruction, "type")) == "TimelinePinEntry"
        for item in _items(instruction):
            is_pinned = is_pin or _text(_at(item, "socialContext", "contextType")) == "Pin"
            yield _at(item, "tweet_results", "result"), is_pinned


def _instructions(value: object) -> Iterator[object]:
    """Every timeline below a value, whatever it is called there."""
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        if key == "instructions":
            yield from _list(inner)
        else:
            yield from _instructions(inner)


def _items(instruction: object) -> Iterator[object]:
    """The item contents of an instruction: of single entries, of modules, of additions to one."""
    entries = [*_list(_at(instruction, "entries")), _at(instruction, "entry")]
    for entry in entries:
        yield _at(entry, "content", "itemContent")
        for item in _list(_at(entry, "content", "items")):
            yield _at(item, "item", "itemContent")
    for item in _list(_at(instruction, "moduleItems")):
        yield _at(item, "item", "itemContent")


def _tweet(result: object) -> object:
    """Unwraps `TweetWithVisibilityResults`."""
    inner = _at(result, "tweet")
    return result if inner is None else inner


def _post_id(tweet: object) -> str | None:
    return _text(_at(tweet, "rest_id")) or _text(_at(tweet, "legacy", "id_str"))


def _author(tweet: object) -> tuple[str | None, str | None]:
    user = _at(tweet, "core", "user_results", "result")
    handle = _text(_at(user, "core", "screen_name")) or _text(_at(user, "legacy", "screen_name"))
    user_id = _text(_at(user, "rest_id")) or _text(_at(tweet, "legacy", "user_id_str"))
    return user_id, handle


def _read_post(tweet: object, *, is_pinned: bool) -> PostFacts | None:
    post_id, legacy = _post_id(tweet), _at(tweet, "legacy")
    if post_id is None or legacy is None:
        return None
    author_id, author_handle = _author(tweet)
    note = _at(tweet, "note_tweet", "note_tweet_results", "result")
    note_text = _text(_at(note, "text"))
    media = _media(legacy)
    return PostFacts(
        id=post_id,
        author_id=author_id,
        author_handle=author_handle,
        source="answer",
        kind=_kind(tweet, legacy),
        text=note_text if note_text is not None else _text(_at(legacy, "full_text")) or "",
        links=_links(_at(note, "entity_set") if note_text is not None else _at(legacy, "entities")),
        card_domain=_card_domain(tweet),
        pinned=is_pinned,
        truncated=note_text is None and _at(tweet, "note_tweet") is not None,
        edited=_is_edited(tweet),
        media_count=len(media),
        created_at=_time(_text(_at(legacy, "created_at"))),
        media_hrefs=tuple(dict.fromkeys(filter(None, (_text(_at(one, "url")) for one in media)))),
    )


def _kind(tweet: object, legacy: object) -> str:
    if _at(legacy, "retweeted_status_result") or _at(tweet, "retweeted_status_result"):
        return "repost"
    if _at(legacy, "in_reply_to_status_id_str"):
        return "reply"
    quoted = ("quoted_status_result", "quotedRefResult")
    if _at(legacy, "is_quote_status") is True or any(_at(tweet, name) for name in quoted):
        return "quote"
    return "post"


def _links(entities: object) -> tuple[Link, ...]:
    return tuple(
        Link(
            shown=_text(_at(url, "display_url")) or _text(_at(url, "url")) or "",
            href=_text(_at(url, "url")),
            expanded=_text(_at(url, "expanded_url")),
        )
        for url in _list(_at(entities, "urls"))
    )


def _media(legacy: object) -> list[object]:
    return _list(_at(legacy, "extended_entities", "media")) or _list(
        _at(legacy, "entities", "media")
    )


def _card_domain(tweet: object) -> str | None:
    values = _at(tweet, "card", "legacy", "binding_values")
    if isinstance(values, dict):  # before 2023 a mapping, since then a list of key and value
        values = [{"key": key, "value": value} for key, value in values.items()]
    found = {_text(_at(one, "key")): _at(one, "value", "string_value") for one in _list(values)}
    return _text(found.get("domain")) or _text(found.get("vanity_url"))


def _is_edited(tweet: object) -> bool:
    control = _at(tweet, "edit_control")
    if _at(control, "edit_control_initial") is not None:
        return True
    return len(_list(_at(control, "edit_tweet_ids"))) > 1


def _time(value: str | None) -> datetime | None:
    """Reads `Thu Apr 24 08:31:28 +0000 2025` without asking the machine's locale."""
    try:
        _weekday, month, day, clock, offset, year = (value or "").split()
        hour, minute, second = map(int, clock.split(":"))
        shift = timedelta(hours=int(offset[:3]), minutes=int(offset[0] + offset[3:]))
        at = datetime(
            int(year),
            MONTHS.index(month) + 1,
            int(day),
            hour,
            minute,
            second,
            tzinfo=timezone(shift),
        )
    except ValueError:
        return None
    return at.astimezone(UTC)


def _error_code(error: object) -> str | None:
    for path in (("code",), ("extensions", "code")):
        code = _at(error, *path)
        if isinstance(code, str | int):
            return str(code)
    return None


def _at(value: object, *path: str) -> object:
    """What stands at a path of keys, or None."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
