import base64
import json
import re

import pytest

from tests.simx.clients import Answer, Json, Person, RunningX

LOGIN = "/i/jf/onboarding/web?mode=login&redirect_after_login=%2Fhome"


def scenario_of(page: Answer) -> Json:
    """Read what the shell tells the front-end."""
    pattern = r'<script id="simx-scenario" type="application/json">(.*?)</script>'
    found = re.search(pattern, page.body.decode(), re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


@pytest.mark.parametrize(
    "path",
    ["/", "/home", "/compose/post", "/ada_writes", "/ada_writes/status/1", "/i/graduated-access"],
)
def test_an_app_route_is_the_shell_when_signed_in(ada: Person, path: str) -> None:
    """Static HTML with the marks that every load of X's app has."""
    page = ada.visit(path)

    text = page.body.decode()
    assert page.status == 200
    for mark in ('id="react-root"', 'id="placeholder"', 'id="ScriptLoadFailure"'):
        assert mark in text
    assert "https://abs.twimg.com/responsive-web/client-web/" in text
    assert [cookie.split("=")[0] for cookie in page.set_cookies] == ["twid"]
    assert scenario_of(page) == {}


def test_the_shell_holds_what_http_clients_make_their_transaction_id_of(ada: Person) -> None:
    """A key of 48 bytes, four pictures with 16 rows of 11 numbers, and a chunk with indices."""
    text = ada.visit("/").body.decode()

    key = re.search(r'name="twitter-site-verification" content="([^"]+)"', text)
    chunk = re.search(r'"ondemand.s":"(\w+)"', text)
    pictures = re.findall(r'id="loading-x-anim-\d".*?d="M 10,30 C([^"]+)"', text)
    assert key is not None
    assert chunk is not None
    url = f"https://abs.twimg.com/responsive-web/client-web/ondemand.s.{chunk.group(1)}a.js"
    script = ada.x.request("GET", url).body.decode()
    assert len(base64.b64decode(key.group(1))) == 48
    rows = [[re.findall(r"\d+", row) for row in one.split("C")] for one in pictures]
    assert [[len(row) for row in one] for one in rows] == [[11] * 16] * 4
    assert len(re.findall(r"\(\w\[\d{1,2}\], 16\)", script)) == 4


REDIRECTS = {
    "/home": "/i/flow/login?redirect_after_login=%2Fhome",
    "/compose/post": "/i/flow/login?redirect_after_login=%2Fcompose%2Fpost",
    "/i/flow/login": LOGIN,
}


@pytest.mark.parametrize(("path", "target"), REDIRECTS.items())
def test_a_stranger_is_led_to_the_sign_in_page(x: RunningX, path: str, target: str) -> None:
    """In the two steps of X."""
    answer = x.request("GET", f"https://x.com{path}")

    assert (answer.status, answer.headers["location"]) == (302, target)


@pytest.mark.parametrize("path", [LOGIN, "/somebody", "/somebody/status/12", "/"])
def test_a_stranger_sees_the_other_front_end(x: RunningX, path: str) -> None:
    """Sign-in, profiles and posts are x-web, with other scripts."""
    answer = x.request("GET", f"https://x.com{path}")

    assert answer.status == 200
    assert "/x-web/" in answer.body.decode()
    assert 'id="react-root"' not in answer.body.decode()


def test_a_dead_session_is_200_with_the_other_front_end(x: RunningX) -> None:
    """Not a 401: what misleads programs that look at the status."""
    headers = {"cookie": "auth_token=dead; ct0=c"}

    answer = x.request("GET", "https://x.com/home", headers=headers)

    assert answer.status == 200
    assert "/x-web/" in answer.body.decode()


def test_signing_in_gives_cookies_that_work(x: RunningX) -> None:
    """Name and password open a session; a wrong one does not."""
    x.control("POST", "/accounts", {"handle": "bo", "password": "open sesame"})
    url = "https://x.com/i/jfapi/onboarding/web/actions/begin_login"
    form = {"username_or_email": "@Bo", "password": "open sesame", "castle_token": "$c"}

    right = x.request("POST", url, body=json.dumps(form).encode())
    wrong = x.request("POST", url, body=json.dumps(form | {"password": "x"}).encode())

    assert (right.status, right.json()) == (200, {"next": "/home"})
    token, ct0, twid = right.set_cookies
    assert all(mark in token for mark in ("HttpOnly", "Secure", "SameSite=None", "Domain=.x.com"))
    assert "HttpOnly" not in ct0
    assert twid.startswith('twid="u%3D')
    assert (wrong.status, wrong.set_cookies) == (401, ())


def test_the_shell_tells_the_faults_the_front_end_acts_out(x: RunningX, ada: Person) -> None:
    """By name, with their parameters, for the account and the page they are set for."""
    x.fault("stale_draft", text="</script>old", on="/compose", account="ada_writes")
    x.fault("no_toast")
    x.fault("undo_send_ms", ms=5)

    compose, home = ada.visit("/compose/post"), x.person("bo").visit("/home")

    told = {"stale_draft": {"text": "</script>old"}, "no_toast": True, "undo_send_ms": {"ms": 5}}
    assert scenario_of(compose) == told
    assert sorted(scenario_of(home)) == ["no_toast", "undo_send_ms"]


def test_page_faults_count_pages_and_toast_faults_count_posts(x: RunningX, ada: Person) -> None:
    """So that reading the profile first does not use a toast fault up."""
    x.fault("never_hydrates", times=1)
    x.fault("no_toast", times=1)

    first, second = scenario_of(ada.visit("/home")), scenario_of(ada.visit("/home"))
    ada.post("One")
    third = scenario_of(ada.visit("/home"))

    assert first == {"never_hydrates": True, "no_toast": True}
    assert (second, third) == ({"no_toast": True}, {})


def test_a_signed_out_account_meets_the_sign_in_page_and_401(x: RunningX, ada: Person) -> None:
    """Pages and calls agree while the fault is in force."""
    x.fault("signed_out", account="ada_writes")

    page, call = ada.visit("/home"), ada.post("Hello")
    x.control("DELETE", "/faults")

    assert page.headers["location"].startswith("/i/flow/login")
    assert (call.status, call.json()["errors"][0]["code"]) == (401, 32)
    assert ada.visit("/home").status == 200


def test_a_session_can_die_between_page_and_post(x: RunningX, ada: Person) -> None:
    """`on` narrows the fault to one operation."""
    x.fault("signed_out", on="CreateTweet")

    assert ada.visit("/compose/post").status == 200
    assert ada.read("Viewer").status == 200
    assert ada.post("Hello").status == 401


def test_a_locked_account_is_led_to_account_access(x: RunningX, ada: Person) -> None:
    """326 for calls, and a page that only a person gets past."""
    x.fault("lock_page")

    page, call, lock = ada.visit("/home"), ada.post("Hello"), ada.visit("/account/access")

    assert page.headers["location"] == "/account/access"
    assert call.json()["errors"][0]["code"] == 326
    assert "Your account has been locked" in lock.body.decode()


def test_a_guard_in_front_of_the_site_shows_a_page_that_is_not_the_app(
    x: RunningX, ada: Person
) -> None:
    """Neither signed in nor signed out: unknown."""
    x.fault("unknown_page", on="/home")

    page = ada.visit("/home")

    assert page.status == 200
    assert 'id="react-root"' not in page.body.decode()
    assert 'id="react-root"' in ada.visit("/compose/post").body.decode()


def test_with_the_wrong_account_everything_is_somebody_elses(x: RunningX, ada: Person) -> None:
    """Cookie, Viewer and posts."""
    bo = x.person("bo")
    x.fault("wrong_account", as_="bo", account="ada_writes")

    page = ada.visit("/home")
    viewer = ada.read("Viewer").json()["data"]["viewer"]["user_results"]["result"]
    ada.post("Whose?")

    assert bo.user_id in page.set_cookies[0]
    assert viewer["core"]["screen_name"] == "bo"
    assert x.truth()[0]["author"] == "bo"


def test_static_files_are_open_to_modules_and_cached(x: RunningX) -> None:
    """With a type, CORS, a lifetime and an ETag that is answered 304."""
    url = "https://abs.twimg.com/responsive-web/client-web/main.js"

    first = x.request("GET", url)
    again = x.request("GET", url, headers={"if-none-match": first.headers["etag"]})
    missing = x.request("GET", "https://abs.twimg.com/responsive-web/client-web/none.js")

    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["access-control-allow-origin"] == "*"
    assert "max-age" in first.headers["cache-control"]
    assert (again.status, again.body, missing.status) == (304, b"", 404)


PLACES = {
    "https://twitter.com/home?a=b": (301, "https://x.com/home?a=b"),
    "https://x.com/logout": (302, "/"),
    "https://x.com/favicon.ico": (404, None),
    "https://abs-0.twimg.com/emoji/v2/svg/1f30d.svg": (200, None),
    "https://pbs.twimg.com/card_img/1/x?format=png": (200, None),
    "https://unheard-of.x.com/": (404, None),
}


@pytest.mark.parametrize("case", PLACES.items(), ids=PLACES.keys())
def test_other_hosts_and_paths_answer(
    x: RunningX, case: tuple[str, tuple[int, str | None]]
) -> None:
    """Redirects, pictures, and honest 404s."""
    url, (status, location) = case

    answer = x.request("GET", url)

    assert (answer.status, answer.headers.get("location")) == (status, location)
