"""Plain clients of the simulated X for its own tests: HTTP/1.1, HTTP/2, and the control API."""

import http.client
import json
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlencode

import h2.config
import h2.connection
import h2.events

TIMEOUT_S = 10
PUBLIC_BEARER = "Bearer AAAA"

# Bodies of the simulation are read as JSON of many shapes, which no type of ours describes.
Json = Any


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer as a plain client sees it."""

    status: int
    headers: Mapping[str, str]
    set_cookies: tuple[str, ...]
    body: bytes

    def json(self) -> Json:
        """Read the body."""
        return json.loads(self.body)


def ask(
    connection: http.client.HTTPSConnection,
    method: str,
    url: str,
    headers: Mapping[str, str] | None,
    body: bytes | None,
) -> Answer:
    """Send a request over an open connection."""
    path = url.removeprefix("https://").partition("/")[2]
    connection.request(method, f"/{path}", body, dict(headers or {}))
    answer = connection.getresponse()
    content = answer.read()
    found = {name.lower(): value for name, value in answer.getheaders()}
    cookies = tuple(answer.headers.get_all("set-cookie") or ())
    return Answer(status=answer.status, headers=found, set_cookies=cookies, body=content)


@dataclass(frozen=True, kw_only=True)
class RunningX:
    """A started simulation."""

    facts: Mapping[str, Json]

    def control(self, method: str, path: str, body: Json = None) -> Json:
        """Call the control API; a refused call gives (status, body)."""
        data = None if body is None else json.dumps(body).encode()
        url = f"{self.facts['control_url']}{path}"
        request = urllib.request.Request(url, method=method, data=data)  # noqa: S310 - loopback
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)

    def context(self, *protocols: str) -> ssl.SSLContext:
        """Trust the simulation's authority, and nothing else."""
        context = ssl.create_default_context(cafile=self.facts["certificate_pem_path"])
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context

    def connect(self, host: str, *protocols: str) -> ssl.SSLSocket:
        """Open a TLS connection for a host."""
        raw = socket.create_connection(("127.0.0.1", self.facts["https_port"]), TIMEOUT_S)
        return self.context(*protocols).wrap_socket(raw, server_hostname=host)

    def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Answer:
        """Ask over HTTP/1.1 on a connection of its own."""
        with self.kept_alive(url) as connection:
            return ask(connection, method, url, headers, body)

    @contextmanager
    def kept_alive(self, url: str) -> Iterator[http.client.HTTPSConnection]:
        """Keep a connection for several requests to a host."""
        host = url.removeprefix("https://").partition("/")[0]
        connection = http.client.HTTPSConnection(host, timeout=TIMEOUT_S)
        connection.sock = self.connect(host)
        try:
            yield connection
        finally:
            connection.close()

    def person(self, handle: str, **wishes: Json) -> "Person":
        """Make an account and take its cookies."""
        account = self.control("POST", "/accounts", {"handle": handle, **wishes})
        return Person(x=self, account=account)

    def truth(self, **filters: str) -> list[Json]:
        """List accepted posts."""
        posts: list[Json] = self.control("GET", f"/truth/posts?{urlencode(filters)}")
        return posts

    def posting_requests(self) -> list[Json]:
        """List the requests that would publish."""
        seen: list[Json] = self.control("GET", "/truth/requests?publishes=1")
        return seen

    def fault(self, name: str, **wishes: Json) -> Json:
        """Set a fault; a parameter called `as` is written `as_`."""
        wish = {key.removesuffix("_"): value for key, value in wishes.items()}
        return self.control("POST", "/faults", {"do": name, **wish})


