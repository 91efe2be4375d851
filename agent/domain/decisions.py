"""What a person may decide about a job in doubt, and what each decision must bring.

Pure. A person can name the post, rule that there is none, or close the doubt; none of it can be
done against what was checked, but for a text that differs, and that only with a note.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from agent.domain.classification import ALREADY_THERE
from agent.domain.doubt import LookResult
from agent.domain.ids import PostId
from agent.domain.matching.terms import Outcome
from agent.domain.snowflake import time_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from agent.domain.ids import UserId
    from agent.domain.matching.terms import AttemptTimes
    from agent.domain.policy import Policy

DUPLICATE_EXISTS: Final = "duplicate_exists"
HOSTS: Final = frozenset({"x.com", "www.x.com", "mobile.x.com", "twitter.com", "www.twitter.com"})
# In these doubts the post in question is older than the attempt.
LOOKING_BACK: Final = frozenset({ALREADY_THERE, DUPLICATE_EXISTS})


class DecisionKind(StrEnum):
    """What a person decided.

    Attributes:
        CONFIRM: this post is the job's.
        ABSENT: there is none; one more try is allowed.
        GIVE_UP: the doubt is closed without being settled.
        WITHDRAW: the permission for one more try is taken back.
    """

    CONFIRM = "confirm"
    ABSENT = "absent"
    GIVE_UP = "give_up"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, kw_only=True)
class PermalinkChecked:
    """A post that a person names, as its own page was read by the caller.

    `facts` is what was read, for the record.
    """

    permalink: str
    post_id: PostId
    author_id: UserId
    is_text_equal: bool
    is_link_equal: bool
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why a decision is not taken, in a short word and a sentence; `until_at` when it may be."""

    code: str
    why: str
    until_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class FreshLook:
    """The look that a ruling of absence rests on; `asked_by` is None when nobody asked for it."""

    asked_by: str | None
    ended_at: datetime | None
    result: LookResult | None
    outcome: Outcome | None
    is_latest: bool


def window_start(
    tried: AttemptTimes | None, *, code: str | None, now: datetime, policy: Policy
) -> datetime:
    """Return since when a post may be the job's: the click, less the skew of clocks.

    A doubt about a post that was there before the attempt looks back as far as the baseline does.
    """
    start = (tried.clicked_at or tried.released_at) if tried else None
    if start is None or code in LOOKING_BACK:
        return now - timedelta(seconds=policy.baseline_horizon_s)
    return start - timedelta(seconds=policy.clock_skew_s)


def refusal_of_post(
    checked: PermalinkChecked,
    *,
    user_id: UserId | None,
    since: datetime,
    until: datetime,
    is_forced: bool,
    note: str | None,
) -> Refusal | None:
    """Say why a post that a person names is not taken for the job's; None when it is.

    Args:
        checked: the post, as it was read.
        user_id: the account's.
        since: the start of the window in which it must have been made.
        until: its end.
        is_forced: the person says that it is the post although the text differs.
        note: the person's reason; needed to force.
    """
    return (
        _refusal_of_id(checked, user_id=user_id, since=since, until=until)
        or _refusal_of_link(checked)
        or _refusal_of_text(checked, is_forced=is_forced, note=note)
    )


def refusal_of_absence(
    look: FreshLook,
    *,
    now: datetime,
    quarantine_until: datetime | None,
    despite_candidates: bool,
    policy: Policy,
) -> Refusal | None:
    """Say why a post is not ruled absent; None when it may be.

    Args:
        look: the look it rests on.
        now: the present instant.
        quarantine_until: before that the post may still show by itself.
        despite_candidates: the person saw the posts that may be it, and says that none is.
        policy: the bounds in force.
    """
    if quarantine_until is not None and now < quarantine_until:
        why = f"it may still show until {quarantine_until.isoformat(timespec='seconds')}"
        return _refusal("quarantined", why, quarantine_until)
    if look.asked_by is None or look.ended_at is None or not look.is_latest:
        return _refusal("look_missing", "a fresh look has to be made for the ruling first")
    if now - look.ended_at > timedelta(seconds=policy.fresh_look_s_max):
        return _refusal("look_too_old", "the look is too old to rule by; make a fresh one")
    return _refusal_by_look(look, despite_candidates=despite_candidates)


def note_missing(note: str | None) -> Refusal | None:
    """Refuse a decision that needs a note and has none."""
    if note is not None and note.strip():
        return None
    return _refusal("note_missing", "say in a note why; it is kept with the decision")


def post_in(permalink: str) -> PostId | None:
    """Return the id of the post that an address names, if it is one of a post."""
    try:
        parts = urlsplit(permalink)
    except ValueError:
        return None
    steps = parts.path.strip("/").split("/")
    if parts.scheme != "https" or parts.netloc.lower() not in HOSTS or len(steps) != _STEPS:
        return None
    is_post = steps[1] == "status" and steps[2].isascii() and steps[2].isdecimal()
    return PostId(steps[2]) if is_post else None


def _refusal_of_id(
    checked: PermalinkChecked, *, user_id: UserId | None, since: datetime, until: datetime
) -> Refusal | None:
    if post_in(checked.permalink) != checked.post_id:
        return _refusal("not_a_permalink", f"{checked.permalink} is no address of a post on x.com")
    if checked.author_id != user_id:
        return _refusal("foreign_author", f"post {checked.post_id} is by {checked.author_id}")
    if not since <= time_of(checked.post_id) <= until:
        made_at = time_of(checked.post_id).isoformat(timespec="seconds")
        return _refusal("outside_window", f"post {checked.post_id} was made at {made_at}")
    return None


def _refusal_of_link(checked: PermalinkChecked) -> Refusal | None:
    if checked.is_link_equal:
        return None
    return _refusal("link_differs", f"post {checked.post_id} does not carry the frozen link")


def _refusal_of_text(
    checked: PermalinkChecked, *, is_forced: bool, note: str | None
) -> Refusal | None:
    if checked.is_text_equal:
        return None
    if is_forced:
        return note_missing(note)
    return _refusal("text_differs", f"the text of post {checked.post_id} is another one")


def _refusal_by_look(look: FreshLook, *, despite_candidates: bool) -> Refusal | None:
    if look.result is LookResult.VOID:
        return _refusal("look_void", "the profile could not be read; look again first")
    if look.outcome is Outcome.UNIQUE:
        return _refusal("look_found", "the look found a post that fits; look at it")
    if look.outcome is Outcome.AMBIGUOUS and not despite_candidates:
        return _refusal("look_ambiguous", "posts that may be it are on the profile; look at them")
    return None


def _refusal(code: str, why: str, until_at: datetime | None = None) -> Refusal:
    return Refusal(code=code, why=why, until_at=until_at)


_STEPS: Final = 3  # handle, "status", id
