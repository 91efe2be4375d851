import http.client

import h2.errors
import h2.events
import pytest
from simx.fault_catalogue import KINDS
from simx.fault_kinds import Stage
from simx.interference import handled_faults

from tests.simx.clients import Http2Client, Json, Person, RunningX, body_of, eventually, result_of

LOST = {
    "answer_lost_after_store": 1,
    "answer_lost_before_store": 0,
    "reset_after_store": 1,
    "reset_before_store": 0,
    "close_after_store": 1,
    "goaway_after_store": 1,
}
ANSWERED = {
    "redirect": ({"do": "redirect_307"}, 307, 0),
    "redirect after store": ({"do": "redirect_307", "stored": True}, 307, 1),
    "500 after store": ({"do": "error_500_after_store"}, 500, 1),
    "500 before store": ({"do": "error_500_before_store", "status": 502}, 502, 0),
    "empty, stored": ({"do": "empty_result_stored"}, 200, 1),
    "empty, not stored": ({"do": "empty_result_not_stored"}, 200, 0),
    "automated": ({"do": "graphql_error", "code": 226}, 200, 0),
    "automated, stored": ({"do": "graphql_error", "code": 226, "stored": True}, 200, 1),
    "token expired": ({"do": "graphql_error", "code": 89}, 401, 0),
    "not found": ({"do": "not_found_404"}, 404, 0),
    "error beside data": ({"do": "error_beside_data"}, 200, 1),
    "wrapped": ({"do": "visibility_wrapper"}, 200, 1),
}


def test_every_fault_of_the_answer_stage_is_handled() -> None:
    """A row of the catalogue without a deed would be a lie."""
    of_stage = {kind.name for kind in KINDS.values() if kind.stage is Stage.ANSWER}

    assert handled_faults() == of_stage


@pytest.mark.parametrize(("name", "stored"), LOST.items())
def test_over_http_1_the_answer_is_lost_and_the_truth_knows(
    x: RunningX, ada: Person, name: str, stored: int
) -> None:
    """The client sees a failing connection, the truth whether the post was stored."""
    x.fault(name, times=1)

    with pytest.raises((http.client.HTTPException, OSError)):
        ada.post("Lost?")

    (request,) = x.posting_requests()
    assert len(x.truth()) == stored
    assert (request["whole"], request["status"], request["faults"]) == (True, None, [name])
    assert ("errors" in ada.post("Lost?").json()) == bool(stored)


@pytest.mark.parametrize(("name", "stored"), LOST.items())
def test_over_http_2_the_answer_is_lost_and_the_truth_knows(
    x: RunningX, ada: Person, name: str, stored: int
) -> None:
    """A cut answer resets its stream only; the others end the connection."""
    x.fault(name, times=1)

    with Http2Client(x) as client:
        client.send(ada, body_of({"tweet_text": "Lost?"}))
        events = client.events()

    resets = [event for event in events if isinstance(event, h2.events.StreamReset)]
    codes = [event.error_code for event in resets]
    assert codes == ([h2.errors.ErrorCodes.CANCEL] if name.startswith("answer_lost") else [])
    assert len(x.truth()) == stored
    assert x.posting_requests()[0]["http"] == "2"


def test_goaway_tells_that_nothing_was_processed(x: RunningX, ada: Person) -> None:
    """Last stream 0: what makes a browser send again with a good conscience."""
    x.fault("goaway_after_store", times=1)

    with Http2Client(x) as client:
        client.send(ada, body_of({"tweet_text": "Gone away"}))
        events = client.events()

    ends = [event for event in events if isinstance(event, h2.events.ConnectionTerminated)]
    assert [event.last_stream_id for event in ends] == [0]


@pytest.mark.parametrize("case", ANSWERED.values(), ids=ANSWERED.keys())
def test_an_answer_in_the_place_of_xs_own(
    x: RunningX, ada: Person, case: tuple[dict[str, Json], int, int]
) -> None:
    """Status and truth as the catalogue says."""
    wish, status, stored = case
    x.control("POST", "/faults", wish | {"times": 1})

    answer = ada.post("What now?")

    assert (answer.status, len(x.truth())) == (status, stored)


