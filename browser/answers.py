"""Reads X's answers: pure functions from parsed JSON to facts.

Every shape of x-web-facts §4.2 to §4.4 is read, the older ones included; what is missing becomes
None and never an error, since an answer is data of somebody else's. Ids are read from their
places in the structure, never by searching the text. Called by `wire` on live answers and by the
`read` command on saved ones.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from browser.answer_shape import (
    CREATED,
    at,
    instructions,
    items,
    listed,
    post_id,
    text,
    unwrapped,
)
from browser.facts import AnswerFacts, Link, PostFacts

if TYPE_CHECKING:
    from browser.answer_shape import Item

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def read_created(*, status: int | None, body: object, failure: str | None) -> AnswerFacts:
    """Reads the answer to a posting request.

    Args:
        status: The HTTP status, or None when no answer came.
        body: The parsed JSON, or None when there was none or it was not JSON.
        failure: The browser's word for why no answer came.
    """
    results = [at(body, "data", *path) for path in CREATED]
    result = next((found for found in results if found is not None), None)
    post = unwrapped(at(result, "result"))
    errors = listed(at(body, "errors"))
    return AnswerFacts(
        status=status,
        post_id=post_id(post),
        author_id=_author(post)[0],
        codes=tuple(code for code in map(_error_code, errors) if code is not None),
        messages=tuple(text(at(error, "message")) or "" for error in errors),
        empty_result=result is not None and post_id(post) is None,
        failure=failure,
    )


def read_posts(body: object) -> tuple[PostFacts, ...]:
    """Reads the posts of any known answer, in its order, each id once.

    A timeline gives its own entries: a repost is one post, and what it reposts or quotes is not
    another. Tombstones, unavailable posts and empty results hold no post.
    """
    posts: dict[str, PostFacts] = {}
    for item in items(body):
        post = read_item(item)
        if post is not None and (post.pinned or post.id not in posts):
            posts[post.id] = post
    return tuple(posts.values())


def read_item(item: Item) -> PostFacts | None:
    """Reads the post that stands in one place of an answer; None when none can be read there."""
    tweet = unwrapped(item.result)
    found_id, legacy = post_id(tweet), at(tweet, "legacy")
    if found_id is None or legacy is None:
        return None
    author_id, author_handle = _author(tweet)
    note = at(tweet, "note_tweet", "note_tweet_results", "result")
    note_text = text(at(note, "text"))
    media = _media(legacy)
    return PostFacts(
        id=found_id,
        author_id=author_id,
        author_handle=author_handle,
        source="answer",
        kind=_kind(tweet, legacy),
        text=note_text if note_text is not None else text(at(legacy, "full_text")) or "",
        links=_links(at(note, "entity_set") if note_text is not None else at(legacy, "entities")),
        card_domain=_card_domain(tweet),
        pinned=item.is_pinned,
        truncated=note_text is None and at(tweet, "note_tweet") is not None,
        edited=_is_edited(tweet),
        media_count=len(media),
        created_at=_time(text(at(legacy, "created_at"))),
        media_hrefs=tuple(dict.fromkeys(filter(None, (text(at(one, "url")) for one in media)))),
    )


def what_is_missing(item: Item) -> str:
    """What stands in a place where no post can be read: X's own word for it, or `empty`."""
    kind = text(at(item.result, "__typename"))
    return kind if kind is not None else "empty"


def has_timeline(body: object) -> bool:
    """Whether this is a timeline at all, with or without posts."""
    return any(True for _ in instructions(at(body, "data")))


def error_codes(body: object) -> tuple[str, ...]:
    """The codes of an answer's errors, in order."""
    codes = map(_error_code, listed(at(body, "errors")))
    return tuple(code for code in codes if code is not None)


def _author(tweet: object) -> tuple[str | None, str | None]:
    user = at(tweet, "core", "user_results", "result")
    handle = text(at(user, "core", "screen_name")) or text(at(user, "legacy", "screen_name"))
    user_id = text(at(user, "rest_id")) or text(at(tweet, "legacy", "user_id_str"))
    return user_id, handle


def _kind(tweet: object, legacy: object) -> str:
    if at(legacy, "retweeted_status_result") or at(tweet, "retweeted_status_result"):
        return "repost"
    if at(legacy, "in_reply_to_status_id_str"):
        return "reply"
    quoted = ("quoted_status_result", "quotedRefResult")
    if at(legacy, "is_quote_status") is True or any(at(tweet, name) for name in quoted):
        return "quote"
    return "post"


def _links(entities: object) -> tuple[Link, ...]:
    return tuple(
        Link(
            shown=text(at(url, "display_url")) or text(at(url, "url")) or "",
            href=text(at(url, "url")),
            expanded=text(at(url, "expanded_url")),
        )
        for url in listed(at(entities, "urls"))
    )


def _media(legacy: object) -> list[object]:
    return listed(at(legacy, "extended_entities", "media")) or listed(
        at(legacy, "entities", "media")
    )


def _card_domain(tweet: object) -> str | None:
    values = at(tweet, "card", "legacy", "binding_values")
    if isinstance(values, dict):  # before 2023 a mapping, since then a list of key and value
        values = [{"key": key, "value": value} for key, value in values.items()]
    found = {text(at(one, "key")): at(one, "value", "string_value") for one in listed(values)}
    return text(found.get("domain")) or text(found.get("vanity_url"))


def _is_edited(tweet: object) -> bool:
    control = at(tweet, "edit_control")
    if at(control, "edit_control_initial") is not None:
        return True
    return len(listed(at(control, "edit_tweet_ids"))) > 1


def _time(value: str | None) -> datetime | None:
    """Reads `Thu Apr 24 08:31:28 +0000 2025` without asking the machine's locale."""
    try:
        _weekday, month, day, clock, offset, year = (value or "").split()
        hour, minute, second = map(int, clock.split(":"))
        shift = timedelta(hours=int(offset[:3]), minutes=int(offset[0] + offset[3:]))
        moment = datetime(
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
    return moment.astimezone(UTC)


def _error_code(error: object) -> str | None:
    for path in (("code",), ("extensions", "code")):
        code = at(error, *path)
        if isinstance(code, str | int):
            return str(code)
    return None
