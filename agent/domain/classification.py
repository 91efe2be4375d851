"""The table that turns the facts of an attempt into an outcome.

Below the release everything is `NotSent`: the gate opens only after the release is written, so
"not released" is the proof, and no kind of error at any phase changes that. Behind the release
only an explicit refusal of a closed list, without an id, is `NotSent`; only an id whose author is
the account is `Sent`; all else is `Unknown`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from agent.domain.baseline import is_ours
from agent.domain.breaker import BreakerKind, needs_person
from agent.domain.facts import is_released
from agent.domain.likeness import has_same_text, shows_other_links
from agent.domain.outcome import NotSent, NotSentProof, Outcome, Sent, Unknown

if TYPE_CHECKING:
    from agent.domain.facts import AnswerSeen, AttemptFacts, PostSeen
    from agent.domain.ids import PostId


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What a stop or a refusal means for another try and for the account."""

    is_retryable: bool
    breaker: BreakerKind | None = None
    is_counted: bool = True


_AGAIN: Final = Rule(is_retryable=True)
_FREE: Final = Rule(is_retryable=True, is_counted=False)
_NEVER: Final = Rule(is_retryable=False)


def _waits(breaker: BreakerKind) -> Rule:
    # The breaker bounds these by itself: no try is made before somebody has mended the account.
    return Rule(is_retryable=True, breaker=breaker, is_counted=not needs_person(breaker))


ALREADY_THERE: Final = "already_there"

STOP_RULES: Final[dict[str, Rule]] = {
    "signed_out": _waits(BreakerKind.SIGNED_OUT),
    "wrong_account": _waits(BreakerKind.WRONG_ACCOUNT),
    "locked": _waits(BreakerKind.LOCKED),
    "challenge": _waits(BreakerKind.CHALLENGE),
    "interstitial": _waits(BreakerKind.INTERSTITIAL),
    "unknown_page": _waits(BreakerKind.UNKNOWN_PAGE),
    "rate_limited": _waits(BreakerKind.RATE_LIMITED),
    "never_hydrated": _AGAIN,
    "offline": _AGAIN,
    "baseline_unreadable": _AGAIN,
    "composer_missing": _AGAIN,
    "text_mismatch": _AGAIN,
    "button_disabled": _AGAIN,
    "over_limit": _NEVER,
    "request_mismatch": _AGAIN,
    "no_request": _AGAIN,
    "journal_refused": _AGAIN,
    "evidence_unwritable": _AGAIN,
    "browser_died": _AGAIN,
    "browser_busy": _AGAIN,
    "browser_missing": _AGAIN,
    "timed_out": _AGAIN,
    "cancelled": _FREE,
    "rehearsed": _FREE,
}

# X's explicit refusals. Source: x-web-facts §3.3 and §4.3 (2025-07 to 2026-10). Not here, and
# therefore unknown: 187 (one like it exists), 130 and 131 (X's own trouble), all others.
REFUSALS: Final[dict[str, Rule]] = {
    "186": _NEVER,  # too long
    "214": _NEVER,  # the content is invalid
    "324": _NEVER,  # the media are invalid
    "325": _NEVER,  # the media id is not known
    "144": _NEVER,  # the target is gone
    "385": _NEVER,  # the post replied to is gone
    "386": _NEVER,  # too many mentions, links, tags or attachments
    "433": _NEVER,  # replies are closed
    "226": Rule(is_retryable=False, breaker=BreakerKind.AUTOMATION),
    "64": Rule(is_retryable=False, breaker=BreakerKind.SUSPENDED),
    "37": Rule(is_retryable=False, breaker=BreakerKind.SUSPENDED),
    "326": _waits(BreakerKind.LOCKED),
    "32": _waits(BreakerKind.SIGNED_OUT),
    "89": _waits(BreakerKind.SIGNED_OUT),
    "353": _waits(BreakerKind.SIGNED_OUT),  # the session's token does not fit
    "344": _waits(BreakerKind.DAILY_LIMIT),
    "185": _waits(BreakerKind.DAILY_LIMIT),
    "88": _waits(BreakerKind.RATE_LIMITED),
}
DUPLICATE: Final = "187"


