"""One account at one moment: the job in doubt, and the profile a look would read.

Draws everything from a seeded generator, so that a case can be made again from its seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from tests.matching_cases.as_x_shows import Post, Stored, Typed, Url, as_answer, as_page

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

TWITTER_EPOCH_MS = 1_288_834_974_657
LANGUAGES = ("en", "zh", "ja", "ko", "mixed")


@cache
def words() -> dict[str, Any]:
    """The word lists."""
    path = Path(__file__).with_name("words.yaml")
    read: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return read


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What a text is made of, so that one thing in it can be changed and nothing else."""

    lead: str
    subject: str
    adjective: str
    detail: str
    numbers: tuple[str, ...]
    claim: str
    negation: str
    emoji: str
    tag: str
    link: str | None
    link_stands: str  # "end", "middle"

    def typed(self, *, media_count: int = 0) -> Typed:
        """The post as it is typed."""
        numbers = iter(self.numbers)
        pieces = self.detail.split("{n}")
        detail = pieces[0] + "".join(next(numbers) + piece for piece in pieces[1:])
        lead = self.lead.format(s=self.subject, a=self.adjective)
        rest = " ".join(filter(None, (self.claim.replace("{not}", self.negation), detail)))
        tail = " ".join(filter(None, (self.emoji, self.tag)))
        if self.link is None:
            return Typed((" ".join(filter(None, (lead, rest, tail))),), media_count)
        if self.link_stands == "middle":
            return Typed((f"{lead} ", Url(self.link), f" {rest} {tail}".rstrip()), media_count)
        body = " ".join(filter(None, (lead, rest, tail)))
        return Typed((f"{body}\n\n", Url(self.link)), media_count)


@dataclass(kw_only=True)
class World:
    """An account, its attempt, and the posts on its profile."""

    rng: random.Random
    user_id: str
    handle: str
    clicked_at: datetime
    now: datetime
    baseline_id: str
    posts: list[Post] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    siblings: list[dict[str, Any]] = field(default_factory=list)

    def stored(self, typed: Typed, *, after_s: float = 2.0, **changes: Any) -> Stored:  # noqa: ANN401 - fields of Stored
        """Return a post that X stored so long after the click; it is on no profile yet."""
        at = self.clicked_at + timedelta(seconds=after_s)
        plain = Stored(typed=typed, id=self.id_at(at), author_id=self.user_id, handle=self.handle)
        return replace(plain, **changes)

    def show(self, stored: Stored, *, page_too: bool = False) -> str:
        """Put a post on the profile, read from the answer and perhaps from the page; its id."""
        self.posts.append(as_answer(stored, self.rng, has_card=self.rng.random() < 0.7))
        if page_too:
            self.posts.append(as_page(stored, self.rng, has_card=self.rng.random() < 0.7))
        return stored.id

    def id_at(self, at: datetime) -> str:
        """Return an id made at an instant."""
        made_ms = int(at.timestamp() * 1000) - TWITTER_EPOCH_MS
        return str(made_ms << 22 | self.rng.getrandbits(22))

    def intent(self, typed: Typed, *, link: str | None, kind: str = "post") -> dict[str, Any]:
        """Return the job in doubt, as a file has it."""
        return {
            "account": {"user_id": self.user_id, "handle": self.handle},
            "kind": kind,
            "segments": [segment(typed, link)],
            "attempt": self.attempt(),
            "now": _rfc3339(self.now),
            "taken_ids": self.taken,
            "open_siblings": self.siblings,
        }

    def attempt(self) -> dict[str, Any]:
        """Return the attempt, as a file has it."""
        return {
            "clicked_at": _rfc3339(self.clicked_at),
            "released_at": _rfc3339(self.clicked_at + timedelta(milliseconds=200)),
            "baseline_id": self.baseline_id,
        }


def segment(typed: Typed, link: str | None) -> dict[str, Any]:
    """Return one post of a job, as a file has it."""
    return {"text": typed.text, "link": link, "media_count": typed.media_count}


