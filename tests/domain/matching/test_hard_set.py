from __future__ import annotations

import pytest

from agent.cli.match_files import IntentShape, PostShape
from agent.domain.matching.policy import MatchPolicy
from agent.domain.matching.verdict import match
from tests.matching_cases.hard import HardCase, hard_cases

CASES = hard_cases()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_hard_set_gets_its_verdicts(case: HardCase) -> None:
    """Each case written by hand gets the verdict written beside it."""
    wanted = IntentShape.model_validate(case.intent, strict=False).as_domain()
    posts = [PostShape.model_validate(post).as_domain() for post in case.posts]

    verdict = match(wanted, posts, MatchPolicy())

    assert case.verdict == (verdict.outcome, verdict.id)
    assert case.mark is None or case.mark in verdict.reasons


def test_the_hard_set_tells_its_cases_apart_by_name() -> None:
    """No two cases have one name, so that a failure names one."""
    names = [case.name for case in CASES]

    assert len(names) == len(set(names))
