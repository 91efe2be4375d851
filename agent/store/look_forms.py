"""A look as it is kept: the shapes of `postproof match`, bounded.

What was looked for, the verdict and the posts are written in the shapes that the command reads and
prints, so that a kept look can be judged again. Of a long look the likeliest posts are kept.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from agent.domain.payload import canonical_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent.domain.doubt import LookSeen
    from agent.domain.matching.terms import AttemptTimes, SeenPost, Verdict, Wanted, WantedSegment


def columns_of(seen: LookSeen, *, posts_max: int) -> dict[str, Any]:
    """Return the columns of a look's row that say what was seen."""
    return {
        "result": seen.result,
        "code": seen.code,
        "why": seen.why,
        "outcome": seen.verdict.outcome if seen.verdict else None,
        "post_id": seen.found_id,
        "reached_id": seen.reached_id,
        "page_loads": seen.page_loads,
        "posts_read": len(seen.posts),
        "verdict": canonical_json(_verdict(seen.verdict, posts_max)) if seen.verdict else None,
        "wanted": canonical_json(_wanted(seen.wanted)) if seen.wanted else None,
        "posts": canonical_json([asdict(post) for post in _kept(seen, posts_max)]),
        "facts": canonical_json(dict(seen.facts)),
        "policy": canonical_json(dict(seen.policy)),
    }


def _verdict(verdict: Verdict, posts_max: int) -> dict[str, Any]:
    return {
        "verdict": verdict.outcome,
        "id": verdict.id,
        "reasons": list(verdict.reasons),
        "candidates": [
            {
                "id": one.id,
                "grade": one.grade,
                "gates": dict(one.gates),
                "scores": dict(one.scores),
                "reasons": list(one.reasons),
            }
            for one in verdict.candidates[:posts_max]
        ],
    }


def _wanted(wanted: Wanted) -> dict[str, Any]:
    return {
        "account": {"user_id": wanted.user_id, "handle": wanted.handle},
        "kind": wanted.kind,
        "segments": _segments(wanted.segments),
        "attempt": _times(wanted.attempt),
        "now": wanted.now.isoformat(),
        "taken_ids": sorted(wanted.taken_ids),
        "open_siblings": [
            {
                "segments": _segments(one.segments),
                "attempt": _times(one.attempt) if one.attempt else None,
            }
            for one in wanted.open_siblings
        ],
        "marker": wanted.marker,
    }


def _segments(segments: Sequence[WantedSegment]) -> list[dict[str, Any]]:
    return [asdict(segment) for segment in segments]


def _times(attempt: AttemptTimes) -> dict[str, Any]:
    return {
        "clicked_at": attempt.clicked_at.isoformat() if attempt.clicked_at else None,
        "released_at": attempt.released_at.isoformat() if attempt.released_at else None,
        "baseline_id": attempt.baseline_id,
    }


def _kept(seen: LookSeen, posts_max: int) -> list[SeenPost]:
    """Return every reading of the likeliest posts; without a verdict the first that were read."""
    if seen.verdict is None:
        return list(seen.posts[:posts_max])
    rank = {one.id: at for at, one in enumerate(seen.verdict.candidates[:posts_max])}
    return sorted((post for post in seen.posts if post.id in rank), key=lambda one: rank[one.id])