def new_world(rng: random.Random) -> World:
    """Return an account with an attempt and a few posts that have nothing to do with it."""
    clicked_at = datetime(2026, 11, 30, 8, tzinfo=UTC) + timedelta(seconds=rng.uniform(0, 86_400))
    world = World(
        rng=rng,
        user_id=str(rng.randrange(10**9, 10**19)),
        handle=rng.choice(("acme_writes", "Ada_L", "kobo")),
        clicked_at=clicked_at,
        now=clicked_at + timedelta(seconds=rng.choice((30, 120, 600, 1800, 7200))),
        baseline_id="0",
    )
    world.baseline_id = world.id_at(clicked_at - timedelta(seconds=rng.uniform(20, 90)))
    for _ in range(rng.randrange(4)):
        world.show(world.stored(_thought(rng), after_s=-rng.uniform(600, 90_000)))
    if rng.random() < 0.3:
        world.show(world.stored(_thought(rng), after_s=rng.uniform(3, 25)))
    return world


def new_draft(rng: random.Random, *, has_link: bool = True) -> Draft:
    """Return what a promotion is made of, in one of the languages or in two."""
    language = rng.choice(LANGUAGES)
    first, second = rng.sample(LANGUAGES[:-1], 2) if language == "mixed" else (language, language)
    lists = words()
    head, body = lists[first], lists[second]
    detail = rng.choice(body["details"])
    return Draft(
        lead=rng.choice(head["leads"]),
        subject=rng.choice(head["subjects"]),
        adjective=rng.choice(head["adjectives"]),
        detail=detail,
        numbers=tuple(new_number(rng) for _ in range(detail.count("{n}"))),
        claim=rng.choice(body["claims"]),
        negation=rng.choice(body["not"]),
        emoji=rng.choice(("", *lists["emoji"])),
        tag=rng.choice(("", *head["tags"])),
        link=new_link(rng) if has_link else None,
        link_stands=rng.choice(("end", "end", "end", "middle")),
    )


def new_number(rng: random.Random) -> str:
    """Return a number as people write them."""
    whole = rng.choice((rng.randrange(2, 10), rng.randrange(10, 100), rng.randrange(100, 3000)))
    return rng.choice((str(whole), str(whole), f"{whole}.{rng.randrange(1, 10)}", f"{whole:,}"))


def new_link(rng: random.Random) -> str:
    """Return a link of some length."""
    lists = words()
    path = rng.choice(lists["paths"]).replace("{n}", str(rng.randrange(1, 9999)))
    tracking = rng.choice(("", "", "utm_source=x&utm_medium=social"))
    mark = "&" if "?" in path else "?"
    number = rng.randrange(1, 99_999)
    link = f"https://{rng.choice(lists['hosts'])}/{number}/{path}"
    return f"{link}{mark}{tracking}" if tracking else link


def other_subject(rng: random.Random, draft: Draft) -> str:
    """Return another subject of the same language."""
    lists = words()
    language = next(one for one in LANGUAGES if draft.subject in lists[one]["subjects"])
    return _another(rng, lists[language]["subjects"], draft.subject)


def other_adjective(rng: random.Random, draft: Draft) -> str:
    """Return another adjective of the same language."""
    lists = words()
    language = next(one for one in LANGUAGES if draft.adjective in lists[one]["adjectives"])
    return _another(rng, lists[language]["adjectives"], draft.adjective)


def other_negation(draft: Draft) -> str:
    """Return the other word of the pair: the sentence says the opposite."""
    lists = words()
    language = next(one for one in LANGUAGES if draft.claim in lists[one]["claims"])
    pair: list[str] = lists[language]["not"]
    return pair[1] if draft.negation == pair[0] else pair[0]


def _thought(rng: random.Random) -> Typed:
    language = rng.choice(LANGUAGES[:-1])
    return Typed((rng.choice(words()[language]["thoughts"]),))


def _another(rng: random.Random, choices: Iterable[str], one: str) -> str:
    return rng.choice([other for other in choices if other != one])


def _rfc3339(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")
