from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agent.cli.bad_input import BadInput
from agent.cli.match_files import (
    VerdictShape,
    explained,
    match_batch,
    match_file,
    schemas,
    verdict_as_json,
)
from agent.domain.matching.terms import Outcome
from tests.matching_cases.hard import hard_cases

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = hard_cases()[0]
TWICE = next(case for case in hard_cases() if case.name == "two posts of ours")


def test_an_intent_and_posts_come_to_a_verdict_in_the_shape_of_its_schema(tmp_path: Path) -> None:
    """The answer has the fields that `--schema` tells of, and no others."""
    intent, posts = _files(tmp_path, PLAIN.intent, PLAIN.posts)

    verdict = match_file(intent, posts)
    answered = verdict_as_json(verdict)

    assert PLAIN.verdict == (verdict.outcome, verdict.id)
    assert answered == VerdictShape.model_validate(answered).model_dump()
    assert set(answered) == {"verdict", "id", "reasons", "candidates"}


def test_a_file_of_posts_may_name_them(tmp_path: Path) -> None:
    """A list of posts and an object with `posts` are read alike, other fields passed over."""
    intent, posts = _files(tmp_path, PLAIN.intent, {"posts": PLAIN.posts, "page": "profile"})

    assert match_file(intent, posts).outcome is Outcome.UNIQUE


def test_a_batch_answers_line_by_line_and_goes_on_behind_a_faulty_one(tmp_path: Path) -> None:
    """Answers stay in step with lines; a fault names its line."""
    good = json.dumps({"intent": PLAIN.intent, "posts": PLAIN.posts, "label": "x"})
    twice = json.dumps({"intent": TWICE.intent, "posts": TWICE.posts})
    batch = tmp_path / "cases.jsonl"
    batch.write_text(f'{good}\n\n{{"intent": 1}}\n{twice}\n', encoding="utf-8")

    first, faulty, last = match_batch(batch)

    assert first["verdict"] == "unique"
    assert "line 3: " in faulty["error"]
    assert (last["verdict"], last["reasons"][0]) == ("ambiguous", "duplicate")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param({"account": {"user_id": 42, "handle": "a"}}, "account.user_id", id="id"),
        pytest.param({"now": "2026-11-30T10:00:00"}, "now", id="an instant without a zone"),
        pytest.param({"segments": []}, "segments", id="no segment"),
        pytest.param({"kind": "poll"}, "kind", id="kind"),
    ],
)
def test_a_faulty_intent_is_refused_by_field(
    tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    """The message names the file and the field, and never a value of somebody's text."""
    intent, posts = _files(tmp_path, PLAIN.intent | change, PLAIN.posts)

    with pytest.raises(BadInput, match=rf"intent\.json: {named}: "):
        match_file(intent, posts)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """The message names the file."""
    with pytest.raises(BadInput, match=r"nowhere\.json cannot be read"):
        match_file(tmp_path / "nowhere.json", tmp_path / "nowhere.json")


def test_the_explanation_names_the_post_its_gates_and_its_reasons(tmp_path: Path) -> None:
    """A person reads why, post by post."""
    intent, posts = _files(tmp_path, TWICE.intent, TWICE.posts)

    lines = list(explained(verdict_as_json(match_file(intent, posts))))

    assert lines[:2] == ["ambiguous: no post", "  duplicate"]
    assert any(line.startswith(f"{TWICE.posts[0]['id']}  text exact") for line in lines)


def test_the_schemas_hold_the_shapes() -> None:
    """Intent, posts, a line of a batch and the verdict each have a schema."""
    assert set(schemas()) == {"intent", "posts", "batch_line", "verdict"}
    assert "open_siblings" in schemas()["intent"]["properties"]


def _files(folder: Path, intent: object, posts: object) -> tuple[Path, Path]:
    paths = folder / "intent.json", folder / "posts.json"
    for path, value in zip(paths, (intent, posts), strict=True):
        path.write_text(json.dumps(value), encoding="utf-8")
    return paths
