import pytest

from tests.simx.clients import Json, Person, RunningX, result_of


def posts_of(entries: list[Json]) -> list[Json]:
    """Take the posts out of a page of entries."""
    return [result_of(entry) for entry in entries if entry["entryId"].startswith("tweet-")]


@pytest.fixture
def written(x: RunningX, ada: Person) -> Person:
    """Give somebody with five old posts and a fresh one."""
    for number in range(5):
        text = f"Old {number}"
        x.control("POST", "/posts", {"author": "ada_writes", "text": text, "age_s": 900 - number})
    ada.post("Fresh & new, with words beyond a cut https://blog.example.org/p/1")
    return ada


@pytest.mark.parametrize(("ms", "count"), [(0, 6), (60_000, 5), (None, 5)])
def test_a_lagging_profile_lacks_what_was_just_posted(
    x: RunningX, written: Person, ms: int | None, count: int
) -> None:
    """Null is for ever; what was seeded shows all the same."""
    x.fault("profile_lag_ms", ms=ms)

    assert len(posts_of(written.entries())) == count
    assert len(posts_of(written.entries("UserTweetsAndReplies"))) == count


def test_a_stale_profile_is_the_one_of_when_the_fault_was_set(x: RunningX, written: Person) -> None:
    """Later posts are missing, although they are out."""
    x.fault("profile_stale")
    written.post("After the fault")

    shown = posts_of(written.entries())

    assert len(shown) == 6
    assert len(x.truth()) == 7


FAILING = {"profile_error": 503, "profile_rate_limited": 429}


@pytest.mark.parametrize(("name", "status"), FAILING.items())
def test_a_failing_profile_is_told_by_its_status(
    x: RunningX, written: Person, name: str, status: int
) -> None:
    """Both tabs fail; other reads do not."""
    x.fault(name)

    answers = [
        written.read("UserTweets", userId=written.user_id),
        written.read("UserTweetsAndReplies", userId=written.user_id),
        written.read("UserByScreenName", screen_name="ada_writes"),
    ]

    assert [answer.status for answer in answers] == [status, status, 200]


def test_a_partial_profile_breaks_off_after_its_first_posts(x: RunningX, written: Person) -> None:
    """The first page is short, the next one fails."""
    x.fault("profile_partial", count=2)

    first = written.entries()
    cursor = first[-1]["content"]["value"]
    second = written.read("UserTweets", userId=written.user_id, cursor=cursor)

    assert len(posts_of(first)) == 2
    assert second.status == 503


def test_an_empty_profile_and_a_suspended_one_load_well(x: RunningX, written: Person) -> None:
    """Neither says that the posts are not there."""
    x.fault("profile_empty")
    x.fault("suspended")

    user = written.read("UserByScreenName", screen_name="ada_writes").json()

    assert posts_of(written.entries()) == []
    assert user["data"]["user"]["result"]["__typename"] == "UserUnavailable"


def test_own_posts_can_be_cut_with_their_text_in_the_note(x: RunningX, written: Person) -> None:
    """show_more: the list shows a beginning, the note the whole."""
    x.fault("show_more", chars=21)

    fresh = posts_of(written.entries())[0]

    note = fresh["note_tweet"]["note_tweet_results"]["result"]["text"]
    assert fresh["legacy"]["full_text"] == "Fresh &amp; new, with…"
    assert note.startswith("Fresh & new, with words beyond a cut https://t.co/")


def test_a_link_can_be_told_by_its_card_only(x: RunningX, written: Person) -> None:
    """card_only: neither text nor entities hold it."""
    x.fault("card_only")

    fresh = posts_of(written.entries())[0]

    assert fresh["legacy"]["full_text"].endswith("beyond a cut")
    assert "urls" not in fresh["legacy"]["entities"]
    assert fresh["card"]["rest_id"].startswith("https://t.co/")


def test_cards_and_authors_can_be_missing(x: RunningX, written: Person) -> None:
    """As in the first minutes, and as since October 2026."""
    x.fault("card_missing")
    x.fault("missing_author")

    fresh = posts_of(written.entries())[0]

    assert "card" not in fresh
    assert fresh["core"]["user_results"] == {}
    assert fresh["legacy"]["user_id_str"] == written.user_id


def test_entries_can_come_without_their_posts(x: RunningX, written: Person) -> None:
    """empty_tweet_results: the first and then every second one."""
    x.fault("empty_tweet_results", every=2)

    assert [post is None for post in posts_of(written.entries())] == [True, False] * 3


def test_advertisements_can_stand_between_own_posts(x: RunningX, written: Person) -> None:
    """promoted_entries: after every second entry."""
    x.fault("promoted_entries", every=2)

    names = [entry["entryId"] for entry in written.entries()]

    assert [name.startswith("promoted-tweet-") for name in names[:3]] == [False, False, True]


def test_older_shapes_are_those_of_2024(x: RunningX, written: Person) -> None:
    """timeline_v2, names in legacy, empty lists."""
    x.fault("older_shapes")

    body = written.read("UserTweets", userId=written.user_id).json()
    user = result_of(written.entries()[0])["core"]["user_results"]["result"]

    assert "timeline_v2" in body["data"]["user"]["result"]
    assert user["legacy"]["screen_name"] == "ada_writes"
    assert "core" not in user


def test_a_permalink_can_fail_to_load(x: RunningX, written: Person) -> None:
    """The post is out all the same."""
    x.fault("permalink_error")

    answer = written.read("TweetDetail", focalTweetId=x.truth()[-1]["id"])

    assert answer.status == 503