@dataclass(frozen=True, kw_only=True)
class Person:
    """An account with its cookies, who calls as the web client does."""

    x: RunningX
    account: Mapping[str, Json]

    @property
    def user_id(self) -> str:
        """Tell the numeric id."""
        return str(self.account["user_id"])

    @property
    def cookies(self) -> dict[str, str]:
        """Give the cookies by name."""
        return {one["name"]: one["value"] for one in self.account["cookies"]}

    def headers(self) -> dict[str, str]:
        """Give the headers of the web client."""
        return {
            "cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "x-csrf-token": self.cookies["ct0"],
            "authorization": PUBLIC_BEARER,
            "content-type": "application/json",
        }

    def visit(self, path: str) -> Answer:
        """Open a page."""
        cookie = {"cookie": self.headers()["cookie"]}
        return self.x.request("GET", f"https://x.com{path}", headers=cookie)

    def read(self, operation: str, **variables: Json) -> Answer:
        """Read by GraphQL."""
        return self.read_repeatedly(1, operation, **variables)[0]

    def read_repeatedly(self, times: int, operation: str, **variables: Json) -> list[Answer]:
        """Read by GraphQL so many times on one connection."""
        query = urlencode({"variables": json.dumps(variables), "features": "{}"})
        url = f"https://x.com/i/api/graphql/q/{operation}?{query}"
        with self.x.kept_alive(url) as connection:
            return [ask(connection, "GET", url, self.headers(), None) for _ in range(times)]

    def write(self, operation: str, **variables: Json) -> Answer:
        """Write by GraphQL."""
        url = f"https://x.com/i/api/graphql/q/{operation}"
        return self.x.request("POST", url, headers=self.headers(), body=body_of(variables))

    def post(self, text: str, **variables: Json) -> Answer:
        """Post a text."""
        return self.write("CreateTweet", tweet_text=text, **variables)

    def post_id(self, text: str, **variables: Json) -> str:
        """Post a text that is accepted and tell its id."""
        result = self.post(text, **variables).json()["data"]["create_tweet"]["tweet_results"]
        return str(result["result"]["rest_id"])

    def entries(self, operation: str = "UserTweets", **variables: Json) -> list[Json]:
        """Read the entries of a page of the own profile."""
        answer = self.read(operation, userId=self.user_id, count=20, **variables)
        return entries_of(answer.json())


def entries_of(body: Json) -> list[Json]:
    """Find the entries of a profile answer."""
    result = body["data"]["user"]["result"]
    timeline = (result.get("timeline") or result["timeline_v2"])["timeline"]
    added = [one for one in timeline["instructions"] if one["type"] == "TimelineAddEntries"]
    entries: list[Json] = added[0]["entries"]
    return entries


def result_of(entry: Json) -> Json:
    """Take the post out of an entry."""
    return entry["content"]["itemContent"]["tweet_results"].get("result")


def eventually(look: Callable[[], Json]) -> Json:
    """Look until there is something to see, in bounded time; each look is a request of its own."""
    deadline = time.monotonic() + TIMEOUT_S
    while not (seen := look()):
        assert time.monotonic() < deadline
    return seen


def body_of(variables: Mapping[str, Json]) -> bytes:
    """Make the body of a GraphQL write."""
    return json.dumps({"variables": variables, "features": {}, "queryId": "q"}).encode()


class Http2Client:
    """One HTTP/2 connection; sends requests and collects what comes back."""

    def __init__(self, x: RunningX, host: str = "x.com") -> None:
        self.socket = x.connect(host, "h2")
        self.host = host
        self._http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self._http.initiate_connection()
        self._flush()

    def send(self, person: Person, body: bytes, *, is_whole: bool = True) -> int:
        """Send a CreateTweet, whole or without its last bytes."""
        stream_id = self._http.get_next_available_stream_id()
        pseudo = [
            (":method", "POST"),
            (":scheme", "https"),
            (":authority", self.host),
            (":path", "/i/api/graphql/q/CreateTweet"),
        ]
        self._http.send_headers(stream_id, [*pseudo, *person.headers().items()])
        sent = body if is_whole else body[:-5]
        self._http.send_data(stream_id, sent, end_stream=is_whole)
        self._flush()
        return stream_id

    def events(self) -> list[h2.events.Event]:
        """Collect events until an answer or an end."""
        found: list[h2.events.Event] = []
        while not any(isinstance(event, _ENDS) for event in found):
            try:
                data = self.socket.recv(65_536)
                if not data:
                    return found
                found += self._http.receive_data(data)
                self._flush()
            except OSError:
                return found
        return found

    def break_off(self, data: bytes) -> None:
        """Send bytes and then nothing ever again; wait until the server has taken note."""
        self.socket.sendall(data)
        self.socket.shutdown(socket.SHUT_WR)
        with suppress(OSError):
            while self.socket.recv(65_536):
                continue

    def __enter__(self) -> Self:
        """Use it in a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Drop the connection."""
        self.socket.close()

    def _flush(self) -> None:
        self.socket.sendall(self._http.data_to_send())


_ENDS = (h2.events.StreamEnded, h2.events.StreamReset, h2.events.ConnectionTerminated)


@contextmanager
def started(*options: str) -> Iterator[tuple["subprocess.Popen[str]", RunningX]]:
    """Start `python -m simx` and end it with the block, whatever happens in it."""
    command = [sys.executable, "-m", "simx", "--until-stdin-closes", *options]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, RunningX(facts=json.loads(process.stdout.readline()))
        finally:
            process.terminate()
            process.wait(TIMEOUT_S)
