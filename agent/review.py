"""A person's decisions about a job in doubt: what is opened and looked at first, then written.

The rules stand in `agent.domain.decisions` and are held by the store; this module does what has
to be seen with a browser before: the post that a person names is opened, and a fresh look is made
before a post is ruled absent. Called by the command line; it sends nothing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from agent.channels.channel import PageSight, ReadOrder
from agent.domain.breaker import next_step, stops_reading
from agent.domain.decisions import PermalinkChecked, Refusal, note_missing, post_in
from agent.domain.doubt import segments_wanted
from agent.domain.matching.policy import MatchPolicy
from agent.domain.matching.terms import Outcome
from agent.domain.moves import State
from agent.domain.page_check import PageCheck, check_page
from agent.store.errors import DecisionRefused, NotFound
from agent.work.evidence import folder_of
from agent.work.reconcile import reconcile

if TYPE_CHECKING:
    from datetime import datetime

    from agent.domain.ids import JobId, PostId, UserId
    from agent.domain.matching.terms import SeenPost
    from agent.domain.payload import Payload
    from agent.store.doubt_records import LookRecord
    from agent.store.records import AccountRecord, JobRecord, JobTree
    from agent.work.means import Means


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Who decides about which job, on which version of it, and why."""

    job_id: JobId
    version: int
    actor: str
    note: str | None


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A post that a person named, as its page was read, beside what was frozen."""

    permalink: str
    post: SeenPost
    check: PageCheck
    expected_text: str
    expected_link: str | None

    @property
    def compared(self) -> dict[str, Any]:
        """What was frozen beside what its page says."""
        links = [link.expanded or link.shown for link in self.post.links or ()]
        return {
            "expected_text": self.expected_text,
            "seen_text": self.post.text,
            "is_text_equal": self.check.is_text_equal,
            "expected_link": self.expected_link,
            "seen_links": links,
            "is_link_equal": self.check.is_link_equal,
            "author": self.post.author_handle,
            "is_author_ours": self.check.is_author_ours,
            "reasons": list(self.check.reasons),
        }


class PostRefused(DecisionRefused):
    """The post that a person named is not taken; `compared` has it beside what was frozen."""

    def __init__(self, refusal: Refusal, opened: Opened) -> None:
        """Says what differs, too."""
        why = "; ".join((refusal.why, *opened.check.reasons))
        super().__init__(replace(refusal, why=why))
        self.compared = opened.compared


async def open_post(job_id: JobId, permalink: str, means: Means) -> Opened:
    """Opens the post that a person names, in the account's own browser, and compares it.

    Raises:
        DecisionRefused: `not_a_permalink`, `post_gone`, `page_unreadable`.
    """
    post_id = post_in(permalink)
    if post_id is None:
        raise _refused("not_a_permalink", f"{permalink} is no address of a post on x.com")
    tree = await means.door.call(means.store.show, job_id)
    account = await means.door.call(means.store.account, tree.job.account_id)
    payload = _payload_of(tree)
    page = await means.channel.read(_order(tree.job, account, post_id, means))
    post = _post_of(page, post_id)
    segment = segments_wanted(payload)[0]
    return Opened(
        permalink=permalink,
        post=post,
        check=check_page(post, segment, user_id=_user_of(account), policy=MatchPolicy()),
        expected_text=segment.text,
        expected_link=segment.link,
    )


async def confirm(
    decision: Decision, opened: Opened, *, is_forced: bool, means: Means
) -> JobRecord:
    """Confirms the job with a post that was opened.

    Raises:
        PostRefused: Another author, link or time, taken, or another text that is not forced.
        Stale: The job is not as it was when the person decided; nothing was changed.
    """
    post = opened.post
    if post.author_id is None or post.id is None:
        raise _refused("author_unseen", "who wrote the post could not be seen; open it again")
    checked = PermalinkChecked(
        permalink=opened.permalink,
        post_id=post.id,
        author_id=post.author_id,
        is_text_equal=opened.check.is_text_equal,
        is_link_equal=opened.check.is_link_equal,
        facts={"post": asdict(post), "reasons": list(opened.check.reasons)},
    )
    try:
        return await means.door.call(
            means.store.confirm,
            decision.job_id,
            version=decision.version,
            checked=checked,
            is_forced=is_forced,
            note=decision.note,
            actor=decision.actor,
        )
    except DecisionRefused as refused:
        raise PostRefused(refused.refusal, opened) from refused


async def rule_absent(
    decision: Decision,
    *,
    despite_candidates: bool,
    lasts_s: int | None,
    can_look: bool,
    means: Means,
) -> JobRecord:
    """Rules that nothing is out, after a fresh look, and allows one more try.

    Args:
        decision: Who, which, why.
        despite_candidates: The person saw the posts of the fresh look, and none is this job's.
        lasts_s: How long the permission holds; None: the policy's time.
        can_look: Whether this process may look itself; else the running daemon does.
        means: What it works with.

    Raises:
        DecisionRefused: `look_found` when the look found the post, which confirms the job; or
            another reason of the closed list.
        Stale: The job is not as it was when the person decided; nothing was changed.
    """
    if (missing := note_missing(decision.note)) is not None:
        raise DecisionRefused(missing)
    until = await means.door.call(means.store.quarantine_until, decision.job_id)
    if until is not None and means.clock.now() < until:
        raise _refused("quarantined", f"it may still show until {_said(until)}", until)
    tree = await means.door.call(means.store.show, decision.job_id)
    look = _standing_look(tree, means, is_enough=despite_candidates or not can_look)
    if look is None:
        tree = await _fresh_look(decision, means, can_look=can_look)
        look = tree.looks[-1]
    if tree.job.state is State.CONFIRMED and look.outcome is Outcome.UNIQUE:
        raise _refused("look_found", f"the look found it: {tree.job.permalink}; it is confirmed")
    return await means.door.call(
        means.store.rule_absent,
        decision.job_id,
        version=decision.version,
        look_id=look.id,
        note=decision.note or "",
        actor=decision.actor,
        lasts_s=lasts_s,
        despite_candidates=despite_candidates,
    )


async def look_for(job_id: JobId, means: Means) -> JobRecord:
    """Makes the looks that are due for the job's account until the job's own is done.

    Raises:
        DecisionRefused: `cannot_look`; something else holds the account's browser, or the account
            has trouble of its own.
    """
    job = (await means.door.call(means.store.show, job_id)).job
    while True:
        claim = await means.door.call(means.store.claim_look, job.account_id, worker=means.worker)
        if claim is None:
            raise _refused("cannot_look", await _why_no_look(job, means))
        means.tell(f"{claim.job.id} look {claim.number} as @{claim.account.handle}")
        looked_at = await reconcile(claim, means)
        if claim.job.id == job_id and looked_at is not None:
            return looked_at


async def _fresh_look(decision: Decision, means: Means, *, can_look: bool) -> JobTree:
    await means.door.call(means.store.look_now, decision.job_id, actor=decision.actor)
    if not can_look:
        raise _refused(
            "look_asked", "the running daemon makes a fresh look now; decide again when it is done"
        )
    await look_for(decision.job_id, means)
    return await means.door.call(means.store.show, decision.job_id)


def _standing_look(tree: JobTree, means: Means, *, is_enough: bool) -> LookRecord | None:
    """Returns the last look if it was asked for, is fresh, and a further one is not needed."""
    look = tree.looks[-1] if tree.looks else None
    if not is_enough or look is None or look.asked_by is None or look.ended_at is None:
        return None
    age_s = (means.clock.now() - look.ended_at).total_seconds()
    return look if age_s <= means.policy.fresh_look_s_max else None


async def _why_no_look(job: JobRecord, means: Means) -> str:
    account = await means.door.call(means.store.account, job.account_id)
    for breaker in account.breakers:
        if stops_reading(breaker.kind):
            return f"the account cannot be read: {next_step(breaker.kind, account.handle)}"
    return "the account's browser is at work; wait until it is done, then say it again"


def _order(job: JobRecord, account: AccountRecord, post_id: PostId, means: Means) -> ReadOrder:
    return ReadOrder(
        account_id=account.id,
        user_id=_user_of(account),
        handle=account.handle,
        post_id=post_id,
        evidence_dir=folder_of(account.handle, job.id, f"named-{post_id}", means),
    )


def _user_of(account: AccountRecord) -> UserId:
    if account.user_id is None:
        raise NotFound(
            f"nobody has signed in as @{account.handle} yet; run: postproof account login "
            f"{account.handle}"
        )
    return account.user_id


def _payload_of(tree: JobTree) -> Payload:
    if tree.intent.payload is None:
        raise _refused("payload_altered", "what was frozen was altered; it can confirm nothing")
    return tree.intent.payload


def _post_of(page: PageSight, post_id: PostId) -> SeenPost:
    if page.trouble is not None:
        raise _refused("page_unreadable", f"the post's page was not read: {page.trouble.detail}")
    if page.post is None:
        raise _refused("post_gone", f"X shows no post {post_id} ({page.gone})")
    return page.post


def _said(instant: datetime) -> str:
    return instant.isoformat(timespec="seconds")


def _refused(code: str, why: str, until_at: datetime | None = None) -> DecisionRefused:
    return DecisionRefused(Refusal(code=code, why=why, until_at=until_at))
