from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.domain.ids import AccountId, TenantId
from agent.domain.intent import (
    IntentKey,
    article_of,
    derived_key,
    differing_fields,
    faults_of_names,
)
from agent.domain.links import link_of
from agent.domain.payload import freeze
from agent.domain.text import Tier

KEY = IntentKey(
    tenant=TenantId("default"),
    article="https://example.com/a",
    revision="1",
    channel="x_web",
    account_id=AccountId("acc_1"),
    operation="announce",
)
PAYLOAD = freeze(
    account_id=AccountId("acc_1"), tier=Tier.BASIC, text="Hello", link="https://example.com/a"
)


def test_asking_twice_without_a_key_is_asking_once() -> None:
    """The derived key depends on the intent and on nothing else."""
    assert derived_key(KEY) == derived_key(replace(KEY))


@pytest.mark.parametrize(
    "field", ["tenant", "article", "revision", "channel", "account_id", "operation"]
)
def test_every_part_of_the_intent_makes_another_key(field: str) -> None:
    """Two intents never share a derived key."""
    changed: dict[str, Any] = {field: "another"}

    other = replace(KEY, **changed)

    assert derived_key(other) != derived_key(KEY)


ARTICLES = {
    "its own name": ("post-17", "https://example.com/a", "post-17"),
    "a name that is a link": (
        "http://www.example.com/a/?utm_source=x",
        None,
        "https://example.com/a",
    ),
    "the link": (None, "https://www.example.com/a/", "https://example.com/a"),
}


@pytest.mark.parametrize(("article", "link", "expected"), ARTICLES.values(), ids=ARTICLES)
def test_row_74_one_article_has_one_name(
    article: str | None, link: str | None, expected: str
) -> None:
    """Row 74: the same item with a new guid or http for https is one intent."""
    found = article_of(article=article, link=link_of(link) if link else None, text="Hello")

    assert found == expected


def test_a_post_without_link_and_name_is_known_by_its_text() -> None:
    """The same words by the same account are the same intent; other words are another."""
    one = article_of(article=None, link=None, text="Hello")
    other = article_of(article=None, link=None, text="Hello!")

    assert one.startswith("text:")
    assert one != other


def test_a_difference_names_its_fields() -> None:
    """What differs is named, in the payload and in the intent."""
    other = freeze(account_id=AccountId("acc_1"), tier=Tier.BASIC, text="Bye", link=None)

    fields = differing_fields(
        key=replace(KEY, revision="2"), kept_key=KEY, payload=other, kept_payload=PAYLOAD
    )

    assert fields == ("link", "revision", "text")


NAMES = {
    "empty article": ({"article": " "}, None, ["article"]),
    "long operation": ({"operation": "x" * 201}, None, ["operation"]),
    "control characters": ({"revision": "1\n"}, None, ["revision"]),
    "empty key": ({}, "", ["key"]),
    "all at once": ({"article": "", "revision": ""}, "\0", ["article", "revision", "key"]),
    "none": ({}, "release-17", []),
}


@pytest.mark.parametrize(("changes", "key", "fields"), NAMES.values(), ids=NAMES)
def test_row_12_names_that_cannot_be_kept_are_all_named(
    changes: dict[str, Any], key: str | None, fields: list[str]
) -> None:
    """Row 12: empty, too long, control characters: every fault is listed."""
    faults = faults_of_names(replace(KEY, **changes), key)

    assert [fault.field for fault in faults] == fields
