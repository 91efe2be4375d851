"""The hard set: cases written by hand in `hard.yaml`, each with the verdict it must get.

A case says only what is special in it. `{link}` stands where the final link was typed; in an
answer it reads as t.co, on a page as shown.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import yaml

CLICKED_AT = datetime(2026, 11, 30, 10, tzinfo=UTC)
TWITTER_EPOCH_MS = 1_288_834_974_657
USER_ID, HANDLE = "2244994945", "acme_writes"
LINK = "https://blog.example.com/2026/11/slow-software"
TEXT = "Slow software: why we wait, and 3 ways out {link}"
SHORT = "https://t.co/Abcdefghij"


@dataclass(frozen=True, kw_only=True)
class HardCase:
    """A case for `match`, as files hold it, and what must come of it.

    Attributes:
        verdict: the outcome, and for a unique one the id.
        mark: a reason that must be among the verdict's, if any.
    """

    name: str
    intent: dict[str, Any]
    posts: list[dict[str, Any]]
    verdict: tuple[str, str | None]
    mark: str | None


@cache
def hard_cases() -> tuple[HardCase, ...]:
    """Return the hard set."""
    raw = yaml.safe_load(Path(__file__).with_name("hard.yaml").read_text(encoding="utf-8"))
    return tuple(_case(one) for one in raw)


def _case(raw: dict[str, Any]) -> HardCase:
    ours = {"text": TEXT, "link": LINK, "kind": "post", "media_count": 0} | raw.get("ours", {})
    posts = [_post(post, ours) for post in raw.get("posts", [{}])]
    ids = {name: post["id"] for name, post in zip(_names(raw), posts, strict=True)}
    outcome, _, name = raw["verdict"].partition(" ")
    segments = [_segment(ours), *(_segment(ours | one) for one in raw.get("rest", []))]
    intent = {
        "account": {"user_id": USER_ID, "handle": HANDLE},
        "kind": ours["kind"],
        "segments": segments,
        "attempt": _attempt() | raw.get("attempt", {}),
        "now": _rfc3339(CLICKED_AT + timedelta(seconds=raw.get("now", 600))),
        "taken_ids": [ids[one] for one in raw.get("taken", [])],
        "open_siblings": [
            {"segments": [_segment(ours | one)], "attempt": one.get("attempt", _attempt())}
            for one in raw.get("siblings", [])
        ],
    }
    return HardCase(
        name=raw["name"],
        intent=json.loads(json.dumps(intent)),
        posts=posts,
        verdict=(outcome, ids[name] if name else None),
        mark=raw.get("mark"),
    )


def _names(raw: dict[str, Any]) -> list[str]:
    return [post.get("name", f"p{at}") for at, post in enumerate(raw.get("posts", [{}]), start=1)]


def _segment(ours: dict[str, Any]) -> dict[str, Any]:
    text = ours["text"].replace("{link}", ours["link"] or "")
    return {"text": text, "link": ours["link"], "media_count": ours["media_count"]}


def _post(raw: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    source = raw.get("source", "answer")
    expanded = raw.get("expanded", ours["link"])
    text = raw.get("text", ours["text"])
    links = [{"shown": raw.get("shown", "blog.example.com/2026/11/slow…"), "href": SHORT}]
    links[0]["expanded"] = expanded
    has_link = text is not None and "{link}" in text
    if has_link:
        text = text.replace(
            "{link}", SHORT if source == "answer" else expanded or links[0]["shown"]
        )
    post = {
        "id": id_at(raw.get("at", 2), raw.get("low", 7)),
        "author_id": USER_ID,
        "author_handle": HANDLE,
        "source": source,
        "kind": "post",
        "text": text,
        "links": links if has_link else [],
        "card_domain": None,
        "pinned": False,
        "truncated": False,
        "edited": False,
        "media_count": 0,
    }
    return post | {name: raw[name] for name in raw.keys() & post.keys() - {"text"}}


def id_at(after_s: float, low_bits: int) -> str:
    """Return the id of a post made so long after the click."""
    made = CLICKED_AT + timedelta(seconds=after_s)
    return str((int(made.timestamp() * 1000) - TWITTER_EPOCH_MS) << 22 | low_bits)


def _attempt() -> dict[str, Any]:
    return {
        "clicked_at": _rfc3339(CLICKED_AT),
        "released_at": _rfc3339(CLICKED_AT + timedelta(seconds=1)),
        "baseline_id": id_at(-3600, 0),
    }


def _rfc3339(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")
