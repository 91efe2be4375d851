"""One look of a job in doubt: the channel reads the profile, the matcher judges, the store moves.

Confirms only what the matcher finds unique and whose own page, opened and captured, says the same.
Whatever goes wrong makes the look void, which says nothing about what is out. Never sends. Called
by `lane`, and by `review` for the look that a person asked for.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from agent.channels.channel import LookOrder, ReadOrder, Sight, Trouble
from agent.domain.doubt import LookResult, LookSeen, segments_wanted
from agent.domain.matching.policy import MatchPolicy
from agent.domain.matching.reasons import DUPLICATE
from agent.domain.matching.terms import AttemptTimes, Outcome, Wanted
from agent.domain.matching.verdict import MatchRefused, match
from agent.domain.page_check import check_page
from agent.domain.snowflake import floor_id, is_newer
from agent.store.errors import FenceLost
from agent.work.evidence import folder_of, kept
from agent.work.lease import is_told_to_leave, under_lease
from agent.work.verdict_code import code_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.channels.channel import Captured, PageSight
    from agent.domain.breaker import BreakerKind
    from agent.domain.ids import PostId
    from agent.domain.matching.terms import SeenPost, Verdict
    from agent.store.records import JobRecord, LookClaim
    from agent.work.means import Means

NO_TIMES = AttemptTimes(clicked_at=None, released_at=None, baseline_id=None)
UNIQUE = "unique"
EMPTY_PROFILE = "0"  # the baseline of a profile that was seen to be empty


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What a look came to, and the files it left."""

    seen: LookSeen
    captures: tuple[Captured, ...]


async def reconcile(claim: LookClaim, means: Means) -> JobRecord | None:
    """Makes one look and writes down what it came to.

    Args:
        claim: What the lane holds.
        means: What it works with.

    Returns:
        The job as it is now, or None when the claim was lost to another holder meanwhile.

    Raises:
        asyncio.CancelledError: Told to leave; what the look came to is written first.
        StoreError: It could not be written; the sweep takes the look back.
    """
    looked = await _look(claim, means)
    job = await asyncio.shield(_finish(claim, looked, means))
    if is_told_to_leave():
        raise asyncio.CancelledError
    return job


async def _look(claim: LookClaim, means: Means) -> Looked:
    try:
        return await under_lease(_steps(claim, means), claim.ticket, means)
    except asyncio.CancelledError:
        return _nothing("cancelled", "the look was called off")
    except Exception as error:  # noqa: BLE001 - whatever the error is, nothing was learnt
        means.tell(f"{claim.job.id} look failed: {type(error).__name__}: {error}")
        return _nothing("channel_failed", f"{type(error).__name__}: {error}")


async def _steps(claim: LookClaim, means: Means) -> Looked:
    """Reads, judges, and opens the page of what would be confirmed."""
    wanted = _wanted(claim, means)
    sight = await means.channel.look(_order(claim, wanted, means))
    captures = sight.captures
    if sight.trouble is not None:
        return Looked(seen=_void(sight, sight.trouble), captures=captures)
    ids = [post.id for post in sight.posts if post.id is not None]
    taken = await means.door.call(means.store.taken_ids, claim.job.channel, ids)
    wanted = replace(wanted, taken_ids=taken, now=means.clock.now())
    try:
        verdict = match(wanted, sight.posts, MatchPolicy())
    except MatchRefused as error:
        seen = _seen(sight, LookResult.VOID, code="match_refused", why=str(error))
        return Looked(seen=seen, captures=captures)
    if verdict.outcome is not Outcome.UNIQUE or verdict.id is None:
        return Looked(seen=_judged(claim, sight, wanted, verdict), captures=captures)
    page = await means.channel.read(_reading(claim, verdict.id, means))
    seen = _with_page(sight, wanted, verdict, page)
    return Looked(seen=seen, captures=(*captures, *page.captures))


def _wanted(claim: LookClaim, means: Means) -> Wanted:
    account, payload = claim.account, claim.payload
    if account.user_id is None:
        raise ValueError(f"{account.id} was claimed for, but nobody has signed in as it yet")
    times = claim.tried or replace(NO_TIMES, baseline_id=claim.attempt.baseline_id)
    return Wanted(
        user_id=account.user_id,
        handle=account.handle,
        kind=_kind_of(claim),
        segments=segments_wanted(payload),
        attempt=times,
        now=means.clock.now(),
        taken_ids=frozenset(),
        open_siblings=claim.open_siblings,
    )


def _kind_of(claim: LookClaim) -> str:
    if claim.payload.reply_to is not None:
        return "reply"
    return "post" if claim.payload.quote_of is None else "quote"


def _order(claim: LookClaim, wanted: Wanted, means: Means) -> LookOrder:
    known_id = wanted.attempt.baseline_id
    return LookOrder(
        account_id=claim.account.id,
        user_id=wanted.user_id,
        handle=wanted.handle,
        since_id=floor_id(claim.since_for_person),
        known_id=None if known_id == EMPTY_PROFILE else known_id,
        is_candidate=_is_candidate(wanted),
        evidence_dir=folder_of(wanted.handle, claim.job.id, claim.ticket.look_id, means),
    )


def _is_candidate(wanted: Wanted) -> Callable[[SeenPost], bool]:
    """Takes whatever a person should see: all that the matcher does not rule out by its content."""
    lenient = replace(wanted, attempt=NO_TIMES)

    def is_candidate(post: SeenPost) -> bool:
        return match(lenient, (post,), MatchPolicy()).outcome is not Outcome.NONE

    return is_candidate


