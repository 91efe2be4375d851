"""Watches what a tab sends and gets, by name of operation.

Holding requests is the gate's work; nothing here lets one out or keeps one back. Only the answer to
a posting request is taken at the wire (DevTools, response stage) before the page gets it: a page
that X sends to its lock page drops the answer's body at once, and a redirect would make the
browser post again by itself, so that it ends here. Active only inside `async with`, since a watcher
that stays costs the browser its cache or the reader its attention. Playwright's objects stay in
here; what leaves are facts.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from playwright.async_api import Error as PlaywrightError

from browser.answers import read_created
from browser.bell import Bell
from browser.errors import TimedOut
from browser.facts import AnswerFacts, RequestFacts

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import CDPSession, Page, Request, Response

POSTING = frozenset({"CreateTweet", "CreateNoteTweet"})
OPERATION = re.compile(r"^https://(?:\w+\.)?(?:x|twitter)\.com/(?:i/api/)?graphql/[^/]+/(\w+)")
CHANGES_POSTS = re.compile(
    r"^(Create|Delete|Undo|Edit|Schedule|Unschedule|Pin|Unpin|Favorite|Retweet|Unretweet)\w*$"
)
LEGACY_POSTING = re.compile(r"^https://(?:\w+\.)?(?:x|twitter)\.com/\S*statuses/update\.json")
STATUS_ID = re.compile(r"/status/(\d+)")
REDIRECTS = frozenset({301, 302, 303, 307, 308})
DETACH_TIMEOUT_S = 2.0  # a page that is gone has detached already
DRAIN_S = 20.0  # from the head of an answer to its end; as long as a page's first byte may take
BODY_BYTES_MAX = 4 * 1024 * 1024  # a long post's answer is 60 kB; more is not an answer of X's


@dataclass(frozen=True, kw_only=True, eq=False)
class Change:
    """A request that would change posts, as it was seen leaving the page.

    `facts` is None when its operation is not one that posts, or when its body cannot be read.
    """

    operation: str
    facts: RequestFacts | None
    is_redirect: bool
    _request: Request

    @property
    def has_failed(self) -> bool:
        """Whether the browser has given it up; nothing waits for it any more."""
        return self._request.failure is not None


@dataclass(frozen=True, kw_only=True)
class _Taken:
    """An answer to a posting request, as it was taken at the wire."""

    status: int
    body: bytes | None
    failure: str | None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """An answer to a reading operation: status, parsed JSON or None."""

    operation: str
    status: int
    body: object


class Wire:
    """See the head of this module. Made by `Tab.wire`.

    Attributes:
        news: Rings when a request or an answer has been kept.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._changes: list[Change] = []
        self._readings: list[Reading] = []
        self._failures: list[str] = []
        self.news = Bell()
        self._tasks: set[asyncio.Task[None]] = set()
        self._reads: frozenset[str] = frozenset()
        self._on_change: Callable[[Change], None] = _ignore
        self._devtools: CDPSession | None = None
        self._taken: asyncio.Future[_Taken] = asyncio.get_running_loop().create_future()

    async def __aenter__(self) -> Self:
        self._page.context.on("request", self._request_seen)
        self._page.on("response", self._response_seen)
        self._page.on("requestfailed", self._failure_seen)
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._page.context.remove_listener("request", self._request_seen)
        self._page.remove_listener("response", self._response_seen)
        self._page.remove_listener("requestfailed", self._failure_seen)
        for task in self._tasks:
            task.cancel()
        if self._devtools is not None:
            with suppress(PlaywrightError, TimeoutError):
                async with asyncio.timeout(DETACH_TIMEOUT_S):
                    await self._devtools.detach()

    async def take_answers(self) -> None:
        """Takes the answers to posting requests at the wire, from now on."""
        self._devtools = await self._page.context.new_cdp_session(self._page)
        self._devtools.on("Fetch.requestPaused", self._answer_paused)
        patterns = [
            {"urlPattern": f"*/graphql/*/{operation}*", "requestStage": "Response"}
            for operation in sorted(POSTING)
        ]
        await self._devtools.send("Fetch.enable", {"patterns": patterns})

    def reads(self, *operations: str) -> None:
        """Names the reading operations whose answers are to be kept."""
        self._reads = frozenset(operations)

    def on_change(self, listener: Callable[[Change], None]) -> None:
        """Calls a listener for every further request that would change posts."""
        self._on_change = listener

    @property
    def changes(self) -> tuple[Change, ...]:
        """The requests seen so far that would change posts."""
        return tuple(self._changes)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The answers kept so far."""
        return tuple(self._readings)

    @property
    def failures(self) -> tuple[str, ...]:
        """The reading operations, of those named, whose request brought no whole answer."""
        return tuple(self._failures)

    async def drained(self) -> None:
        """Waits until every answer that has come is kept.

        Raises:
            TimedOut: One of them did not end.
        """
        if self._tasks:
            _, late = await asyncio.wait(set(self._tasks), timeout=DRAIN_S)
            if late:
                raise TimedOut("an answer began and did not end; it is looked at again later")

    async def answer(self, change: Change) -> tuple[AnswerFacts, bytes | None]:
        """Waits for the answer to a posting request; the caller bounds it.

        Returns:
            What it says, and its body as it came, for the evidence.
        """
        failing = asyncio.create_task(_failure(change._request))  # noqa: SLF001 - hidden elsewhere
        try:
            either: set[asyncio.Future[Any]] = {failing, self._taken}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not self._taken.done():
                return read_created(status=None, body=None, failure=failing.result()), None
        finally:
            failing.cancel()
        taken = self._taken.result()
        facts = read_created(
            status=taken.status, body=_json(taken.body or b""), failure=taken.failure
        )
        return facts, taken.body

    def _request_seen(self, request: Request) -> None:
        if request.method == "GET":
            return
        operation = _operation(request.url)
        if operation is None or not CHANGES_POSTS.match(operation):
            return
        change = Change(
            operation=operation,
            facts=_request_facts(operation, request) if operation in POSTING else None,
            is_redirect=request.redirected_from is not None,
            _request=request,
        )
        self._changes.append(change)
        self.news.ring()
        self._on_change(change)

    def _answer_paused(self, event: dict[str, Any]) -> None:
        task = asyncio.create_task(self._take(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take(self, event: dict[str, Any]) -> None:
        """Reads an answer and hands it on to the page; a redirect goes no further."""
        devtools, request = self._devtools, {"requestId": event["requestId"]}
        status = event.get("responseStatusCode")
        if devtools is None:
            return
        with suppress(PlaywrightError):  # the page went away, and its answer with it
            if status is None:  # the browser's word for why is told by Playwright
                await devtools.send("Fetch.continueRequest", request)
            elif status in REDIRECTS:
                self._keep_answer(_Taken(status=status, body=None, failure="redirected"))
                await devtools.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
            else:
                found = await devtools.send("Fetch.getResponseBody", request)
                raw = found["body"].encode()
                body = base64.b64decode(raw) if found["base64Encoded"] else raw
                self._keep_answer(_Taken(status=status, body=body, failure=None))
                await devtools.send("Fetch.continueRequest", request)

    def _keep_answer(self, taken: _Taken) -> None:
        if not self._taken.done():
            self._taken.set_result(taken)

    def _response_seen(self, response: Response) -> None:
        operation = _operation(response.url)
        if operation is not None and operation in self._reads:
            task = asyncio.create_task(self._keep(operation, response))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _failure_seen(self, request: Request) -> None:
        operation = _operation(request.url)
        if operation is not None and operation in self._reads:
            self._failures.append(operation)
            self.news.ring()

    async def _keep(self, operation: str, response: Response) -> None:
        body: object = None
        try:
            body = _json(await response.body())
        except PlaywrightError:
            body = None  # its page went away: the status is all that is known
        self._readings.append(Reading(operation=operation, status=response.status, body=body))
        self.news.ring()


async def _failure(request: Request) -> str:
    """Why a request got no answer; waits for ever when it gets one."""
    try:
        response = await request.response()
    except PlaywrightError as error:
        return error.message.splitlines()[0]
    if response is None:
        return request.failure or "no answer"
    never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    return await never


def _ignore(_change: Change) -> None:
    """Nobody listens yet."""


def _operation(url: str) -> str | None:
    found = OPERATION.match(url)
    if found is not None:
        return found.group(1)
    return "CreateByLegacyApi" if LEGACY_POSTING.match(url) else None


def _request_facts(operation: str, request: Request) -> RequestFacts | None:
    raw = request.post_data_buffer or b""
    body = _json(raw)
    variables = body.get("variables") if isinstance(body, dict) else None
    if not isinstance(variables, dict) or not isinstance(variables.get("tweet_text"), str):
        return None
    media = variables.get("media")
    entities = media.get("media_entities") if isinstance(media, dict) else None
    reply = variables.get("reply")
    reply_to = reply.get("in_reply_to_tweet_id") if isinstance(reply, dict) else None
    quoted = STATUS_ID.search(str(variables.get("attachment_url") or ""))
    return RequestFacts(
        operation=operation,
        text=variables["tweet_text"],
        media_count=len(entities) if isinstance(entities, list) else 0,
        reply_to=str(reply_to) if reply_to else None,
        quote_of=quoted.group(1) if quoted else None,
        body_sha256=hashlib.sha256(raw).hexdigest(),
    )


def _json(raw: bytes) -> object:
    if len(raw) > BODY_BYTES_MAX:
        return None
    try:
        return json.loads(raw)
    except ValueError:
        return None
