from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import pytest

from agent.domain.matching.policy import MatchPolicy
from tests.matching_cases.measure import FAMILIES, labelled, labelled_cases, tallied, total

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.matching_cases.families import Made

CASES = 1500
NEEDLESS_PCT_MAX = 10.0


@pytest.mark.parametrize(
    "seed", [pytest.param(7, id="fixed"), pytest.param(secrets.randbelow(10**9), id="fresh")]
)
def test_no_labelled_case_is_confirmed_wrongly(seed: int) -> None:
    """No false confirmation, nothing of ours missed, and few true ones sent to a person."""
    whole = total(tallied(labelled_cases(seed, CASES), MatchPolicy()).values())

    assert whole.false_seeds == [], f"seed {seed}"
    assert whole.lost == 0, f"seed {seed}"
    assert whole.manual_pct <= NEEDLESS_PCT_MAX, f"seed {seed}: {whole.manual_pct:.1f} %"


@pytest.mark.parametrize("family", FAMILIES, ids=[family.__name__ for family in FAMILIES])
def test_each_family_makes_its_cases_again_from_a_seed(family: Callable[[Random], Made]) -> None:
    """A failure can be made again: one seed, one case."""
    first, second = (labelled(family, "3") for _ in range(2))

    assert first == second