def classify(facts: AttemptFacts) -> Outcome:
    """Return how the attempt ended, from what was seen and nothing else."""
    if not is_released(facts.phase):
        return _before_release(facts)
    answer = facts.answer
    if answer is not None and answer.post_id is not None:
        return _with_id(facts, answer.post_id, author_id=answer.author_id)
    if answer is not None and answer.codes:
        return _refused(answer)
    if facts.toast is not None and facts.toast.post_id is not None:
        return _with_id(facts, facts.toast.post_id, author_id=None)
    return _no_id(facts)


def permalink_of(handle: str, post_id: PostId) -> str:
    """Return the address of a post."""
    return f"https://x.com/{handle}/status/{post_id}"


def _before_release(facts: AttemptFacts) -> Outcome:
    code = facts.stop_code or "ended_early"
    if code == ALREADY_THERE:
        return Unknown(code=code, detail=facts.stop_detail, breaker=None)
    rule = STOP_RULES.get(code, _AGAIN)
    return NotSent(
        proof=NotSentProof.NOT_RELEASED,
        code=code,
        detail=facts.stop_detail,
        is_retryable=rule.is_retryable,
        is_counted=rule.is_counted,
        breaker=rule.breaker,
    )


def _with_id(facts: AttemptFacts, post_id: PostId, *, author_id: str | None) -> Outcome:
    """Judge an id: whose it is, and whether its page says the same."""
    expected = facts.expected
    post = facts.read_back.post if facts.read_back else None
    if post is not None and post.id != post_id:
        post = None  # another post's page says nothing about this one
    if author_id is not None and author_id != expected.user_id:
        return _foreign(post_id, author_id)
    if post is not None and not is_ours(expected, post):
        return _foreign(post_id, post.author_id or post.author_handle or "somebody else")
    if post is None and author_id is None:
        detail = f"post {post_id} was named, but its author was not seen"
        return Unknown(code="author_unseen", detail=detail, breaker=None)
    if post is not None and (other := _difference(facts, post)):
        return Unknown(code=other, detail=f"post {post_id} is not what was frozen", breaker=None)
    return Sent(
        post_id=post_id,
        permalink=permalink_of(expected.handle, post_id),
        is_read_back=post is not None,
    )


def _foreign(post_id: PostId, author: str) -> Unknown:
    detail = f"post {post_id} is by {author}, not by this account"
    return Unknown(code="foreign_author", detail=detail, breaker=BreakerKind.FOREIGN_AUTHOR)


def _difference(facts: AttemptFacts, post: PostSeen) -> str | None:
    if not has_same_text(facts.expected, post):
        return "text_differs"
    return "link_differs" if shows_other_links(facts.expected, post) else None


def _refused(answer: AnswerSeen) -> Outcome:
    """Judge an answer of codes without an id: only codes that all refuse are a refusal."""
    rules = [REFUSALS.get(code) for code in answer.codes]
    said = ", ".join(answer.codes)
    first, rule = answer.codes[0], rules[0]
    if DUPLICATE in answer.codes:
        detail = "X says that the same text is out already (187)"
        return Unknown(code="duplicate_exists", detail=detail, breaker=None)
    if rule is None or None in rules:
        detail = f"X answered with {said}, which is no refusal of the closed list"
        return Unknown(code=f"x_{first}", detail=detail, breaker=None)
    return NotSent(
        proof=NotSentProof.REFUSED_BY_X,
        code=f"x_{first}",
        detail=f"X refused the post ({said})",
        is_retryable=rule.is_retryable,
        is_counted=rule.is_counted,
        breaker=rule.breaker,
    )


def _no_id(facts: AttemptFacts) -> Unknown:
    """Name how the answer was lost; trouble of the account seen on the way opens its breaker."""
    rule = STOP_RULES.get(facts.stop_code or "")
    code, detail = _loss(facts.answer)
    if facts.stop_code is not None:
        code, detail = f"{code}_{facts.stop_code}", f"{detail}; {facts.stop_detail}"
    return Unknown(code=code, detail=detail, breaker=rule.breaker if rule else None)


def _loss(answer: AnswerSeen | None) -> tuple[str, str]:
    if answer is None:
        return "no_answer", "no answer was seen"
    if answer.failure is not None:
        return "answer_lost", f"the browser lost the answer ({answer.failure})"
    if answer.status is not None and answer.status >= _SERVER_TROUBLE:
        return "server_error", f"X answered with HTTP {answer.status}"
    if answer.empty_result:
        return "empty_result", "X answered without saying which post it made"
    return (
        "answer_unclear",
        f"X answered with HTTP {answer.status}, naming neither post nor refusal",
    )


_SERVER_TROUBLE: Final = 500
