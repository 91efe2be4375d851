"""The body of `postproof match`: the matcher on files, with the shapes that others write.

Models of pydantic at the edge, domain values behind it. Unknown fields are passed over, so that a
file may hold more than the matcher reads; a missing fact is an unknown one, and what is unknown
confirms nothing. Files are bounded; a fault names the file, the line and the field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from agent.cli.bad_input import BadInput
from agent.domain.ids import PostId, UserId
from agent.domain.matching.policy import MatchPolicy
from agent.domain.matching.terms import (
    AttemptTimes,
    SeenLink,
    SeenPost,
    Sibling,
    Verdict,
    Wanted,
    WantedSegment,
)
from agent.domain.matching.verdict import MatchRefused, match

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

FILE_BYTES_MAX: Final = 256 * 1024 * 1024  # a look of a few hundred posts is below one megabyte
LINE_BYTES_MAX: Final = 64 * 1024 * 1024
FAULTS_NAMED_MAX: Final = 5


class _Shape(BaseModel):
    """A part of a file: values as they are, never turned into another type."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class AccountShape(_Shape):
    """The account that posts."""

    user_id: str
    handle: str


class SegmentShape(_Shape):
    """One post: the frozen text with the final link where it was posted, and that link."""

    text: str
    link: str | None = None
    media_count: Annotated[int, Field(ge=0)] | None = None

    def as_domain(self) -> WantedSegment:
        """Return the domain's value."""
        return WantedSegment(text=self.text, link=self.link, media_count=self.media_count)


class AttemptShape(_Shape):
    """When the attempt clicked and released, and the newest id seen before it."""

    clicked_at: AwareDatetime | None = None
    released_at: AwareDatetime | None = None
    baseline_id: str | None = None

    def as_domain(self) -> AttemptTimes:
        """Return the domain's value."""
        baseline = None if self.baseline_id is None else PostId(self.baseline_id)
        return AttemptTimes(
            clicked_at=self.clicked_at, released_at=self.released_at, baseline_id=baseline
        )


class SiblingShape(_Shape):
    """Another open job of the account."""

    segments: list[SegmentShape]
    attempt: AttemptShape | None = None

    def as_domain(self) -> Sibling:
        """Return the domain's value."""
        return Sibling(
            segments=tuple(one.as_domain() for one in self.segments),
            attempt=self.attempt.as_domain() if self.attempt else None,
        )


class IntentShape(_Shape):
    """The job in doubt."""

    account: AccountShape
    kind: Literal["post", "reply", "quote"]
    segments: Annotated[list[SegmentShape], Field(min_length=1)]
    attempt: AttemptShape
    now: AwareDatetime
    taken_ids: list[str] = []
    open_siblings: list[SiblingShape] = []

    def as_domain(self) -> Wanted:
        """Return the domain's value."""
        return Wanted(
            user_id=UserId(self.account.user_id),
            handle=self.account.handle.removeprefix("@"),
            kind=self.kind,
            segments=tuple(one.as_domain() for one in self.segments),
            attempt=self.attempt.as_domain(),
            now=self.now,
            taken_ids=frozenset(map(PostId, self.taken_ids)),
            open_siblings=tuple(one.as_domain() for one in self.open_siblings),
        )


class LinkShape(_Shape):
    """A link of a post: as shown, its `href`, and expanded."""

    shown: str | None = None
    href: str | None = None
    expanded: str | None = None


class PostShape(_Shape):
    """One post as a look read it."""

    id: str | None = None
    author_id: str | None = None
    author_handle: str | None = None
    source: Literal["answer", "dom"]
    kind: Literal["post", "repost", "quote", "reply"] | None = None
    text: str | None = None
    links: list[LinkShape] | None = None
    card_domain: str | None = None
    pinned: bool | None = None
    truncated: bool | None = None
    edited: bool | None = None
    media_count: int | None = None

    def as_domain(self) -> SeenPost:
        """Return the domain's value."""
        links = self.links
        return SeenPost(
            id=None if self.id is None else PostId(self.id),
            author_id=None if self.author_id is None else UserId(self.author_id),
            author_handle=self.author_handle and self.author_handle.removeprefix("@"),
            source=self.source,
            kind=self.kind,
            text=self.text,
            links=None if links is None else tuple(SeenLink(**dict(one)) for one in links),
            card_domain=self.card_domain,
            pinned=self.pinned,
            truncated=self.truncated,
            edited=self.edited,
            media_count=self.media_count,
        )


class PostsShape(_Shape):
    """A file of posts that names them, as `postproof read` may write it."""

    posts: list[PostShape]


class BatchLineShape(PostsShape):
    """One line of a batch."""

    intent: IntentShape


class CandidateShape(_Shape):
    """What the matcher makes of one post."""

    id: str | None
    grade: Literal["exact", "letters", "near", "other"] | None
    gates: dict[str, bool | None]
    scores: dict[str, float]
    reasons: list[str]


class VerdictShape(_Shape):
    """What a look comes to."""

    verdict: Literal["unique", "none", "ambiguous"]
    id: str | None
    reasons: list[str]
    candidates: list[CandidateShape]

    @classmethod
    def of(cls, verdict: Verdict) -> Self:
        """Return the shape of a verdict."""
        return cls.model_validate(verdict_as_json(verdict))


