"""What `prepare` takes: one announcement from options, or one or many from a JSON or TOML file.

Everything wrong with any of them is found before anything is stored, and said at once.
"""

from __future__ import annotations

import json
import sys
import tomllib
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.cli.bad_input import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE_SIZE_MAX_BYTES = 4_000_000
POSTS_MAX = 1_000


class Announcement(BaseModel):
    """One announcement as a caller writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=False)

    account: str = Field(min_length=1, max_length=64)
    text: str = Field(min_length=1, max_length=100_000)
    link: str | None = Field(default=None, max_length=4_000)
    article: str | None = Field(default=None, min_length=1, max_length=2_000)
    revision: str = Field(default="1", min_length=1, max_length=200)
    operation: str = Field(default="announce", min_length=1, max_length=200)
    key: str | None = Field(default=None, min_length=1, max_length=400)
    at: str | None = Field(default=None, max_length=64)


def from_file(path: Path) -> list[Announcement]:
    """Reads one or many announcements: an object, a list, or `posts = [...]`.

    Args:
        path: A `.toml` file, or JSON under any other name.

    Raises:
        BadInput: Missing, too large, not JSON or TOML, or with wrong fields.
    """
    values = _posts_of(_parsed(path), path)
    announcements, faults = [], []
    for number, value in enumerate(values, start=1):
        try:
            announcements.append(Announcement.model_validate(value))
        except ValidationError as error:
            faults += [f"post {number}: {fault}" for fault in faults_of(error)]
    if faults:
        raise BadInput("; ".join(faults) + ". Nothing was stored.")
    return announcements


def from_options(
    given: Mapping[str, str], *, text: str | None, text_file: Path | None
) -> Announcement:
    """Makes one announcement of the command's options.

    Args:
        given: The fields that were given, by name.
        text: The text itself, or
        text_file: the file that holds it; `-` is standard input.

    Raises:
        BadInput: A field is missing or wrong.
    """
    if (text is None) == (text_file is None):
        raise BadInput("Give the text with --text or with --text-file, one of them.")
    whole = text if text_file is None else _text_of(text_file)
    try:
        return Announcement.model_validate({**given, "text": whole})
    except ValidationError as error:
        raise BadInput("; ".join(faults_of(error)) + ". Nothing was stored.") from error


def faults_of(error: ValidationError) -> list[str]:
    """Puts each fault of a model into words: the field and what is wrong with it."""
    words = {"extra_forbidden": "is not a field of an announcement", "missing": "is missing"}
    return [
        f"{'.'.join(str(part) for part in item['loc']) or 'the post'} "
        f"{words.get(item['type'], item['msg'][:1].lower() + item['msg'][1:])}"
        for item in error.errors()
    ]


def _text_of(text_file: Path) -> str:
    try:
        raw = sys.stdin.buffer.read() if str(text_file) == "-" else text_file.read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{text_file} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{text_file} is not UTF-8 text: {error.reason}.") from error


def _parsed(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    try:
        size = path.stat().st_size
        if size > FILE_SIZE_MAX_BYTES:
            raise BadInput(f"{path} has {size} bytes; at most {FILE_SIZE_MAX_BYTES} are read.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text: {error.reason}.") from error
    try:
        return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError) as error:
        kind = "TOML" if path.suffix == ".toml" else "JSON"
        raise BadInput(f"{path} is not valid {kind}: {error}.") from error


def _posts_of(value: Any, path: Path) -> list[Any]:  # noqa: ANN401 - checked here
    if isinstance(value, dict) and set(value) == {"posts"}:
        value = value["posts"]
    posts = value if isinstance(value, list) else [value]
    if not posts:
        raise BadInput(f"{path} holds no post.")
    if len(posts) > POSTS_MAX:
        raise BadInput(f"{path} holds {len(posts)} posts; at most {POSTS_MAX} are taken at once.")
    return posts
