"""One short word for why a verdict is ambiguous: the code under which a person meets the job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.domain.matching.reasons import DUPLICATE
from agent.domain.matching.terms import Gate, Grade

if TYPE_CHECKING:
    from agent.domain.matching.terms import Verdict

SEVERAL = "several_fit"
UNSURE = "not_sure"
OTHER_TEXT = "other_text"

# What a person should hear first of the likeliest post; a gate that is only unknown counts too.
_WORDS = {
    Gate.NO_SIBLING: "sibling",
    Gate.NO_COMPETITOR: "competitor",
    Gate.LINK: "link_unsure",
    Gate.LINK_PLACE: "link_moved",
    Gate.NUMBERS: "other_numbers",
    Gate.SIGNS: "other_signs",
    Gate.WHOLE: "text_cut",
    Gate.MEDIA: "other_media",
    Gate.ONE_READING: "readings_differ",
    Gate.AUTHOR: "author_unsure",
    Gate.WINDOW: "time_unsure",
    Gate.BASELINE: "time_unsure",
    Gate.KIND: "kind_unsure",
    Gate.NOT_TAKEN: "time_unsure",
}


def code_of(verdict: Verdict) -> str:
    """Returns the word for an ambiguous verdict."""
    if DUPLICATE in verdict.reasons:
        return DUPLICATE
    if not verdict.candidates:
        return UNSURE
    likeliest = verdict.candidates[0]
    if likeliest.grade not in (Grade.EXACT, Grade.LETTERS):
        return OTHER_TEXT
    failed = [gate for gate, passed in likeliest.gates.items() if passed is False]
    unknown = [gate for gate, passed in likeliest.gates.items() if passed is None]
    first = next(iter([*failed, *unknown]), None)
    return SEVERAL if first is None else _WORDS[first]
