from importlib import resources

import pytest
from simx.fault_catalogue import KINDS
from simx.fault_table import table

from tests.simx.clients import Person, RunningX

WRONG = {
    "no handle": ("POST", "/accounts", {}, "account needs 'handle'"),
    "bad handle": ("POST", "/accounts", {"handle": "a b"}, "handle 'a b' is not"),
    "taken handle": ("POST", "/accounts", {"handle": "ADA_writes"}, "there is already an account"),
    "unknown tier": ("POST", "/accounts", {"handle": "b", "tier": "gold"}, "basic or premium"),
    "unknown field": ("POST", "/accounts", {"handle": "b", "nam": "B"}, "no field 'nam'"),
    "bad user id": ("POST", "/accounts", {"handle": "b", "user_id": "x1"}, "decimal digits"),
    "post without author": ("POST", "/posts", {"text": "t"}, "post needs 'author'"),
    "post without text": ("POST", "/posts", {"author": "a"}, 'post needs "text"'),
    "post of nobody": ("POST", "/posts", {"author": "a", "repost_of": "12"}, "no post 12"),
    "post too early": ("POST", "/posts", {"author": "a", "text": "t", "created_ms": 5}, "2010"),
    "unknown fault": ("POST", "/faults", {"do": "no_tost"}, "did you mean 'no_toast'?"),
    "fault without do": ("POST", "/faults", {"times": 1}, 'a fault needs "do"'),
    "unknown place": ("POST", "/faults", {"do": "no_toast", "on": "Tweet"}, "must be"),
    "bad times": ("POST", "/faults", {"do": "no_toast", "times": 0}, '"times" is neither'),
    "unknown parameter": ("POST", "/faults", {"do": "no_toast", "ms": 1}, "no parameter 'ms'"),
    "bad parameter": ("POST", "/faults", {"do": "delay_ms", "ms": "1"}, "must be int or float"),
    "negative delay": ("POST", "/faults", {"do": "delay_ms", "ms": -1}, "must not be negative"),
    "not an object": ("POST", "/faults", [1], "is not a JSON object"),
    "unknown filter": ("GET", "/truth/posts?autor=ada", None, "no filter 'autor'"),
    "deleting nothing": ("DELETE", "/posts/77", None, "there is no post '77'"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_request_is_refused_with_one_clear_sentence(
    x: RunningX, ada: Person, case: tuple[str, str, object, str]
) -> None:
    """Who tests a poster sees at once what is wrong with the set-up."""
    method, path, body, words = case

    status, answer = x.control(method, path, body)

    assert (status, list(answer)) == (400, ["error"])
    assert words in answer["error"]
    assert "\n" not in answer["error"]
    assert ada.account["handle"] == "ada_writes"


def test_an_unknown_path_is_not_found(x: RunningX) -> None:
    """A typo in the path is told from a typo in the body."""
    status, answer = x.control("GET", "/truth/tweets")

    assert status == 404
    assert "GET /truth/tweets" in answer["error"]


def test_an_account_comes_with_the_cookies_of_a_signed_in_browser(x: RunningX) -> None:
    """They have the shape that Playwright's add_cookies takes."""
    account = x.control("POST", "/accounts", {"handle": "bo", "user_id": "1234567", "name": "Bo"})

    cookies = {cookie["name"]: cookie for cookie in account["cookies"]}
    assert account["user_id"] == "1234567"
    assert sorted(cookies) == ["auth_token", "ct0", "twid"]
    assert cookies["twid"]["value"] == '"u%3D1234567"'
    assert cookies["auth_token"]["httpOnly"]
    assert not cookies["ct0"]["httpOnly"]
    assert {cookie["domain"] for cookie in cookies.values()} == {".x.com"}
    assert {frozenset(cookie) for cookie in cookies.values()} == {
        frozenset(["name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite"])
    }


def test_reset_forgets_everything(x: RunningX, ada: Person) -> None:
    """Each test of somebody else's poster begins with an empty site."""
    ada.post("Something")
    x.fault("no_toast")

    x.control("POST", "/reset")

    assert x.control("GET", "/accounts") == []
    assert x.control("GET", "/faults") == []
    assert x.truth() == []
    assert x.control("GET", "/truth/requests") == []


def test_seeded_posts_are_truth_of_origin_seed(x: RunningX) -> None:
    """A seed tells text, time and kind, and stands in the truth beside what was posted."""
    old = x.control("POST", "/posts", {"author": "ghost", "text": "Old  ", "age_s": 3600})
    repost = x.control("POST", "/posts", {"author": "bo", "repost_of": old["id"], "pinned": True})

    assert (old["text"], old["origin"], old["author"]) == ("Old", "seed", "ghost")
    assert (repost["repost_of"], repost["pinned"]) == (old["id"], True)
    assert (int(old["id"]) >> 22) + 1288834974657 == old["created_ms"]
    assert [post["id"] for post in x.truth(author="GHOST")] == [old["id"]]


def test_an_edited_post_has_a_new_id_and_tells_both(x: RunningX) -> None:
    """As on X, where an edit is a post of its own."""
    first = x.control("POST", "/posts", {"author": "bo", "text": "Helo"})

    edited = x.control("POST", f"/posts/{first['id']}/edit", {"text": "Hello"})

    assert edited["replaces"] == first["id"]
    assert x.truth()[0]["superseded_by"] == edited["id"]


def test_every_fault_can_be_set_listed_and_lifted(x: RunningX) -> None:
    """The catalogue and the book agree on every kind."""
    for name in KINDS:
        x.fault(name, times=1)

    assert [fault["do"] for fault in x.control("GET", "/faults")] == list(KINDS)
    assert x.control("DELETE", "/faults") == {"lifted": len(KINDS)}


def test_the_readme_shows_the_catalogue_as_it_is() -> None:
    """`python -m simx.fault_table` prints what README.md holds."""
    readme = (resources.files("simx") / "README.md").read_text()

    assert table() in readme
