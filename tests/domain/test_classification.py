from __future__ import annotations

import pytest

from agent.domain.breaker import BreakerKind
from agent.domain.classification import REFUSALS, STOP_RULES, classify
from agent.domain.facts import PHASES, AnswerSeen, Phase, ReadBackSeen, ToastSeen, is_released
from agent.domain.ids import PostId, UserId
from agent.domain.outcome import (
    NotSent,
    NotSentProof,
    Outcome,
    Sent,
    Unknown,
    agreed_with_record,
)
from tests.domain.sights import EXPECTED, OURS, POST, answer, facts, post, read_back

BEFORE = [None, *(phase for phase in PHASES if not is_released(phase))]
BEHIND = [phase for phase in PHASES if is_released(phase)]
PERMALINK = f"https://x.com/Writer/status/{POST}"


@pytest.mark.parametrize("phase", BEFORE)
@pytest.mark.parametrize("stop_code", [*STOP_RULES, None, "never_heard_of"])
def test_before_the_release_nothing_is_out(phase: Phase | None, stop_code: str | None) -> None:
    """Whatever stopped the attempt, at whatever phase: not released is the proof."""
    outcome = classify(facts(phase, stop_code=stop_code))

    assert isinstance(outcome, NotSent)
    assert outcome.proof is NotSentProof.NOT_RELEASED


@pytest.mark.parametrize("phase", BEHIND)
@pytest.mark.parametrize("stop_code", [*STOP_RULES, None, "never_heard_of"])
def test_behind_the_release_no_kind_of_stop_proves_anything(
    phase: Phase, stop_code: str | None
) -> None:
    """Pain A1, A5, A8, A9: no time-out, crash or sign-out behind the click makes not sent."""
    outcome = classify(facts(phase, stop_code=stop_code))

    assert isinstance(outcome, Unknown)


@pytest.mark.parametrize("phase", BEFORE)
def test_a_post_that_is_there_already_is_a_doubt(phase: Phase | None) -> None:
    """It is never sent over: somebody has to look where it came from."""
    outcome = classify(facts(phase, stop_code="already_there", stop_detail="post 7"))

    assert outcome == Unknown(code="already_there", detail="post 7", breaker=None)


ROW_19 = {
    "signed_out": BreakerKind.SIGNED_OUT,
    "wrong_account": BreakerKind.WRONG_ACCOUNT,
    "locked": BreakerKind.LOCKED,
    "challenge": BreakerKind.CHALLENGE,
    "interstitial": BreakerKind.INTERSTITIAL,
    "unknown_page": BreakerKind.UNKNOWN_PAGE,
    "rate_limited": BreakerKind.RATE_LIMITED,
}


@pytest.mark.parametrize(("stop_code", "breaker"), ROW_19.items(), ids=ROW_19)
def test_row_19_trouble_of_the_account_opens_its_breaker(
    stop_code: str, breaker: BreakerKind
) -> None:
    """Row 19: signed out, wrong account, lock page, captcha, unknown page: breaker open."""
    outcome = classify(facts(Phase.OPENED, stop_code=stop_code))

    assert isinstance(outcome, NotSent)
    assert outcome.breaker is breaker
    assert outcome.is_retryable


REFUSED = {
    "186": (False, None),
    "214": (False, None),
    "324": (False, None),
    "325": (False, None),
    "144": (False, None),
    "385": (False, None),
    "386": (False, None),
    "433": (False, None),
    "226": (False, BreakerKind.AUTOMATION),
    "64": (False, BreakerKind.SUSPENDED),
    "37": (False, BreakerKind.SUSPENDED),
    "326": (True, BreakerKind.LOCKED),
    "32": (True, BreakerKind.SIGNED_OUT),
    "89": (True, BreakerKind.SIGNED_OUT),
    "353": (True, BreakerKind.SIGNED_OUT),
    "344": (True, BreakerKind.DAILY_LIMIT),
    "185": (True, BreakerKind.DAILY_LIMIT),
    "88": (True, BreakerKind.RATE_LIMITED),
}


def test_the_closed_list_is_the_one_tested_here() -> None:
    """A code is added to the list together with its row of this table."""
    assert REFUSED.keys() == REFUSALS.keys()


@pytest.mark.parametrize("code", REFUSED)
def test_rows_39_to_41_a_code_of_the_closed_list_is_a_refusal(code: str) -> None:
    """Rows 39, 40, 41: named, with another try or not, and the account's breaker."""
    is_retryable, breaker = REFUSED[code]

    outcome = classify(facts(Phase.RELEASED, answer=answer(codes=(code,))))

    assert isinstance(outcome, NotSent)
    assert outcome.proof is NotSentProof.REFUSED_BY_X
    assert outcome.code == f"x_{code}"
    assert (outcome.is_retryable, outcome.breaker) == (is_retryable, breaker)


LOST: dict[str, tuple[AnswerSeen | None, str]] = {
    "no answer": (None, "no_answer"),
    "row 35: reset": (answer(status=None, failure="net::ERR_CONNECTION_RESET"), "answer_lost"),
    "row 33: 500": (answer(status=500), "server_error"),
    "row 33: 503": (answer(status=503), "server_error"),
    "row 34: empty result": (answer(empty_result=True), "empty_result"),
    "404 without a body": (answer(status=404), "answer_unclear"),
    "row 38: duplicate": (answer(codes=("187",)), "duplicate_exists"),
    "duplicate and a refusal": (answer(codes=("226", "187")), "duplicate_exists"),
    "internal error": (answer(codes=("131",)), "x_131"),
    "over capacity": (answer(codes=("130",)), "x_130"),
    "unknown code": (answer(codes=("9999",)), "x_9999"),
    "a word for a code": (
        answer(codes=("GRAPHQL_VALIDATION_FAILED",)),
        "x_GRAPHQL_VALIDATION_FAILED",
    ),
    "a refusal and an unknown code": (answer(codes=("226", "9999")), "x_226"),
}


