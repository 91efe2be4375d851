"""One reading of a confirmed post: because its page is owed, or to see that it is still there.

Never a move and never a send: a post that is gone or says something else is an alarm for a
person. Called by `lane`, behind looks and posts.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agent.channels.channel import PageSight, ReadOrder, Trouble
from agent.domain.doubt import segments_wanted
from agent.domain.matching.policy import MatchPolicy
from agent.domain.page_check import check_page
from agent.domain.watch import ReadResult, ReadSeen
from agent.store.errors import FenceLost
from agent.work.evidence import folder_of, kept
from agent.work.lease import is_told_to_leave, under_lease

if TYPE_CHECKING:
    from agent.domain.matching.terms import SeenPost
    from agent.store.records import JobRecord, ReadClaim
    from agent.work.means import Means


async def read_again(claim: ReadClaim, means: Means) -> JobRecord | None:
    """Opens the post's page and writes down what it says.

    Returns:
        The job as it is now, or None when the claim was lost to another holder meanwhile.

    Raises:
        asyncio.CancelledError: Told to leave; what was seen is written first.
        StoreError: It could not be written; the sweep takes the reading back.
    """
    page = await _page(claim, means)
    job = await asyncio.shield(_finish(claim, page, means))
    if is_told_to_leave():
        raise asyncio.CancelledError
    return job


async def _page(claim: ReadClaim, means: Means) -> PageSight:
    try:
        return await under_lease(means.channel.read(_order(claim, means)), claim.ticket, means)
    except asyncio.CancelledError:
        return _nothing("cancelled", "the reading was called off")
    except Exception as error:  # noqa: BLE001 - whatever the error is, nothing was learnt
        means.tell(f"{claim.job.id} reading failed: {type(error).__name__}: {error}")
        return _nothing("channel_failed", f"{type(error).__name__}: {error}")


async def _finish(claim: ReadClaim, page: PageSight, means: Means) -> JobRecord | None:
    store, door = means.store, means.door
    seen = _seen(claim, page)
    try:
        job = await door.call(store.finish_read, claim.ticket, seen)
    except FenceLost:
        means.tell(f"{claim.job.id} reading lost its claim; it counts for nothing")
        return None
    finally:
        await door.call(store.add_evidence, claim.ticket, kept(page.captures, means))
    means.tell(f"{job.id} {claim.purpose.value} {seen.result.value} {seen.code}")
    return job


def _order(claim: ReadClaim, means: Means) -> ReadOrder:
    account, job = claim.account, claim.job
    if account.user_id is None or job.remote_id is None:
        raise ValueError(f"{job.id} was claimed to be read, but has no id to read")
    return ReadOrder(
        account_id=account.id,
        user_id=account.user_id,
        handle=account.handle,
        post_id=job.remote_id,
        evidence_dir=folder_of(account.handle, job.id, claim.ticket.reading_id, means),
    )


def _seen(claim: ReadClaim, page: PageSight) -> ReadSeen:
    if page.trouble is not None:
        trouble = page.trouble
        return ReadSeen(
            result=ReadResult.TROUBLE,
            code=trouble.code,
            why=trouble.detail,
            breaker=trouble.breaker,
            facts={},
        )
    if page.post is None:
        why = f"X shows no such post ({page.gone})"
        return _told(ReadResult.GONE, page.gone or "missing", why, {"gone": page.gone})
    return _compared(claim, page.post)


def _compared(claim: ReadClaim, post: SeenPost) -> ReadSeen:
    segment = segments_wanted(claim.payload)[0]
    user_id = claim.account.user_id
    assert user_id is not None  # noqa: S101 - checked in `_order`; for the type checker
    check = check_page(post, segment, user_id=user_id, policy=MatchPolicy())
    facts = {"text": post.text, "author_id": post.author_id, "edited": post.edited}
    if check.is_ours:
        return _told(ReadResult.EQUAL, "equal", "author, text and link are as frozen", facts)
    code = "foreign_author" if not check.is_author_ours else "differs"
    return _told(ReadResult.DIFFERS, code, "; ".join(check.reasons), facts)


def _told(result: ReadResult, code: str, why: str, facts: dict[str, Any]) -> ReadSeen:
    return ReadSeen(result=result, code=code, why=why, breaker=None, facts=facts)


def _nothing(code: str, why: str) -> PageSight:
    trouble = Trouble(code=code, detail=why, breaker=None)
    return PageSight(post=None, gone=None, trouble=trouble, captures=())
