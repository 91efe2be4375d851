"""Every kind of wrong argument, file and database: one clear sentence, the right exit code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Said

PREPARE = ("prepare", "--account", "ada_writes")
GOOD = (*PREPARE, "--text", "Good.", "--link", "https://blog.example.com/good")
ARGUMENTS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "no text": (PREPARE, 2, "--text or with --text-file"),
    "empty text": ((*PREPARE, "--text", ""), 2, "text"),
    "blank text": ((*PREPARE, "--text", "  \n "), 2, "the text is empty"),
    "too long": ((*PREPARE, "--text", "x" * 281), 2, "1 over the limit of 280"),
    "too long in Chinese": ((*PREPARE, "--text", "字" * 141), 2, "2 over the limit of 280"),
    "control character": ((*PREPARE, "--text", "a\x07b"), 2, "control character"),
    "link that is none": ((*PREPARE, "--text", "a", "--link", "not a link"), 2, "link"),
    "link of another scheme": ((*PREPARE, "--text", "a", "--link", "ftp://x.org/"), 2, "link"),
    "unknown account": (("prepare", "--account", "nobody", "--text", "a"), 2, "account nobody"),
    "no account": (("prepare", "--text", "a"), 2, "account is missing"),
    "wrong time": ((*PREPARE, "--text", "a", "--at", "soon"), 2, "'soon' is not a time"),
    "past time": ((*PREPARE, "--text", "a", "--at", "2020-01-01 09:00"), 2, "has passed"),
    "empty key": ((*PREPARE, "--text", "a", "--key", ""), 2, "key"),
    "file and text": (("prepare", "--file", "x.json", "--text", "a"), 2, "--file already holds"),
    "missing file": (("prepare", "--file", "/nowhere.json"), 2, "No such file"),
    "missing text file": ((*PREPARE, "--text-file", "/nowhere.txt"), 2, "No such file"),
    "unknown state": (("list", "--state", "confirmt"), 2, "Did you mean 'confirmed'?"),
    "unknown job": (("show", "job_nope"), 2, "no job"),
    "cancel of an unknown job": (("cancel", "job_nope"), 2, "no job"),
    "unknown tier": (("account", "add", "b", "--tier", "golden"), 2, "'golden' is not a tier"),
    "wrong handle": (("account", "add", "../../etc"), 2, "not a handle"),
    "wrong user id": (("account", "add", "b", "--user-id", "abc"), 2, "not a user id"),
    "same account twice": (("account", "add", "Ada_Writes"), 2, "already"),
    "check of an unknown account": (("account", "check", "nobody"), 2, "no account"),
    "init twice": (("init",), 7, "already"),
    "once and until idle": (("run", "--once", "--until-idle"), 2, "not both"),
    "unknown halt": (("run", "--halt-at", "helt"), 2, "Did you mean 'held'?"),
    "unknown option": (("list", "--colour"), 2, "No such option"),
}
FILES: dict[str, tuple[str, str, str]] = {
    "not JSON": ("a.json", "{", "not valid JSON"),
    "not TOML": ("a.toml", "[", "not valid TOML"),
    "no post": ("a.json", "[]", "holds no post"),
    "a number": ("a.json", "7", "post 1"),
    "unknown field": ("a.json", '{"account":"ada_writes","text":"a","txet":"b"}', "txet"),
    "missing field": ("a.json", '{"account":"ada_writes"}', "text is missing"),
    "wrong kind": ("a.json", '{"account":"ada_writes","text":["a"]}', "text"),
    "two faults at once": (
        "a.json",
        '[{"account":"nobody","text":"a"},{"account":"ada_writes","text":""}]',
        "post 2",
    ),
    "deeply nested": ("a.json", "[" * 100_000, "not valid JSON"),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_row_12_a_wrong_argument_ends_in_one_sentence_and_its_exit_code(
    ready: Callable[..., Said], case: str
) -> None:
    """Nothing is stored, and no traceback is shown."""
    words, exit_code, sentence = ARGUMENTS[case]

    said = ready(*words)

    assert (exit_code, True) == (said.exit_code, sentence in said.err), said.err
    assert "Traceback" not in said.err
    assert ready("list", "--json").json() == []


@pytest.mark.parametrize("case", FILES)
def test_row_12_a_wrong_file_names_every_fault_and_stores_nothing(
    ready: Callable[..., Said], tmp_path: Path, case: str
) -> None:
    """A file is taken in as a whole or not at all."""
    name, content, sentence = FILES[case]
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")

    said = ready("prepare", "--file", str(file))

    assert (said.exit_code, sentence in said.err) == (2, True), said.err
    assert ready("list", "--json").json() == []


def test_a_conflict_in_the_middle_of_a_file_stores_nothing_of_it(
    ready: Callable[..., Said], tmp_path: Path
) -> None:
    """The first post of the file is not left behind when the second one conflicts."""
    ready(*GOOD)
    posts = [
        {"account": "ada_writes", "text": "New.", "link": "https://blog.example.com/new"},
        {"account": "ada_writes", "text": "Other.", "link": "https://blog.example.com/good"},
    ]
    file = tmp_path / "two.json"
    file.write_text(json.dumps(posts), encoding="utf-8")

    said = ready("prepare", "--file", str(file), "--json")

    assert (said.exit_code, said.json()["error"]["exit_code"]) == (3, 3)
    assert len(ready("list", "--json").json()) == 1


def test_row_2_the_same_key_with_other_content_names_the_fields_that_differ(
    ready: Callable[..., Said],
) -> None:
    """Refused with exit 3; nothing is overwritten."""
    ready(*PREPARE, "--text", "First.", "--key", "k1", "--article", "one")

    said = ready(*PREPARE, "--text", "Second.", "--key", "k1", "--article", "one", "--json")

    error = said.json()["error"]
    assert (said.exit_code, error["kind"], error["fields"]) == (3, "KeyConflict", ["text"])
    assert "First." in ready("list", "--json").json()[0]["text"]


def test_row_9_another_key_for_the_same_intent_names_the_existing_intent(
    ready: Callable[..., Said],
) -> None:
    """Refused with exit 3 and the id of the intent that is there."""
    first = ready(*GOOD, "--json").json()

    said = ready(*GOOD, "--key", "another", "--json")

    assert (3, first["intent_id"]) == (said.exit_code, said.json()["error"]["intent_id"])


DATABASES: dict[str, bytes | None] = {
    "missing": None,
    "empty": b"",
    "garbage": b"this is no database" * 400,
    "truncated": b"SQLite format 3\x00" + b"\x10\x00\x01\x01",
}


@pytest.mark.parametrize("case", DATABASES)
def test_row_8_a_store_that_cannot_be_used_ends_in_exit_7_and_is_left_untouched(
    call: Callable[..., Said], tmp_path: Path, case: str
) -> None:
    """Every command that needs it says the same, and the file stays byte for byte."""
    workspace, content = tmp_path / "workspace", DATABASES[case]
    workspace.mkdir()
    state = workspace / "state.db"
    if content is not None:
        state.write_bytes(content)

    said = [call(*words) for words in (("list",), ("run", "--once"), GOOD, ("audit", "verify"))]

    assert [each.exit_code for each in said] == [7, 7, 7, 7], [each.err for each in said]
    assert content == (state.read_bytes() if state.exists() else None)
    assert not (workspace / "state.db-wal").exists()
