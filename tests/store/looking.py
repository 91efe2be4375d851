"""What the tests of doubt say of looks and readings, and the way into a doubt."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agent.domain.decisions import PermalinkChecked
from agent.domain.doubt import LookResult, LookSeen
from agent.domain.facts import Phase
from agent.domain.ids import PostId, UserId
from agent.domain.matching.terms import Assessment, Grade, Outcome, SeenPost, Verdict
from agent.domain.moves import State
from agent.domain.snowflake import floor_id
from agent.domain.watch import ReadResult, ReadSeen
from tests.store.scene import UNKNOWN

if TYPE_CHECKING:
    from agent.domain.ids import JobId
    from agent.store.records import JobRecord, LookClaim, ReadClaim, Ticket
    from tests.store.scene import Scene

BASELINE = PostId("1900000000000000000")


def id_after(scene: Scene, seconds: float = 0) -> PostId:
    """Return the id of a post that is made so many seconds from now."""
    return floor_id(scene.clock.now() + timedelta(seconds=seconds))


def seen_post(post_id: str) -> SeenPost:
    """Return a post of the writer's, as a look reads it."""
    return SeenPost(
        id=PostId(post_id),
        author_id=UserId("42"),
        author_handle="Writer",
        source="answer",
        kind="post",
        text="Hello",
        links=(),
        card_domain=None,
        pinned=False,
        truncated=False,
        edited=False,
        media_count=0,
    )


def verdict(outcome: Outcome, *post_ids: str) -> Verdict:
    """Return the matcher's word on posts."""
    candidates = tuple(
        Assessment(id=PostId(one), grade=Grade.EXACT, gates={}, scores={"ratio": 100.0}, reasons=())
        for one in post_ids
    )
    is_unique = outcome is Outcome.UNIQUE
    return Verdict(
        outcome=outcome,
        id=candidates[0].id if is_unique else None,
        reasons=("as the test says",),
        candidates=candidates,
    )


def seen(result: LookResult, code: str, made: Verdict | None, **changes: Any) -> LookSeen:  # noqa: ANN401 - any field
    """Return what a look saw."""
    said: dict[str, Any] = {
        "why": "as the test says",
        "wanted": None,
        "posts": tuple(seen_post(one.id) for one in (made.candidates if made else ()) if one.id),
        "reached_id": BASELINE,
        "page_loads": 2,
        "is_read_back": True,
        "breaker": None,
        "facts": {"tabs": 2},
        "policy": {"near_pct_min": 80.0},
    }
    return LookSeen(result=result, code=code, verdict=made, **(said | changes))


ABSENT = seen(LookResult.ABSENT, "none", verdict(Outcome.NONE))
VOID = seen(LookResult.VOID, "partial_load", None)


def found(post_id: str, **changes: Any) -> LookSeen:  # noqa: ANN401 - any field
    """Return a look that found the one post."""
    return seen(LookResult.FOUND, "unique", verdict(Outcome.UNIQUE, post_id), **changes)


def ambiguous(code: str, *post_ids: str) -> LookSeen:
    """Return a look that found posts, and not enough to say which."""
    return seen(LookResult.FOUND, code, verdict(Outcome.AMBIGUOUS, *post_ids))


def released(scene: Scene, text: str = "Hello", **changes: Any) -> Ticket:  # noqa: ANN401 - as `prepare`
    """Prepare a post and carry it past its release."""
    prepared = scene.prepare(text, **changes)
    ticket = scene.claim().ticket
    assert ticket.job_id == prepared.job_id
    scene.store.record_baseline(ticket, newest_id=BASELINE, post_ids=[BASELINE])
    scene.carry(ticket, Phase.RELEASED)
    return ticket


def in_doubt(scene: Scene, text: str = "Hello", **changes: Any) -> JobId:  # noqa: ANN401 - as `prepare`
    """Prepare a post, release it, and lose the answer."""
    ticket = released(scene, text, **changes)
    scene.store.finish(ticket, UNKNOWN, facts=None)
    return ticket.job_id


def claim_look(scene: Scene) -> LookClaim:
    """Go to the time of the next look and claim it."""
    job = min(
        (job for job in scene.store.jobs() if job.look_at is not None),
        key=lambda job: job.look_at or scene.clock.now(),
    )
    assert job.look_at is not None
    scene.clock.forward(max(0, (job.look_at - scene.clock.now()).total_seconds()))
    claim = scene.store.claim_look(scene.writer.id, worker="w")
    assert claim is not None
    return claim


def look(scene: Scene, what: LookSeen) -> JobRecord:
    """Make the next look, at its time."""
    return scene.store.finish_look(claim_look(scene).ticket, what)


def before_person(scene: Scene, text: str = "Hello", **changes: Any) -> JobRecord:  # noqa: ANN401 - as `prepare`
    """Bring a job before a person: a look found two posts."""
    job_id = in_doubt(scene, text, **changes)
    job = look(scene, ambiguous("duplicate", id_after(scene, -20), id_after(scene, -10)))
    assert (job.id, job.state) == (job_id, State.NEEDS_MANUAL)
    return job


def fresh_look(scene: Scene, job_id: JobId, what: LookSeen) -> str:
    """Ask for a look, make it, and return its id."""
    scene.store.look_now(job_id, actor="ann")
    claim = scene.store.claim_look(scene.writer.id, worker="w")
    assert claim is not None
    scene.store.finish_look(claim.ticket, what)
    return claim.ticket.look_id


def ruled_absent(scene: Scene, text: str = "Hello") -> JobRecord:
    """Bring a job to a person, and let the person rule that its post is not out."""
    job = before_person(scene, text)
    scene.clock.forward(scene.store.policy.quarantine_s)
    look_id = fresh_look(scene, job.id, ABSENT)
    return scene.store.rule_absent(
        job.id,
        version=job.version,
        look_id=look_id,
        note="not there",
        actor="ann",
        despite_candidates=False,
    )


def checked(post_id: str, **changes: Any) -> PermalinkChecked:  # noqa: ANN401 - any field
    """Return a post that a person names, as its page was read."""
    said: dict[str, Any] = {
        "permalink": f"https://x.com/Writer/status/{post_id}",
        "author_id": UserId("42"),
        "is_text_equal": True,
        "is_link_equal": True,
        "facts": {"text": "Hello"},
    }
    return PermalinkChecked(post_id=PostId(post_id), **(said | changes))


def claim_read(scene: Scene, job_id: JobId) -> ReadClaim:
    """Go to the time of a post's next reading and claim it."""
    at = scene.job(job_id).read_at
    assert at is not None
    scene.clock.forward(max(0, (at - scene.clock.now()).total_seconds()))
    claim = scene.store.claim_read(scene.writer.id, worker="w")
    assert claim is not None
    return claim


def read(scene: Scene, job_id: JobId, result: ReadResult) -> JobRecord:
    """Make the next reading of a post, at its time."""
    ticket = claim_read(scene, job_id).ticket
    what = ReadSeen(result=result, code=result, why="as seen", breaker=None, facts={"text": "x"})
    return scene.store.finish_read(ticket, what)
