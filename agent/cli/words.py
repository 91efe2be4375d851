"""A word out of a closed list, as a person types it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, TypeVar

from agent.cli.bad_input import BadInput

if TYPE_CHECKING:
    from enum import StrEnum

Member = TypeVar("Member", bound="StrEnum")


def member(kind: type[Member], word: str, *, what: str) -> Member:
    """Returns the member that a word names.

    Args:
        kind: The closed list.
        word: What was typed.
        what: What the list holds, with its article: "a state".

    Raises:
        BadInput: No such member; the message names the nearest one.
    """
    known = [each.value for each in kind]
    if word in known:
        return kind(word)
    near = difflib.get_close_matches(word, known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise BadInput(f"{word!r} is not {what}; write one of {', '.join(known)}.{hint}")