def _reading(claim: LookClaim, post_id: PostId, means: Means) -> ReadOrder:
    account = claim.account
    assert account.user_id is not None  # noqa: S101 - checked in `_wanted`; for the type checker
    folder = folder_of(account.handle, claim.job.id, claim.ticket.look_id, means)
    return ReadOrder(
        account_id=account.id,
        user_id=account.user_id,
        handle=account.handle,
        post_id=post_id,
        evidence_dir=folder / "page",
    )


def _judged(claim: LookClaim, sight: Sight, wanted: Wanted, verdict: Verdict) -> LookSeen:
    """Ends a look that confirms nothing: something for a person, nothing there, or not enough."""
    if verdict.outcome is Outcome.AMBIGUOUS:
        return _seen(sight, LookResult.FOUND, code=code_of(verdict), wanted=wanted, verdict=verdict)
    if not _was_read_back(claim, sight):
        why = "an own post from before the window was not reached in both tabs"
        return _seen(sight, LookResult.VOID, code="window_not_reached", why=why)
    return _seen(sight, LookResult.ABSENT, code="none", wanted=wanted, verdict=verdict)


def _was_read_back(claim: LookClaim, sight: Sight) -> bool:
    """Tells whether all was read in which the post may stand.

    The end of both tabs is enough when a post from before the attempt was among what was read, or
    when there was none before it.
    """
    if sight.has_reached_start or not sight.has_reached_end:
        return sight.has_reached_start
    began_at = (claim.tried and claim.tried.clicked_at) or claim.attempt.claimed_at
    reached = sight.reached_id
    was_empty = claim.attempt.baseline_id == EMPTY_PROFILE
    return was_empty or (reached is not None and not is_newer(reached, floor_id(began_at)))


def _with_page(sight: Sight, wanted: Wanted, verdict: Verdict, page: PageSight) -> LookSeen:
    """Ends a look that found one post: its own page has the last word."""
    if page.trouble is not None or page.post is None:
        return _seen(sight, LookResult.VOID, **_unread(verdict, page))
    check = check_page(page.post, wanted.segments[0], user_id=wanted.user_id, policy=MatchPolicy())
    if check.is_ours and page.post.id == verdict.id:
        return _seen(sight, LookResult.FOUND, code=UNIQUE, wanted=wanted, verdict=verdict)
    why = tuple(f"{verdict.id}: on its own page, {reason}" for reason in check.reasons)
    doubted = replace(verdict, outcome=Outcome.AMBIGUOUS, id=None, reasons=(*why, *verdict.reasons))
    return _seen(sight, LookResult.FOUND, code="page_differs", wanted=wanted, verdict=doubted)


def _unread(verdict: Verdict, page: PageSight) -> dict[str, Any]:
    if page.trouble is not None:
        why = f"post {verdict.id} is ours, but its page was not read: {page.trouble.detail}"
        return {"code": page.trouble.code, "why": why, "breaker": page.trouble.breaker}
    why = f"post {verdict.id} is on the profile, but its own page says that it is gone"
    return {"code": "page_gone", "why": why}


def _void(sight: Sight, trouble: Trouble) -> LookSeen:
    return _seen(
        sight,
        LookResult.VOID,
        code=trouble.code,
        why=trouble.detail,
        breaker=trouble.breaker,
    )


def _seen(
    sight: Sight,
    result: LookResult,
    *,
    code: str,
    why: str | None = None,
    wanted: Wanted | None = None,
    verdict: Verdict | None = None,
    breaker: BreakerKind | None = None,
) -> LookSeen:
    return LookSeen(
        result=result,
        code=code,
        why=why or _sentences(verdict),
        verdict=verdict,
        wanted=wanted,
        posts=sight.posts,
        reached_id=sight.reached_id,
        page_loads=sight.page_loads,
        is_read_back=code == UNIQUE,
        breaker=breaker,
        facts=sight.facts,
        policy=_bounds(MatchPolicy()),
    )


def _sentences(verdict: Verdict | None) -> str:
    """The verdict's reasons without the mark of a duplicate, which the code says."""
    reasons = verdict.reasons if verdict else ()
    return "; ".join(reason for reason in reasons if reason != DUPLICATE)


def _bounds(policy: MatchPolicy) -> dict[str, Any]:
    """The matcher's bounds as they are kept with a look."""
    return {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in asdict(policy).items()
    }


def _nothing(code: str, why: str) -> Looked:
    """A look that ended without any sight."""
    trouble = Trouble(code=code, detail=why, breaker=None)
    sight = Sight(
        trouble=trouble,
        posts=(),
        has_reached_start=False,
        has_reached_end=False,
        reached_id=None,
        page_loads=0,
        facts={},
        captures=(),
    )
    return Looked(seen=_void(sight, trouble), captures=())


async def _finish(claim: LookClaim, looked: Looked, means: Means) -> JobRecord | None:
    store, door, seen = means.store, means.door, looked.seen
    try:
        job = await door.call(store.finish_look, claim.ticket, seen)
    except FenceLost:
        means.tell(f"{claim.job.id} look {claim.number} lost its claim; it counts for nothing")
        return None
    finally:
        await door.call(store.add_evidence, claim.ticket, kept(looked.captures, means))
    means.tell(f"{job.id} look {claim.number} {seen.result.value} {seen.code}: {job.state.value}")
    return job
