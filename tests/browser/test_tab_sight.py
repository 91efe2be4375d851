"""How far a tab was read, by its answers alone: what counts as depth, and what makes it void."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from browser.errors import Voided
from browser.facts import Identity
from browser.look_facts import VoidReason
from browser.tab_sight import TabSight
from browser.wire import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable

OWN, FOREIGN = "7", "8"
SINCE = 100


def _result(post_id: int, *, author: str = OWN, edits: Iterable[int] = ()) -> dict[str, Any]:
    return {
        "rest_id": str(post_id),
        "edit_control": {"edit_tweet_ids": [str(one) for one in edits]},
        "legacy": {"full_text": f"Number {post_id}", "user_id_str": author},
    }


def _content(result: dict[str, Any] | None, **more: object) -> dict[str, Any]:
    results = {} if result is None else {"result": result}
    return {"itemType": "TimelineTweet", "tweet_results": results, **more}


def _entry(post_id: int, result: dict[str, Any] | None, **more: object) -> dict[str, Any]:
    return {"entryId": f"tweet-{post_id}", "content": {"itemContent": _content(result, **more)}}


def _post(post_id: int, **wishes: Any) -> dict[str, Any]:  # noqa: ANN401 - passed on as it is
    return _entry(post_id, _result(post_id, **wishes))


def _talk(*results: dict[str, Any]) -> dict[str, Any]:
    items = [
        {"entryId": f"talk-tweet-{one['rest_id']}", "item": {"itemContent": _content(one)}}
        for one in results
    ]
    return {"entryId": "talk", "content": {"items": items}}


def _page(*entries: dict[str, Any], goes_on: bool = True) -> Reading:
    cursor = {"entryId": "cursor-bottom-1", "content": {"cursorType": "Bottom", "value": "c"}}
    added = {"type": "TimelineAddEntries", "entries": [*entries, *([cursor] if goes_on else [])]}
    timeline = {"timeline": {"timeline": {"instructions": [added]}}}
    body = {"data": {"user": {"result": timeline}}}
    return Reading(operation="UserTweets", status=200, body=body)


def _sight(*pages: Reading) -> TabSight:
    identity = Identity(user_id=OWN, handle="ada_writes")
    sight = TabSight(name="posts", identity=identity, since_id=str(SINCE))
    for page in pages:
        sight.take(page)
    return sight


PINNED = {"socialContext": {"contextType": "Pin"}}
AD = {"promotedMetadata": {"impressionId": "1"}}
DEPTH = {
    "an-older-post": ([_page(_post(120), _post(99))], True),
    "the-start-itself": ([_page(_post(120), _post(SINCE))], True),
    "on-the-second-page": ([_page(_post(120)), _page(_post(90))], True),
    "only-newer-ones": ([_page(_post(120), _post(110))], False),
    "a-pinned-one": ([_page(_entry(50, _result(50), **PINNED), _post(120))], False),
    "an-own-advertisement": ([_page(_post(120), _entry(50, _result(50), **AD))], False),
    "somebody-elses": ([_page(_post(120), _post(50, author=FOREIGN))], False),
    "the-root-of-a-thread": ([_page(_talk(_result(50), _result(120)))], False),
    "the-question-to-a-reply": ([_page(_talk(_result(50, author=FOREIGN), _result(120)))], False),
    "an-old-thread": ([_page(_post(120), _talk(_result(50), _result(60)))], True),
    "a-grave": ([_page(_post(120), _entry(50, {"__typename": "TweetTombstone"}))], False),
}


@pytest.mark.parametrize(("pages", "reaches"), DEPTH.values(), ids=DEPTH.keys())
def test_only_an_own_older_post_in_its_place_proves_depth(
    pages: list[Reading], *, reaches: bool
) -> None:
    """Pinned posts, advertisements, others' posts and the tops of threads prove nothing."""
    sight = _sight(*pages)

    assert sight.reaches_start is reaches


ENDS = {
    "no-cursor": ([_page(_post(120), goes_on=False)], True),
    "an-empty-page": ([_page(_post(120)), _page()], True),
    "a-cursor": ([_page(_post(120))], False),
}


@pytest.mark.parametrize(("pages", "ends"), ENDS.values(), ids=ENDS.keys())
def test_the_bottom_is_where_nothing_further_is_offered(
    pages: list[Reading], *, ends: bool
) -> None:
    """An account younger than the window has no older post, but it has a bottom."""
    assert _sight(*pages).has_ended is ends


REFUSED = Reading(operation="UserTweets", status=503, body={"errors": [{"code": 130}]})
LIMITED = Reading(operation="UserTweets", status=429, body=None)
VOID = {
    "nothing-listed": ([_page()], VoidReason.EMPTY_STATE),
    "newer-below-older": ([_page(_post(120), _post(90), _post(110))], VoidReason.OUT_OF_ORDER),
    "newer-on-the-next-page": ([_page(_post(90)), _page(_post(110))], VoidReason.OUT_OF_ORDER),
    "listed-but-not-shown": ([_page(_entry(120, None), _post(90))], VoidReason.PARTIAL_LOAD),
    "refused": ([REFUSED], VoidReason.ERROR_STATE),
    "refused-below": ([_page(_post(120)), REFUSED], VoidReason.PARTIAL_LOAD),
    "limited-below": ([_page(_post(120)), LIMITED], VoidReason.RATE_LIMITED),
}


@pytest.mark.parametrize(("pages", "reason"), VOID.values(), ids=VOID.keys())
def test_row_50_an_answer_that_proves_nothing_voids_the_look(
    pages: list[Reading], reason: VoidReason
) -> None:
    """By name, so that it is never taken for a profile without the post."""
    with pytest.raises(Voided) as voided:
        _sight(*pages)

    assert voided.value.void.reason is reason


HEALTHY = {
    "old-one-not-shown": [_page(_post(120), _entry(50, None), _post(40))],
    "refused-when-all-was-read": [_page(_post(120), _post(90)), REFUSED],
    "edited-in-its-old-place": [_page(_post(90), _post(110, edits=(80, 110)), _post(70))],
}


@pytest.mark.parametrize("pages", HEALTHY.values(), ids=HEALTHY.keys())
def test_what_lies_outside_of_the_window_does_no_harm(pages: list[Reading]) -> None:
    """Gaps and failures below the start are none of the look's business."""
    sight = _sight(*pages)

    assert sight.reaches_start


def test_two_answers_that_differ_about_a_post_are_a_disagreement() -> None:
    """Between two pages of one reading nothing of a post may change."""
    changed = _result(120) | {"legacy": {"full_text": "Changed", "user_id_str": OWN}}
    sight = _sight(_page(_post(120)), _page(_entry(120, changed), _post(90)))

    found = [(one.post_id, one.what) for one in sight.disagreements(sight.posts)]

    assert ("120", "answers") in found