def test_a_fault_falls_on_its_account_and_operation_so_many_times(x: RunningX, ada: Person) -> None:
    """Others are not touched, and a used-up fault is over."""
    x.fault("error_500_before_store", account="Ada_Writes", on="CreateTweet", times=2)

    others = x.person("bo").post("Mine")
    statuses = [ada.post("Mine").status for _ in range(3)]

    assert others.status == 200
    assert statuses == [500, 500, 200]
    assert x.control("GET", "/faults")[0]["uses"] == 2


def test_a_late_answer_is_stored_at_once(x: RunningX, ada: Person) -> None:
    """delay_ms holds the answer, and with before_store the post as well."""
    x.fault("delay_ms", ms=300)
    ada.post("Late")

    (post,) = x.truth()
    (request,) = x.posting_requests()
    assert post["stored_ms"] - request["first_byte_ms"] < 250
    assert request["answered_ms"] - request["first_byte_ms"] >= 300


def test_a_post_can_be_stored_long_after_its_answer_was_lost(x: RunningX, ada: Person) -> None:
    """A look right after the failure finds nothing, a later one does."""
    x.fault("stored_late_ms", ms=200, times=1)

    with pytest.raises(http.client.HTTPException):
        ada.post("Late")

    assert x.truth() == []
    (post,) = eventually(x.truth)
    assert post["created_ms"] >= x.posting_requests()[0]["first_byte_ms"] + 200


def test_a_post_is_stored_although_its_reader_has_left(x: RunningX, ada: Person) -> None:
    """A server does not notice that nobody waits for the answer."""
    x.fault("delay_ms", ms=200, before_store=True, times=1)

    with Http2Client(x) as client:
        client.send(ada, body_of({"tweet_text": "Left"}))
        eventually(x.posting_requests)

    assert eventually(x.truth)[0]["text"] == "Left"


def test_the_answer_can_name_somebody_elses_post(x: RunningX, ada: Person) -> None:
    """The id in the answer is not of the account's post."""
    x.fault("foreign_author_in_answer", times=1)

    result = ada.post("Mine").json()["data"]["create_tweet"]["tweet_results"]["result"]

    assert result["core"]["user_results"]["result"]["rest_id"] != ada.user_id
    assert [post["author"] for post in x.truth(text="Mine")] == ["ada_writes"]


AFTERMATH = {
    "twin": ({"do": "duplicate_post_stored"}, ["Hi", "Hi"]),
    "edit": ({"do": "edited", "text": "Ho"}, ["Ho"]),
    "deletion": ({"do": "deleted"}, []),
    "quote": ({"do": "quote_of_ours"}, ["RT @copycat: Hi", "Hi"]),
}


@pytest.mark.parametrize("case", AFTERMATH.values(), ids=AFTERMATH.keys())
def test_what_happens_right_after_a_post_shows_on_the_profile(
    x: RunningX, ada: Person, case: tuple[dict[str, Json], list[str]]
) -> None:
    """Twins, edits, deletions and quotes, as a look at the profile meets them."""
    wish, texts = case
    x.control("POST", "/faults", wish | {"times": 1})

    ada.post("Hi")

    posts = [result_of(one) for one in ada.entries() if one["entryId"].startswith("tweet-")]
    assert [post["legacy"]["full_text"] for post in posts] == texts
    assert "errors" not in ada.post("Next").json()


def test_a_deleted_post_can_leave_a_tombstone(x: RunningX, ada: Person) -> None:
    """The permalink then shows the tombstone, else code 144."""
    x.fault("deleted", tombstone=True, times=1)
    post_id = ada.post_id("Hi")

    body = ada.read("TweetDetail", focalTweetId=post_id).json()

    conversation = body["data"]["threaded_conversation_with_injections_v2"]["instructions"]
    assert result_of(conversation[0]["entries"][0])["__typename"] == "TweetTombstone"


def test_without_the_duplicate_check_both_are_stored(x: RunningX, ada: Person) -> None:
    """For posters whose browser sends twice: both copies are out."""
    x.fault("no_duplicate_check")

    ada.post("Twice")
    ada.post("Twice")

    assert [post["text"] for post in x.truth()] == ["Twice", "Twice"]
