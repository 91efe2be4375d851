"""Turns what the browser reports into the ledger's facts, field by field. Pure.

Both packages keep their own words on purpose: the browser knows nothing of the ledger, the domain
nothing of a browser. A test holds the lists of phases and stop codes equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.channels.channel import Captured, Delivery
from agent.domain.facts import (
    AnswerSeen,
    AttemptFacts,
    LinkSeen,
    Phase,
    PostSeen,
    ReadBackSeen,
    RequestSeen,
    ToastSeen,
)
from agent.domain.ids import PostId, UserId

if TYPE_CHECKING:
    from agent.domain.facts import Expected
    from browser import facts as seen


def delivery_of(expected: Expected, report: seen.SendReport) -> Delivery:
    """Returns the facts of a report."""
    return Delivery(
        facts=AttemptFacts(
            expected=expected,
            phase=None if report.phase is None else Phase(report.phase.value),
            stop_code=None if report.stop is None else report.stop.code.value,
            stop_detail="" if report.stop is None else report.stop.detail,
            answer=None if report.answer is None else _answer_of(report.answer),
            toast=None if report.toast is None else _toast_of(report.toast),
            read_back=None if report.read_back is None else _read_back_of(report.read_back),
        ),
        captures=tuple(captured_of(capture) for capture in report.captures),
    )


def delivery_of_stop(expected: Expected, stop: seen.Stop) -> Delivery:
    """Returns the facts of an attempt for which not even a browser opened."""
    facts = AttemptFacts(
        expected=expected,
        phase=None,
        stop_code=stop.code.value,
        stop_detail=stop.detail,
        answer=None,
        toast=None,
        read_back=None,
    )
    return Delivery(facts=facts, captures=())


def baseline_of(baseline: seen.Baseline) -> tuple[PostId | None, tuple[PostSeen, ...]]:
    """Returns the newest post's id and the posts."""
    newest = None if baseline.newest_id is None else PostId(baseline.newest_id)
    return newest, tuple(_post_of(post) for post in baseline.posts)


def request_of(request: seen.RequestFacts) -> RequestSeen:
    """Returns what of the waiting request is kept."""
    return RequestSeen(operation=request.operation, body_sha256=request.body_sha256)


def captured_of(capture: seen.Capture) -> Captured:
    """Returns a file of evidence, or that taking it failed."""
    return Captured(
        kind=capture.kind,
        path=capture.path,
        sha256=capture.sha256,
        size_bytes=capture.size_bytes,
        taken_at=capture.taken_at,
        failure=capture.failure,
    )


def _post_of(post: seen.PostFacts) -> PostSeen:
    return PostSeen(
        id=PostId(post.id),
        author_id=None if post.author_id is None else UserId(post.author_id),
        author_handle=post.author_handle,
        source=post.source,
        kind=post.kind,
        text=post.text,
        links=tuple(
            LinkSeen(shown=link.shown, href=link.href, expanded=link.expanded)
            for link in post.links
        ),
        is_truncated=post.truncated,
    )


def _answer_of(answer: seen.AnswerFacts) -> AnswerSeen:
    return AnswerSeen(
        status=answer.status,
        post_id=None if answer.post_id is None else PostId(answer.post_id),
        author_id=None if answer.author_id is None else UserId(answer.author_id),
        codes=answer.codes,
        empty_result=answer.empty_result,
        failure=answer.failure,
    )


def _toast_of(toast: seen.ToastFacts) -> ToastSeen:
    return ToastSeen(
        post_id=None if toast.post_id is None else PostId(toast.post_id), handle=toast.handle
    )


def _read_back_of(read_back: seen.ReadBack) -> ReadBackSeen:
    post = None if read_back.post is None else _post_of(read_back.post)
    return ReadBackSeen(post=post, trouble=read_back.trouble)