@pytest.mark.parametrize(("seen", "code"), LOST.values(), ids=LOST)
def test_every_lost_or_unclear_answer_is_unknown(seen: AnswerSeen | None, code: str) -> None:
    """Rows 32 to 35 and 38: what X did not clearly say is not known."""
    outcome = classify(facts(Phase.RELEASED, answer=seen))

    assert isinstance(outcome, Unknown)
    assert outcome.code == code


def test_trouble_of_the_account_behind_the_release_opens_its_breaker_too() -> None:
    """A lock page after the click: unknown, and the account waits for a person."""
    outcome = classify(facts(Phase.RELEASED, stop_code="locked", stop_detail="lock page"))

    assert isinstance(outcome, Unknown)
    assert outcome.code == "no_answer_locked"
    assert outcome.breaker is BreakerKind.LOCKED


NAMED = answer(post_id=POST, author_id=OURS)
ID_ONLY = answer(post_id=POST)
TOAST = ToastSeen(post_id=POST, handle="Writer")
UNREAD = read_back(None, "tombstone")
TEXT_CHANGED = read_back(post(text="Read this later: https://t.co/abc"))
OTHER = post(author_id=UserId("7"), author_handle="Other")
CONFIRMING = {
    "answer and page": (NAMED, None, read_back(post()), True),
    "answer only: read-back owed": (NAMED, None, None, False),
    "row 46: page unreadable": (NAMED, None, UNREAD, False),
    "answer without author, page ours": (ID_ONLY, None, read_back(post()), True),
    "another post's page": (NAMED, None, read_back(post(id=PostId("5"))), False),
    "row 42: toast and page": (None, TOAST, read_back(post()), True),
}


@pytest.mark.parametrize(
    ("seen", "toast", "page", "is_read_back"), CONFIRMING.values(), ids=CONFIRMING
)
def test_an_id_whose_author_is_ours_is_sent(
    seen: AnswerSeen | None,
    toast: ToastSeen | None,
    page: ReadBackSeen | None,
    is_read_back: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """The second promise: confirmed has a permalink and a checked author."""
    outcome = classify(facts(Phase.ACKNOWLEDGED, answer=seen, toast=toast, read_back=page))

    assert outcome == Sent(post_id=POST, permalink=PERMALINK, is_read_back=is_read_back)


DOUBTFUL = {
    "row 45: answer names another author": (
        answer(post_id=POST, author_id=UserId("7")),
        None,
        read_back(post()),
        "foreign_author",
    ),
    "page names another author": (NAMED, None, read_back(OTHER), "foreign_author"),
    "toast without its page": (None, TOAST, None, "author_unseen"),
    "row 42: toast of somebody else": (None, TOAST, read_back(OTHER), "foreign_author"),
    "row 42: toast of an earlier post": (None, TOAST, TEXT_CHANGED, "text_differs"),
    "row 46: other text": (NAMED, None, TEXT_CHANGED, "text_differs"),
    "id without an author": (ID_ONLY, None, UNREAD, "author_unseen"),
}


@pytest.mark.parametrize(("seen", "toast", "page", "code"), DOUBTFUL.values(), ids=DOUBTFUL)
def test_an_id_that_may_not_be_ours_is_unknown(
    seen: AnswerSeen | None, toast: ToastSeen | None, page: ReadBackSeen | None, code: str
) -> None:
    """Rows 42, 45, 46: another author, an unseen author or another text is not taken for ours."""
    outcome = classify(facts(Phase.ACKNOWLEDGED, answer=seen, toast=toast, read_back=page))

    assert isinstance(outcome, Unknown)
    assert outcome.code == code


def test_an_id_wins_over_an_error_beside_it() -> None:
    """X sometimes answers with a post and with errors; the post is what counts."""
    seen = answer(post_id=POST, author_id=OURS, codes=("131",))

    outcome = classify(facts(Phase.ACKNOWLEDGED, answer=seen))

    assert isinstance(outcome, Sent)


REFUSED_BEFORE = classify(facts(Phase.CLICKED, stop_code="no_request"))
REFUSED_BY_X = classify(facts(Phase.RELEASED, answer=answer(codes=("186",))))
SENT = classify(facts(Phase.ACKNOWLEDGED, answer=NAMED))
RECORDS: dict[str, tuple[Outcome, bool, str | None]] = {
    "stopped, release on record": (REFUSED_BEFORE, True, "release_in_doubt"),
    "stopped, no release": (REFUSED_BEFORE, False, None),
    "sent, no release on record": (SENT, False, "no_release_on_record"),
    "sent, released": (SENT, True, None),
    "refused by X, released": (REFUSED_BY_X, True, None),
}


@pytest.mark.parametrize(("said", "released", "doubt"), RECORDS.values(), ids=RECORDS)
def test_the_durable_record_outranks_the_report(
    said: Outcome,
    released: bool,  # noqa: FBT001 - a column of the table
    doubt: str | None,
) -> None:
    """A release on record is never "not sent"; a post without one is never "confirmed"."""
    agreed = agreed_with_record(said, is_released=released)

    assert (agreed.code if isinstance(agreed, Unknown) else None) == doubt
    assert doubt is not None or agreed == said


def test_the_expected_handle_is_in_the_permalink() -> None:
    """The permalink names the account, as X writes it."""
    assert isinstance(SENT, Sent)
    assert EXPECTED.handle in SENT.permalink
