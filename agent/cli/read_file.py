"""The body of `postproof read`: a saved page or answer of X's as posts that `match` takes.

Files are bounded and are data: a page is laid out without scripts and without network. What stands
in the place of a post and is none (a tombstone, an empty result) is counted, not passed over.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from agent.channels.x_web_read import Unreadable, read_answer, read_page, shape_of
from agent.cli.bad_input import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FILE_BYTES_MAX: Final = 64 * 1024 * 1024  # a profile saved with its pictures inside is 20 MB
PAGE_SUFFIXES: Final = frozenset({".html", ".htm", ".xhtml"})
ANSWER_SUFFIXES: Final = frozenset({".json"})
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class FileReport:
    """What a file holds: its form, its posts as they are written, and what was no post in it."""

    form: str
    posts: Sequence[Mapping[str, Any]]
    skipped: Mapping[str, int]
    codes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """Returns it as it is written; `match --posts` takes it as it is."""
        return {
            "form": self.form,
            "posts": list(self.posts),
            "skipped": dict(self.skipped),
            "codes": list(self.codes),
        }


def read_file(path: Path, *, executable: Path | None = None) -> FileReport:
    """Reads a saved page (`.html`) or a saved answer (`.json`); others by how they begin.

    Args:
        path: the file.
        executable: the browser to lay a page out in, or None to search for one.

    Raises:
        BadInput: it cannot be read, or is neither.
        Stopped: it is a page and no browser could be started.
    """
    raw = _content(path)
    if not _is_page(path, raw):
        try:
            reading = read_answer(raw)
        except Unreadable as error:
            raise BadInput(f"{path}: {error}; give a saved page or a saved answer.") from error
    else:
        html = raw.decode("utf-8", errors="replace")
        reading = asyncio.run(read_page(html, executable=executable))
    return FileReport(
        form=reading.form,
        posts=[shape_of(post) for post in reading.posts],
        skipped=dict(reading.skipped),
        codes=reading.codes,
    )


def _is_page(path: Path, raw: bytes) -> bool:
    suffix = path.suffix.lower()
    if suffix in PAGE_SUFFIXES | ANSWER_SUFFIXES:
        return suffix in PAGE_SUFFIXES
    if raw.lstrip()[:1] in {b"<", b"{", b"["}:
        return raw.lstrip().startswith(b"<")
    raise BadInput(f"{path} is neither a saved page (.html) nor a saved answer (.json).")


def _content(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > FILE_BYTES_MAX:
            raise BadInput(f"{path} has {size} bytes; at most {FILE_BYTES_MAX} are read.")
        return path.read_bytes().removeprefix(_BYTE_ORDER_MARK)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
