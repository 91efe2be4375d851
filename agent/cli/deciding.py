"""The bodies of `review confirm` and `review absent`: what is typed, done by `agent.review`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent import review
from agent.cli.desk import opened_desk

if TYPE_CHECKING:
    from pathlib import Path

    from agent.store.records import JobRecord
    from agent.work.means import Means


@dataclass(frozen=True, kw_only=True)
class Said:
    """What the options say: which job, on which version, who decides, and why."""

    job: str
    version: int
    actor: str
    note: str | None


async def confirm_post(
    workspace: Path, said: Said, permalink: str, *, is_forced: bool
) -> dict[str, Any]:
    """Opens the post, shows it beside what was frozen, and confirms the job with it.

    Raises:
        PostRefused: It is not the post; carries both, beside each other.
    """
    async with opened_desk(workspace) as desk:
        decision = await _decision(said, desk.means)
        opened = await review.open_post(decision.job_id, permalink, desk.means)
        job = await review.confirm(decision, opened, is_forced=is_forced, means=desk.means)
    return decided(job) | {"permalink": job.permalink, "compared": opened.compared}


async def rule_absent(
    workspace: Path, said: Said, *, despite_candidates: bool, lasts_s: int | None
) -> dict[str, Any]:
    """Looks once more, and rules the post absent when the look allows it."""
    async with opened_desk(workspace) as desk:
        job = await review.rule_absent(
            await _decision(said, desk.means),
            despite_candidates=despite_candidates,
            lasts_s=lasts_s,
            can_look=not desk.has_daemon,
            means=desk.means,
        )
    return decided(job)


def decided(job: JobRecord) -> dict[str, Any]:
    """Shows a job after a decision."""
    return {"job_id": job.id, "state": job.state.value, "version": job.version}


async def _decision(said: Said, means: Means) -> review.Decision:
    job_id = await means.door.call(means.store.resolve, said.job)
    return review.Decision(job_id=job_id, version=said.version, actor=said.actor, note=said.note)