def match_file(intent_path: Path, posts_path: Path) -> Verdict:
    """Match the posts of a file with the intent of another.

    Args:
        intent_path: one intent.
        posts_path: a list of posts, or an object with `posts`.

    Raises:
        BadInput: a file cannot be read, or is not of its shape.
    """
    intent = _parsed(_INTENT, _content(intent_path), where=str(intent_path))
    posts = _parsed(_POSTS, _content(posts_path), where=str(posts_path))
    found = posts.posts if isinstance(posts, PostsShape) else posts
    return _matched(intent, found, where=str(intent_path))


def match_batch(path: Path) -> Iterator[dict[str, Any]]:
    """Match each line of a file: yield a verdict as JSON for each, or `{"error": ...}`.

    Blank lines yield nothing. A faulty line does not stop those behind it, so that answers and
    lines stay in step; the caller ends with "bad input" when one was faulty.

    Raises:
        BadInput: the file cannot be read.
    """
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            parsed = _parsed(_BATCH_LINE, line, where=f"{path}, line {number}")
            verdict = _matched(parsed.intent, parsed.posts, where=f"{path}, line {number}")
        except BadInput as error:
            yield {"error": str(error)}
        else:
            yield verdict_as_json(verdict)


def schemas() -> dict[str, Any]:
    """Return the JSON schemas of what `match` reads and answers."""
    return {
        "intent": IntentShape.model_json_schema(),
        "posts": _POSTS.json_schema(),
        "batch_line": BatchLineShape.model_json_schema(),
        "verdict": VerdictShape.model_json_schema(),
    }


def verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as it is written."""
    return {
        "verdict": verdict.outcome.value,
        "id": verdict.id,
        "reasons": list(verdict.reasons),
        "candidates": [
            {
                "id": one.id,
                "grade": one.grade.value if one.grade else None,
                "gates": {gate.value: passed for gate, passed in one.gates.items()},
                "scores": dict(one.scores),
                "reasons": list(one.reasons),
            }
            for one in verdict.candidates
        ],
    }


def explained(verdict: Mapping[str, Any], *, candidates_max: int = 20) -> Iterator[str]:
    """Yield the lines that explain a verdict, as it is written, to a person.

    The caller makes them printable.
    """
    yield f"{verdict['verdict']}: {verdict['id'] or 'no post'}"
    yield from (f"  {reason}" for reason in verdict["reasons"])
    candidates = verdict["candidates"]
    for one in candidates[:candidates_max]:
        scores = ", ".join(f"{name} {value:g}" for name, value in one["scores"].items())
        yield ""
        grade = one["grade"] or "not compared"
        yield f"{one['id'] or 'without id'}  text {grade}  {scores}".rstrip()
        yield "  " + "  ".join(f"{gate}:{_WORDS[passed]}" for gate, passed in one["gates"].items())
        yield from (f"  - {reason}" for reason in one["reasons"])
    if (left := len(candidates) - candidates_max) > 0:
        yield f"and {left} more; --json shows all"


_Parsed = TypeVar("_Parsed")
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_WORDS: Final = {True: "yes", False: "no", None: "unknown"}
_INTENT: Final = TypeAdapter(IntentShape)
_POSTS: Final[TypeAdapter[PostsShape | list[PostShape]]] = TypeAdapter(PostsShape | list[PostShape])
_BATCH_LINE: Final = TypeAdapter(BatchLineShape)


def _matched(intent: IntentShape, posts: list[PostShape], *, where: str) -> Verdict:
    try:
        return match(intent.as_domain(), [post.as_domain() for post in posts], MatchPolicy())
    except MatchRefused as error:
        raise BadInput(f"{where}: {error}.") from error


def _parsed(adapter: TypeAdapter[_Parsed], raw: bytes, *, where: str) -> _Parsed:
    try:
        return adapter.validate_json(raw)
    except ValidationError as error:
        raise BadInput(f"{where}: {_faults(error)}.") from error


def _faults(error: ValidationError) -> str:
    """Name the first faults by field; never the value, which is somebody's text."""
    named = [
        f"{'.'.join(map(str, fault['loc'])) or 'the whole'}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    left = len(named) - FAULTS_NAMED_MAX
    return "; ".join(named[:FAULTS_NAMED_MAX]) + (f"; and {left} more" if left > 0 else "")


def _content(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > FILE_BYTES_MAX:
            raise BadInput(f"{path} has {size} bytes; at most {FILE_BYTES_MAX} are read.")
        return path.read_bytes().removeprefix(_BYTE_ORDER_MARK)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, one at a time; a line over the bound ends the reading."""
    try:
        with path.open("rb") as file:
            while line := file.readline(LINE_BYTES_MAX + 1):
                if len(line) > LINE_BYTES_MAX:
                    raise BadInput(f"{path} holds a line of more than {LINE_BYTES_MAX} bytes.")
                yield line.removeprefix(_BYTE_ORDER_MARK)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
