import json

import pytest

from tests.simx.clients import Person, RunningX, body_of

LINK = "https://blog.example.org/posts/a-very-long-slug?utm=1"


def test_a_post_is_answered_in_the_shape_of_create_tweet(x: RunningX, ada: Person) -> None:
    """Id, author, escaped text, and a t.co link with indices into that text."""
    answer = ada.post(f"A < B & {LINK}\n\n")

    result = answer.json()["data"]["create_tweet"]["tweet_results"]["result"]
    legacy = result["legacy"]
    url = legacy["entities"]["urls"][0]
    start, end = url["indices"]
    assert answer.status == 200
    assert legacy["full_text"] == f"A &lt; B &amp; {url['url']}"
    assert legacy["full_text"][start:end] == url["url"]
    assert legacy["display_text_range"] == [0, end]
    assert (url["expanded_url"], url["display_url"]) == (LINK, "blog.example.org/posts/a-very-l…")
    assert result["core"]["user_results"]["result"]["rest_id"] == ada.user_id
    assert result["core"]["user_results"]["result"]["legacy"]["screen_name"] == "ada_writes"
    assert "__typename" not in result
    assert [post["id"] for post in x.truth()] == [result["rest_id"]]


def test_the_truth_keeps_text_links_and_origin(x: RunningX, ada: Person) -> None:
    """White space at the end goes, line ends become LF, links are expanded."""
    ada.post("One\r\ntwo example.com \n")

    (post,) = x.truth()
    assert post["text"] == "One\ntwo example.com"
    assert post["links"] == ["http://example.com"]
    assert (post["origin"], post["author_id"], post["media"]) == ("web", ada.user_id, [])
    assert (int(post["id"]) >> 22) + 1288834974657 == post["created_ms"]


REFUSALS = {
    "empty": ({"tweet_text": " \n"}, 214),
    "too long": ({"tweet_text": "x" * 281}, 186),
    "too long in Chinese": ({"tweet_text": "字" * 141}, 186),
    "unknown media": ({"tweet_text": "t", "media": {"media_entities": [{"media_id": "9"}]}}, 324),
    "answer to nothing": ({"tweet_text": "t", "reply": {"in_reply_to_tweet_id": "9"}}, 385),
    "quote of nothing": ({"tweet_text": "t", "attachment_url": "https://x.com/a/status/9"}, 144),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS.keys())
def test_x_refuses_with_its_code_and_stores_nothing(
    x: RunningX, ada: Person, case: tuple[dict[str, object], int]
) -> None:
    """A refusal is HTTP 200 with an error, as on X."""
    variables, code = case

    answer = ada.write("CreateTweet", **variables)

    assert answer.status == 200
    assert answer.json()["errors"][0]["code"] == code
    assert answer.json()["data"] == {}
    assert x.truth() == []


def test_the_same_text_is_a_duplicate_for_its_author_only(x: RunningX, ada: Person) -> None:
    """187 compares expanded texts of one account, white space aside."""
    ada.post(f"Again {LINK}")

    second = ada.post(f"Again  {LINK} ")
    other = x.person("bo").post(f"Again {LINK}")

    assert second.json()["errors"][0]["code"] == 187
    assert "errors" not in other.json()
    assert len(x.truth()) == 2


def test_a_deleted_post_can_be_said_again(x: RunningX, ada: Person) -> None:
    """Only standing posts count as duplicates."""
    post_id = ada.post_id("Once more")

    deleted = ada.write("DeleteTweet", tweet_id=post_id)

    assert deleted.json() == {"data": {"delete_tweet": {"tweet_results": {}}}}
    assert "errors" not in ada.post("Once more").json()
    assert [post["deleted"] for post in x.truth()] == [True, False]


def test_a_limit_counts_by_weight(ada: Person) -> None:
    """280 of one weight, 140 of two, a link always 23."""
    link = f"https://blog.example.org/{'x' * 300}"

    assert "errors" not in ada.post("x" * 280).json()
    assert "errors" not in ada.post("字" * 140).json()
    assert "errors" not in ada.post(f"{'y' * 256} {link}").json()


def test_a_long_post_needs_premium_and_carries_its_text_in_note_tweet(x: RunningX) -> None:
    """`full_text` is cut, `note_tweet` is whole and not escaped."""
    text = f"{'long & winding ' * 40}{LINK}"
    basic, premium = x.person("basic_ada"), x.person("premium_ada", tier="premium")

    refused = basic.write("CreateNoteTweet", tweet_text=text)
    accepted = premium.write("CreateNoteTweet", tweet_text=text)

    result = accepted.json()["data"]["notetweet_create"]["tweet_results"]["result"]
    note = result["note_tweet"]["note_tweet_results"]["result"]
    assert refused.json()["errors"][0]["code"] == 186
    assert result["legacy"]["full_text"].endswith("…")
    assert note["text"].startswith("long & winding")
    assert note["entity_set"]["urls"][0]["expanded_url"] == LINK


def test_a_thread_and_a_quote_point_at_their_posts(x: RunningX, ada: Person) -> None:
    """Answers keep the conversation, quotes the quoted post."""
    first = ada.post_id("First")

    ada.post("Second", reply={"in_reply_to_tweet_id": first, "exclude_reply_user_ids": []})
    ada.post("Look", attachment_url=f"https://x.com/ada_writes/status/{first}")

    _, second, quote = x.truth()
    assert (second["reply"], second["conversation_id"]) == (first, first)
    assert quote["quote_of"] == first


CHECKS = {
    "no cookies": ({"cookie": ""}, 404, None),
    "dead session": ({"cookie": "auth_token=gone; ct0=c"}, 401, 32),
    "no bearer": ({"authorization": ""}, 400, 215),
    "no csrf header": ({"x-csrf-token": ""}, 403, 353),
    "other csrf header": ({"x-csrf-token": "other"}, 403, 353),
}


@pytest.mark.parametrize("case", CHECKS.values(), ids=CHECKS.keys())
def test_a_call_without_its_proofs_is_refused(
    x: RunningX, ada: Person, case: tuple[dict[str, str], int, int | None]
) -> None:
    """Cookies, bearer and csrf are checked as on X."""
    changed, status, code = case
    url = "https://x.com/i/api/graphql/q/CreateTweet"
    body = body_of({"tweet_text": "Hello"})

    answer = x.request("POST", url, headers=ada.headers() | changed, body=body)

    assert answer.status == status
    assert code == (json.loads(answer.body)["errors"][0]["code"] if answer.body else None)
    assert x.truth() == []


def test_the_official_api_posts_with_the_accounts_bearer(x: RunningX, ada: Person) -> None:
    """201 with the id, 403 for a duplicate, 401 without the token; origin api in the truth."""
    url, bearer = "https://api.x.com/2/tweets", f"Bearer {ada.account['bearer']}"
    body = json.dumps({"text": f"From the API {LINK}"}).encode()

    first = x.request("POST", url, headers={"authorization": bearer}, body=body)
    second = x.request("POST", url, headers={"authorization": bearer}, body=body)
    stranger = x.request("POST", url, headers={"authorization": "Bearer x"}, body=body)

    (post,) = x.truth()
    assert (first.status, first.json()["data"]["id"]) == (201, post["id"])
    assert (second.status, stranger.status) == (403, 401)
    assert second.json()["detail"].startswith("You are not allowed to create a Tweet with dup")
    assert post["origin"] == "api"
    assert [seen["operation"] for seen in x.posting_requests()] == ["ApiCreateTweet"] * 3
