"""Lists that two packages keep each for itself, held equal."""

from __future__ import annotations

from agent.domain.classification import ALREADY_THERE, STOP_RULES
from agent.domain.facts import Phase
from agent.work.halt import HaltPoint
from browser import facts as seen


def test_the_ledger_and_the_browser_have_the_same_phases_in_the_same_order() -> None:
    """A phase that only one of them knows would be lost between them."""
    ours = [phase.value for phase in Phase]

    theirs = [phase.value for phase in seen.Phase]

    assert ours == theirs


def test_the_ledger_has_a_rule_for_every_reason_to_stop() -> None:
    """No stop of the browser falls to a default."""
    judged = {*STOP_RULES, ALREADY_THERE}

    reported = {code.value for code in seen.StopCode}

    assert reported == judged


def test_the_agent_can_be_halted_at_every_phase_and_where_the_request_is_held() -> None:
    """A fault test can stop the process at each of them."""
    points = {point.value for point in HaltPoint}

    assert points == {phase.value for phase in Phase} | {"held"}
