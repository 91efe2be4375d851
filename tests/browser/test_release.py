"""A request is released only when it says just what was ordered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from browser.facts import Identity, Order, RequestFacts
from browser.release import differs

ORDER = Order(identity=Identity(user_id="1", handle="ada"), text="Hello", rehearse=False)
SAME = RequestFacts(
    operation="CreateTweet",
    text="Hello",
    media_count=0,
    reply_to=None,
    quote_of=None,
    body_sha256="0" * 64,
)


def test_a_request_that_says_just_that_does_not_differ() -> None:
    """The one case that goes on."""
    assert differs(ORDER, SAME) is None


@pytest.mark.parametrize(
    ("request_facts", "named"),
    [
        (replace(SAME, text="Hello "), "another text"),
        (replace(SAME, text="hello"), "another text"),
        (replace(SAME, media_count=1), "1 media"),
        (replace(SAME, reply_to="2"), "reply to 2"),
        (replace(SAME, quote_of="3"), "quote 3"),
    ],
    ids=["space", "case", "media", "reply", "quote"],
)
def test_row_22_any_difference_is_named(request_facts: RequestFacts, named: str) -> None:
    """Text to the letter, media, reply and quote."""
    difference = differs(ORDER, request_facts)

    assert difference is not None
    assert named in difference
