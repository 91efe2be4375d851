"""How an attempt ended, as a value: `Sent`, `NotSent` with its proof, or `Unknown`.

The names say what is known, not what is hoped. Made by `classification.classify` and by the
sweep; written by the store.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from agent.domain.breaker import BreakerKind
    from agent.domain.ids import PostId


class NotSentProof(StrEnum):
    """Why nothing can be out.

    Attributes:
        NOT_RELEASED: the release was never written, and the gate opens only after it.
        REFUSED_BY_X: X refused this very request with a code of the closed list, and gave no id.
    """

    NOT_RELEASED = "not_released"
    REFUSED_BY_X = "refused_by_x"


@dataclass(frozen=True, kw_only=True)
class Sent:
    """It is out: the post's id and permalink are known, and its author is the account.

    `is_read_back` tells whether the post's own page was read and agreed; else it is owed.
    """

    post_id: PostId
    permalink: str
    is_read_back: bool


@dataclass(frozen=True, kw_only=True)
class NotSent:
    """Proven not out.

    Attributes:
        code: a stop code, or X's code as `x_226`.
        is_retryable: another try may help without anything being changed.
        is_counted: the try counts towards the cap; what waits for a person does not.
        breaker: the trouble of the account that this shows.
    """

    proof: NotSentProof
    code: str
    detail: str
    is_retryable: bool
    is_counted: bool
    breaker: BreakerKind | None


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """It may or may not be out; `code` says how the answer was lost."""

    code: str
    detail: str
    breaker: BreakerKind | None


Outcome: TypeAlias = Sent | NotSent | Unknown


def agreed_with_record(outcome: Outcome, *, is_released: bool) -> Outcome:
    """Return the outcome that the durable record allows.

    The record outranks the report: a release on record may have let the post out whatever the
    report says, and a post without a release on record is a contradiction that a person must see.
    """
    match outcome:
        case NotSent(proof=NotSentProof.NOT_RELEASED) if is_released:
            return Unknown(
                code="release_in_doubt",
                detail=f"the attempt stopped ({outcome.code}), but its release is on record",
                breaker=outcome.breaker,
            )
        case Sent() if not is_released:
            return Unknown(
                code="no_release_on_record",
                detail=f"post {outcome.post_id} was seen, but no release is on record",
                breaker=None,
            )
        case _:
            return outcome
