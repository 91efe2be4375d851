import pytest

from tests.simx.clients import Json, Person, RunningX, entries_of, result_of


def ids_of(entries: list[Json]) -> list[str]:
    """List the entry ids that name posts."""
    return [entry["entryId"] for entry in entries if entry["entryId"].startswith("tweet-")]


def seed(x: RunningX, text: str, **wishes: Json) -> str:
    """Seed a post of ada and tell its id."""
    post = x.control("POST", "/posts", {"author": "ada_writes", "text": text, **wishes})
    return str(post["id"])


def test_a_profile_gives_twenty_a_page_and_a_cursor_to_the_next(x: RunningX, ada: Person) -> None:
    """Newest first, down to the oldest, then pages with nothing but cursors."""
    ids = [seed(x, f"Post {number}", age_s=1000 - number) for number in range(25)]

    first = ada.entries()
    second = ada.entries(cursor=first[-1]["content"]["value"])
    third = ada.entries(cursor=second[-1]["content"]["value"])

    newest_first = [f"tweet-{post_id}" for post_id in reversed(ids)]
    assert ids_of(first) == newest_first[:20]
    assert ids_of(second) == newest_first[20:]
    assert [entry["entryId"].split("-")[1] for entry in third] == ["top", "bottom"]
    assert any(entry["entryId"].startswith("who-to-follow") for entry in first)


def test_an_entry_has_the_shape_of_2026(x: RunningX, ada: Person) -> None:
    """A user without legacy, entities without empty lists, a card for the last link."""
    seed(x, "A & B https://blog.example.org/p/1")

    result = result_of(ada.entries()[0])

    user = result["core"]["user_results"]["result"]
    assert result["__typename"] == "Tweet"
    assert (user["core"]["screen_name"], "legacy" in user) == ("ada_writes", False)
    assert list(result["legacy"]["entities"]) == ["urls"]
    values = {one["key"]: one["value"] for one in result["card"]["legacy"]["binding_values"]}
    assert values["card_url"]["string_value"] == result["legacy"]["entities"]["urls"][0]["url"]
    assert values["domain"]["string_value"] == "blog.example.org"


def test_a_pinned_post_stands_first_and_in_its_place(x: RunningX, ada: Person) -> None:
    """The pin is an instruction of its own, told by its social context."""
    pinned = seed(x, "Pinned", age_s=900, pinned=True)
    seed(x, "Newer", age_s=10)

    body = ada.read("UserTweets", userId=ada.user_id).json()

    timeline = body["data"]["user"]["result"]["timeline"]["timeline"]
    pins = [one for one in timeline["instructions"] if one["type"] == "TimelinePinEntry"]
    item = pins[0]["entry"]["content"]["itemContent"]
    assert pins[0]["entry"]["entryId"] == f"tweet-{pinned}"
    assert item["socialContext"]["contextType"] == "Pin"
    assert ids_of(entries_of(body))[-1] == f"tweet-{pinned}"


def test_answers_stand_in_the_replies_tab_below_what_they_answer(x: RunningX, ada: Person) -> None:
    """A conversation module with the parent; the posts tab shows own threads only."""
    question = x.control("POST", "/posts", {"author": "bo", "text": "Why?", "age_s": 50})["id"]
    answer = seed(x, "Because", reply_to=question, age_s=40)
    root = seed(x, "Thread", age_s=30)
    part = seed(x, "Thread 2", reply_to=root, age_s=20)

    posts, replies = ada.entries("UserTweets"), ada.entries("UserTweetsAndReplies")

    modules = [entry["content"]["metadata"] for entry in replies if "metadata" in entry["content"]]
    told = [one["conversationMetadata"]["allTweetIds"] for one in modules]
    assert told == [[root, part], [question, answer]]
    names = [entry["entryId"].rsplit("-", 1)[0] for entry in posts]
    assert names.count("profile-conversation") == 1


