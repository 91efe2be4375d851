"""`python -m tests.matching_cases [--cases N] [--seed S] [--ablation]`: what was measured."""

from __future__ import annotations

import argparse
import secrets
import sys

from agent.domain.matching.policy import MatchPolicy
from tests.matching_cases.measure import Tally, ablations, labelled_cases, tallied, total


def main() -> int:
    """Prints false confirmations and needless manual cases, by family or by gate taken away."""
    parser = argparse.ArgumentParser(prog="python -m tests.matching_cases")
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=None, help="a fresh one unless given")
    parser.add_argument("--ablation", action="store_true", help="take one gate away at a time")
    asked = parser.parse_args()
    seed = secrets.randbelow(10**9) if asked.seed is None else asked.seed
    cases = list(labelled_cases(seed, asked.cases))
    _say(f"{len(cases)} cases, seed {seed}\n")
    if asked.ablation:
        _say(f"{'':28}{_HEAD}")
        for name, policy in ablations():
            _say(_line(name, total(tallied(cases, policy).values())))
        return 0
    tallies = tallied(cases, MatchPolicy())
    whole = total(tallies.values())
    _say(f"{'':28}{_HEAD}")
    for name, tally in (*tallies.items(), ("all", whole)):
        _say(_line(name, tally))
    _say(*(f"false: {one}" for one in whole.false_seeds[:20]))
    return 1 if whole.false else 0


_HEAD = "   cases  one of ours  confirmed     to a person       missed  others asked  false"


def _line(name: str, tally: Tally) -> str:
    manual = f"{tally.manual} ({tally.manual_pct:.1f} %)"
    return (
        f"{name:28}{tally.cases:8}{tally.with_ours:13}{tally.confirmed:11}{manual:>16}"
        f"{tally.lost:13}{tally.asked:14}{tally.false:7}"
    )


def _say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
