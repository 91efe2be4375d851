"""The families of labelled cases: each function makes one case and says what is true in it.

The label is the set of posts that are ours, known because they were made as ours; no rule of the
matcher is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tests.matching_cases.as_x_shows import Typed, Url, as_page
from tests.matching_cases.mutations import (
    edited_by_hand,
    otherwise_typed,
    with_other_link,
    with_other_number,
    with_other_sign,
    with_other_word,
    with_the_opposite,
    without_its_link_place,
)
from tests.matching_cases.world import (
    Draft,
    World,
    new_draft,
    new_link,
    new_world,
    segment,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.matching_cases.as_x_shows import Post


@dataclass(frozen=True, kw_only=True)
class Made:
    """A case without its name: the files of `postproof match`, and the truth."""

    intent: dict[str, Any]
    posts: list[Post]
    ours: frozenset[str]
    marker: str | None = None


def plain(rng: random.Random) -> Made:
    """Ours beside posts that have nothing to do with it."""
    world, draft = new_world(rng), new_draft(rng)
    typed = draft.typed(media_count=rng.choice((0, 0, 0, 1, 4)))
    ours = world.show(world.stored(typed), page_too=rng.random() < 0.4)
    return made(world, typed, draft, ours)


def absent(rng: random.Random) -> Made:
    """Ours was never stored."""
    world, draft = new_world(rng), new_draft(rng)
    return made(world, draft.typed(), draft)


def template_twins(rng: random.Random) -> Made:
    """Promotions of other articles from the same template, some by hand, ours perhaps there."""
    world, draft = new_world(rng), new_draft(rng)
    for _ in range(rng.randrange(1, 4)):
        other = with_other_word(rng, replace(draft, link=new_link(rng)))
        world.show(world.stored(other.typed(), after_s=rng.uniform(1, 25)))
    same_text = replace(draft, link=new_link(rng))
    world.show(world.stored(same_text.typed(), after_s=rng.uniform(1, 25)))
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def one_word_changed(rng: random.Random) -> Made:
    """The same link, one word of the text another."""
    return _beside_a_twin(rng, lambda draft: with_other_word(rng, draft).typed())


def the_opposite(rng: random.Random) -> Made:
    """The same link, a "not" put in or taken out."""
    return _beside_a_twin(rng, lambda draft: with_the_opposite(draft).typed())


def one_number_changed(rng: random.Random) -> Made:
    """The same link, one number another: 10 for 100, 1.5 for 15, v2 for v3, a minus, a unit."""
    return _beside_a_twin(rng, lambda draft: with_other_number(rng, draft).typed())


def one_sign_changed(rng: random.Random) -> Made:
    """The same link, an emoji or another sign that means something changed."""
    return _beside_a_twin(rng, lambda draft: with_other_sign(rng, draft).typed())


def by_hand(rng: random.Random) -> Made:
    """The writer posts the same link with other words."""
    return _beside_a_twin(rng, lambda draft: edited_by_hand(rng, draft))


def other_links(rng: random.Random) -> Made:
    """The same words with another link, a second link, none, or the link in another place."""
    return _beside_a_twin(rng, lambda draft: with_other_link(rng, draft))


def link_elsewhere(rng: random.Random) -> Made:
    """The same words and link, the link in another place."""
    return _beside_a_twin(rng, without_its_link_place)


def old_twins(rng: random.Random) -> Made:
    """The same post of an earlier day, pinned or not, or of a minute before the click."""
    world, draft = new_world(rng), new_draft(rng)
    before_s = rng.choice((rng.uniform(100, 600), rng.uniform(4000, 10**7)))
    world.show(world.stored(draft.typed(), after_s=-before_s, pinned=rng.random() < 0.6))
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def other_kinds(rng: random.Random) -> Made:
    """A repost, a quote or a reply with our text and link."""
    world, draft = new_world(rng), new_draft(rng)
    for kind in rng.sample(("repost", "quote", "reply"), rng.randrange(1, 4)):
        world.show(world.stored(draft.typed(), after_s=rng.uniform(1, 25), kind=kind))
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def other_accounts(rng: random.Random) -> Made:
    """Our text and link on other accounts, one of them with a handle much like ours."""
    world, draft = new_world(rng), new_draft(rng)
    for handle in ("somebody", world.handle.upper()):
        stored = world.stored(
            draft.typed(),
            after_s=rng.uniform(1, 25),
            author_id=str(rng.randrange(10**9, 10**19)),
            handle=handle,
        )
        world.show(stored)
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def near_siblings(rng: random.Random) -> Made:
    """Another open job of the same article with nearly our text; its post, ours, or both."""
    world, draft = new_world(rng), new_draft(rng)
    change = rng.choice((with_other_word, with_other_number, lambda _, one: with_the_opposite(one)))
    sibling = change(rng, draft)
    world.siblings.append(_job(world, sibling))
    who = rng.choice(("ours", "theirs", "both"))
    if who != "ours":
        world.show(world.stored(sibling.typed(), after_s=rng.uniform(1, 25)))
    ours = [world.show(world.stored(draft.typed()))] if who != "theirs" else []
    return made(world, draft.typed(), draft, *ours)


def same_siblings(rng: random.Random) -> Made:
    """Another open job with our very text and link; only luck could tell whose the post is."""
    world, draft = new_world(rng), new_draft(rng)
    world.siblings.append(_job(world, draft))
    posted = world.show(world.stored(draft.typed()))
    return made(world, draft.typed(), draft, *([posted] if rng.random() < 0.5 else []))


def marked_siblings(rng: random.Random) -> Made:
    """Two open jobs with one text, told apart by the marker in their links."""
    world, draft = new_world(rng), new_draft(rng)
    first, second = (f"utm_content=pp{number}" for number in rng.sample(range(1000, 9999), 2))
    join = "&" if "?" in (draft.link or "") else "?"
    ours, theirs = (replace(draft, link=f"{draft.link}{join}{one}") for one in (first, second))
    world.siblings.append(_job(world, theirs))
    world.show(world.stored(theirs.typed(), after_s=rng.uniform(1, 25)))
    return made(world, ours.typed(), ours, *perhaps_ours(world, ours), marker=first)


def twice(rng: random.Random) -> Made:
    """Two posts of ours for one job: the browser sent again, or a ghost."""
    world, draft = new_world(rng), new_draft(rng)
    both = [world.show(world.stored(draft.typed(), after_s=after)) for after in (2, 2.4)]
    return made(world, draft.typed(), draft, *both)


def taken(rng: random.Random) -> Made:
    """The same post, which confirms another job already; ours perhaps there too."""
    world, draft = new_world(rng), new_draft(rng)
    world.taken.append(world.show(world.stored(draft.typed(), after_s=rng.uniform(1, 25))))
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def without_link(rng: random.Random) -> Made:
    """A job without a link, beside a post that differs from it, or that has a link."""
    world, draft = new_world(rng), new_draft(rng, has_link=False)
    twins = (with_other_word, with_other_number, with_other_sign)
    twin = rng.choice(twins)(rng, draft)
    if rng.random() < 0.3:
        twin = replace(draft, link=new_link(rng), link_stands="end")
    world.show(world.stored(twin.typed(), after_s=rng.uniform(1, 25)))
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def otherwise_read(rng: random.Random) -> Made:
    """Ours, as reading may change it: composed letters, spaces, invisible signs, widths, marks."""
    world, draft = new_world(rng), new_draft(rng)
    typed = draft.typed()
    ours = world.stored(typed)
    world.show(replace(ours, typed=otherwise_typed(rng, typed)))
    return made(world, typed, draft, ours.id)


def edited(rng: random.Random) -> Made:
    """Ours, edited by the writer before the look; an edit has an id of its own."""
    world, draft = new_world(rng), new_draft(rng)
    changed = with_other_word(rng, draft) if rng.random() < 0.7 else draft
    ours = world.show(world.stored(changed.typed(), after_s=20, edited=True))
    return made(world, draft.typed(), draft, ours)


def behind_a_card(rng: random.Random) -> Made:
    """Ours or a twin, read from the page only: its last link hidden, or cut with an ellipsis."""
    world, draft = new_world(rng), new_draft(rng)
    is_ours = rng.random() < 0.6
    typed = draft.typed() if is_ours else edited_by_hand(rng, draft)
    stored = world.stored(typed)
    has_card = rng.random() < 0.6
    world.posts.append(as_page(stored, rng, has_card=has_card, hides_links=not has_card))
    return made(world, draft.typed(), draft, *([stored.id] if is_ours else []))


def long_posts(rng: random.Random) -> Made:
    """A long post, read whole from the answer, beside one of the same beginning."""
    world, draft = new_world(rng), new_draft(rng)
    paragraphs = [new_draft(rng, has_link=False).typed().text for _ in range(8)]
    typed = Typed(("\n\n".join((draft.subject, *paragraphs)) + "\n\n", Url(draft.link or "")))
    other = Typed(("\n\n".join((draft.subject, *paragraphs[:-1])) + "\n\n", Url(draft.link or "")))
    if rng.random() < 0.5:
        world.show(world.stored(other, after_s=rng.uniform(1, 25)))
    stored = world.stored(typed)
    if rng.random() < 0.4:
        return made(world, typed, draft)
    world.show(stored, page_too=rng.random() < 0.5)
    return made(world, typed, draft, stored.id)


def show_more(rng: random.Random) -> Made:
    """The beginning of a long post on the page, the rest behind "Show more": ours or another."""
    world, draft = new_world(rng), new_draft(rng)
    paragraphs = [new_draft(rng, has_link=False).typed().text for _ in range(8)]
    typed = Typed(("\n\n".join((draft.subject, *paragraphs)) + "\n\n", Url(draft.link or "")))
    other = Typed(("\n\n".join((draft.subject, *paragraphs[:-1])) + "\n\n", Url(draft.link or "")))
    is_ours = rng.random() < 0.5
    stored = world.stored(typed if is_ours else other)
    world.posts.append(as_page(stored, rng, has_card=True) | {"author_id": world.user_id})
    return made(world, typed, draft, *([stored.id] if is_ours else []))


def threads(rng: random.Random) -> Made:
    """The first post of a thread of ours, with the others below it as replies to ourselves."""
    world, draft = new_world(rng), new_draft(rng)
    rest = [with_other_number(rng, with_other_word(rng, draft)).typed() for _ in range(2)]
    ours = world.show(world.stored(draft.typed()))
    for at, typed in enumerate(rest):
        world.show(world.stored(typed, after_s=3 + at, kind="reply"))
    case = made(world, draft.typed(), draft, ours)
    case.intent["segments"] += [segment(typed, draft.link) for typed in rest]
    return case


def unknown_facts(rng: random.Random) -> Made:
    """One fact that the rule needs is not known, of ours or of a post that is not."""
    world, draft = new_world(rng), new_draft(rng)
    name, foreign = rng.choice(
        (
            ("author_id", {"author_id": "1", "handle": world.handle}),
            ("kind", {"kind": "repost"}),
            ("links", {"typed": replace(draft, link=new_link(rng)).typed()}),
            ("text", {"typed": with_the_opposite(draft).typed()}),
            ("id", {}),
        )
    )
    stored = world.stored(draft.typed())
    is_ours = name == "id" or rng.random() < 0.5
    if not is_ours:
        stored = replace(stored, **foreign)
    world.show(stored)
    world.posts[-1][name] = None
    return made(world, draft.typed(), draft, *([stored.id] if is_ours else []))


def _beside_a_twin(rng: random.Random, twin_of: Callable[[Draft], Typed]) -> Made:
    """Make a case with a post that is nearly ours, and ours in half of the cases."""
    world, draft = new_world(rng), new_draft(rng)
    twin = twin_of(draft)
    world.show(world.stored(twin, after_s=rng.uniform(1, 25)), page_too=rng.random() < 0.3)
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def perhaps_ours(world: World, draft: Draft) -> list[str]:
    """Put ours on the profile in half of the cases; its id, if so."""
    if world.rng.random() < 0.5:
        return []
    return [world.show(world.stored(draft.typed()), page_too=world.rng.random() < 0.3)]


def _job(world: World, draft: Draft) -> dict[str, Any]:
    return {"segments": [segment(draft.typed(), draft.link)], "attempt": world.attempt()}


def made(world: World, typed: Typed, draft: Draft, *ours: str, marker: str | None = None) -> Made:
    """Return the case; the arguments behind the draft are the ids of ours."""
    world.rng.shuffle(world.posts)
    return Made(
        intent=world.intent(typed, link=draft.link),
        posts=world.posts,
        ours=frozenset(ours),
        marker=marker,
    )
