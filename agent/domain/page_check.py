"""What a post's own page says of a frozen post: whose it is, and whether it reads the same. Pure.

Asked before a look confirms, when a reading is owed or a confirmed post is watched, and when a
person names a permalink. Which of several posts is ours is `matching`'s question, not this one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.domain.matching.comparison import RANK, compare, target_of
from agent.domain.matching.terms import Gate, Grade

if TYPE_CHECKING:
    from agent.domain.ids import UserId
    from agent.domain.matching.policy import MatchPolicy
    from agent.domain.matching.terms import SeenPost, WantedSegment


@dataclass(frozen=True, kw_only=True)
class PageCheck:
    """What the comparison came to; `reasons` are sentences for a person, empty when all is equal.

    What is not known is not equal.
    """

    is_author_ours: bool
    is_text_equal: bool
    is_link_equal: bool
    reasons: tuple[str, ...]

    @property
    def is_ours(self) -> bool:
        """Whether author, text and link are as frozen."""
        return self.is_author_ours and self.is_text_equal and self.is_link_equal


def check_page(
    post: SeenPost, segment: WantedSegment, *, user_id: UserId, policy: MatchPolicy
) -> PageCheck:
    """Compares a post, as its own page gave it, with a frozen one."""
    found = compare(target_of(segment, marker=None), post, policy)
    is_author_ours = post.author_id == user_id
    is_text_equal = RANK[found.grade] >= RANK[Grade.LETTERS] and all(
        found.gates[gate] is True for gate in (Gate.NUMBERS, Gate.SIGNS, Gate.WHOLE)
    )
    is_link_equal = found.gates[Gate.LINK] is True
    reasons = []
    if not is_author_ours:
        reasons.append(f"its author is {_who(post)}, not this account (user id {user_id})")
    if not is_text_equal:
        alike = found.scores.get("ratio", 0.0)
        reasons.append(f"its text is not the frozen one ({alike:g} % alike)")
    if not is_link_equal:
        reasons.append("its link is not the frozen one, or could not be seen in full")
    return PageCheck(
        is_author_ours=is_author_ours,
        is_text_equal=is_text_equal,
        is_link_equal=is_link_equal,
        reasons=tuple(reasons),
    )


def _who(post: SeenPost) -> str:
    handle = f"@{post.author_handle}" if post.author_handle else "somebody"
    return f"{handle} (user id {post.author_id or 'unknown'})"
