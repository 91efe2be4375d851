"""Families of which one gate alone stops the wrong post, so that the ablation shows its worth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.matching_cases.as_x_shows import CUT_AT, Typed, Url, as_answer, as_page
from tests.matching_cases.families import Made, made, perhaps_ours
from tests.matching_cases.mutations import with_other_marks, with_the_opposite
from tests.matching_cases.world import new_draft, new_world

if TYPE_CHECKING:
    import random


def just_before_the_baseline(rng: random.Random) -> Made:
    """The same post by hand seconds before the click, and before the baseline was read."""
    world, draft = new_world(rng), new_draft(rng)
    world.show(world.stored(draft.typed(), after_s=-rng.uniform(3, 4.9)))
    world.baseline_id = world.stored(draft.typed(), after_s=-rng.uniform(1, 2.9)).id
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def while_composing(rng: random.Random) -> Made:
    """The same post by hand after the baseline was read, while ours was being composed."""
    world, draft = new_world(rng), new_draft(rng)
    world.show(world.stored(draft.typed(), after_s=-rng.uniform(5.1, 18)))
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def other_pictures(rng: random.Random) -> Made:
    """The same post by hand, with another number of pictures."""
    world, draft = new_world(rng), new_draft(rng)
    world.show(world.stored(draft.typed(media_count=rng.randrange(1, 5)), after_s=9))
    return made(world, draft.typed(), draft, *perhaps_ours(world, draft))


def read_twice(rng: random.Random) -> Made:
    """One id, of which two answers tell two texts."""
    world, draft = new_world(rng), new_draft(rng)
    stored = world.stored(draft.typed())
    other = replace(stored, typed=with_the_opposite(draft).typed())
    world.posts += [as_answer(one, rng) for one in (stored, other)]
    return made(world, draft.typed(), draft)


def cut_where_ours_ends(rng: random.Random) -> Made:
    """A longer post that begins with all of ours and is cut right behind it, as far as is known."""
    world, draft = new_world(rng), new_draft(rng)
    paragraphs = " ".join(new_draft(rng, has_link=False).typed().text for _ in range(12))
    link = draft.link or ""
    space_left = CUT_AT - len(link) - 1
    ours = Typed((Url(link), " " + paragraphs[:space_left].rstrip(" ") + "."))
    longer = Typed((Url(link), " " + paragraphs[:space_left].rstrip(" ") + ". " + paragraphs))
    seen = as_page(world.stored(longer), rng, has_card=True)
    seen |= {"author_id": world.user_id, "text": f"{link}{ours.parts[1]}"}
    seen["truncated"] = rng.choice((True, None))
    world.posts.append(seen)
    return made(world, ours, draft)


def half_read(rng: random.Random) -> Made:
    """Ours read from the page only, beside one by hand that differs in marks and is read well."""
    world, draft = new_world(rng), new_draft(rng)
    ours = world.stored(draft.typed())
    world.posts.append(as_page(ours, rng, has_card=False))
    world.show(world.stored(with_other_marks(draft), after_s=9))
    return made(world, draft.typed(), draft, ours.id)