def test_reposts_and_quotes_carry_the_other_post(x: RunningX, ada: Person) -> None:
    """A repost has an id and an RT text of its own; a quote nests the quoted post."""
    theirs = x.control("POST", "/posts", {"author": "bo", "text": "Theirs", "age_s": 99})["id"]
    x.control("POST", "/posts", {"author": "ada_writes", "repost_of": theirs, "age_s": 50})
    seed(x, "See", quote_of=theirs, age_s=40)

    quote, repost = (result_of(entry) for entry in ada.entries()[:2])

    assert repost["legacy"]["full_text"] == "RT @bo: Theirs"
    assert repost["legacy"]["retweeted_status_result"]["result"]["rest_id"] == theirs
    assert repost["rest_id"] != theirs
    assert quote["quoted_status_result"]["result"]["rest_id"] == theirs
    assert quote["legacy"]["quoted_status_id_str"] == theirs


def test_the_page_of_a_post_shows_what_it_answers_and_its_answers(x: RunningX, ada: Person) -> None:
    """TweetDetail lists parents, the post, and threads below it."""
    root = seed(x, "Root", age_s=90)
    focal = seed(x, "Focal", reply_to=root, age_s=80)
    x.control("POST", "/posts", {"author": "bo", "text": "Nice", "reply_to": focal, "age_s": 70})

    body = ada.read("TweetDetail", focalTweetId=focal).json()

    conversation = body["data"]["threaded_conversation_with_injections_v2"]["instructions"]
    names = [entry["entryId"] for entry in conversation[0]["entries"]]
    assert names[:2] == [f"tweet-{root}", f"tweet-{focal}"]
    assert names[2].startswith("conversationthread-")


GONE = {
    "TweetDetail": ({"focalTweetId": "12"}, ["errors", "data"]),
    "TweetResultByRestId": ({"tweetId": "12"}, ["data"]),
    "UserByScreenName": ({"screen_name": "nobody_here"}, ["data"]),
    "UserTweets": ({"userId": "12"}, ["data"]),
}


@pytest.mark.parametrize("case", GONE.items(), ids=GONE.keys())
def test_what_is_not_there_is_answered_as_on_x(
    ada: Person, case: tuple[str, tuple[dict[str, str], list[str]]]
) -> None:
    """Missing users are an empty `data`, a missing post code 144 or an empty result."""
    operation, (variables, keys) = case

    answer = ada.read(operation, **variables)

    assert answer.status == 200
    assert list(answer.json()) == keys


def test_home_holds_other_peoples_posts_and_an_advertisement(ada: Person) -> None:
    """A page full of status links that are not the account's."""
    body = ada.read("HomeTimeline", count=20).json()

    (added,) = body["data"]["home"]["home_timeline_urt"]["instructions"]
    names = [entry["entryId"] for entry in added["entries"]]
    assert len(ids_of(added["entries"])) == 20
    assert any(name.startswith("promoted-tweet-") for name in names)


def test_reads_are_limited_by_quarters_of_an_hour(ada: Person) -> None:
    """50 reads of a profile, then 429 with code 88; each answer tells what is left."""
    answers = ada.read_repeatedly(51, "UserTweets", userId=ada.user_id)

    assert {answer.status for answer in answers[:50]} == {200}
    assert answers[49].headers["x-rate-limit-remaining"] == "0"
    assert answers[50].status == 429
    assert answers[50].json()["errors"][0]["code"] == 88
    assert answers[50].headers["x-rate-limit-limit"] == "50"


def test_search_finds_words_authors_and_links(x: RunningX, ada: Person) -> None:
    """All words must be there; from: and links narrow."""
    found = seed(x, "Tidal notes of mine https://blog.example.org/p/9")

    body = ada.read("SearchTimeline", rawQuery="from:ada_writes notes blog.example.org/p/9").json()

    timeline = body["data"]["search_by_raw_query"]["search_timeline"]["timeline"]
    assert ids_of(timeline["instructions"][0]["entries"]) == [f"tweet-{found}"]


def test_a_short_link_leads_to_the_link_as_typed(x: RunningX, ada: Person) -> None:
    """https://t.co/... redirects, and knows nothing of other codes."""
    seed(x, "See https://blog.example.org/p/1?a=b")
    short_link = result_of(ada.entries()[0])["legacy"]["entities"]["urls"][0]["url"]

    answer, unknown = x.request("GET", short_link), x.request("GET", "https://t.co/0000000000")

    assert (answer.status, unknown.status) == (301, 404)
    assert answer.headers["location"] == "https://blog.example.org/p/1?a=b"
