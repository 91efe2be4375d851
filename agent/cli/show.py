"""How one job is shown: as JSON for programs, as a page of text for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.cli.output import local_time, print_line, printable
from agent.domain.facts import Phase

if TYPE_CHECKING:
    from agent.store.records import (
        AttemptRecord,
        EventRecord,
        EvidenceRecord,
        IntentRecord,
        JobTree,
    )


def as_json(tree: JobTree) -> dict[str, Any]:
    """Shows the whole tree of a job."""
    job, intent = tree.job, tree.intent
    return {
        "job_id": job.id,
        "intent_id": job.intent_id,
        "account": job.handle,
        "channel": job.channel,
        "state": job.state.value,
        "code": job.code,
        "detail": job.detail,
        "permalink": job.permalink,
        "remote_id": job.remote_id,
        "is_read_back_owed": job.is_read_back_owed,
        "due_at": job.due_at,
        "zone": job.zone,
        "wall": job.wall,
        "not_before_at": job.not_before_at,
        "version": job.version,
        "article": intent.intent.article,
        "revision": intent.intent.revision,
        "operation": intent.intent.operation,
        "key": intent.key,
        "digest": intent.digest,
        "link": _link_of(intent),
        "segments": [
            {
                "position": each.position,
                "text": each.text,
                "permalink": each.permalink,
                "remote_id": each.remote_id,
            }
            for each in tree.segments
        ],
        "attempts": [_attempt(each) for each in tree.attempts],
        "events": [_event(each) for each in tree.events],
        "evidence": [_evidence(each) for each in tree.evidence],
    }


def print_tree(tree: JobTree) -> None:
    """Prints what was asked, what happened in order, and where the evidence lies."""
    job = tree.job
    print_line(
        f"{job.id}  {job.state.value.upper()}  @{job.handle}  {job.permalink or ''}".rstrip()
    )
    if job.code:
        print_line(f"  why: {job.code}: {printable(job.detail or '')}")
    print_line(f"  due: {local_time(job.due_at)} ({job.wall} {job.zone})")
    print_line(f"  article: {printable(job.article)}, {tree.intent.intent.operation}")
    for segment in tree.segments:
        print_line(f"  text: {printable(segment.text)}")
    print_line("  moves:")
    for event in tree.events:
        change = f"{event.before or '-'} -> {event.after}" if event.after else ""
        print_line(f"    {local_time(event.at)}  {event.event:<16} {change}  by {event.actor}")
    for attempt in tree.attempts:
        _print_attempt(attempt)
    if tree.evidence:
        print_line("  evidence (all files: postproof evidence open ID):")
    for row in tree.evidence:
        kept = row.capture
        print_line(f"    {kept.kind:<18} {kept.path or 'failed: ' + (kept.failure or '')}")


def _link_of(intent: IntentRecord) -> str | None:
    """The final link; None also when the kept payload can no longer be read."""
    link = intent.payload.link if intent.payload else None
    return link.final if link else None


def _print_attempt(attempt: AttemptRecord) -> None:
    ended = f"{attempt.outcome or 'under way'} {attempt.code or ''}".rstrip()
    print_line(f"  attempt {attempt.number}, fence {attempt.fence}: {ended}")
    for phase, instant in attempt.phases.items():
        print_line(f"    {local_time(instant)}  {phase.value}")
    if attempt.proof:
        print_line(f"    proof that nothing left: {attempt.proof.value}")
    if attempt.detail:
        print_line(f"    {printable(attempt.detail)}")


def _attempt(attempt: AttemptRecord) -> dict[str, Any]:
    return {
        "attempt_id": attempt.id,
        "number": attempt.number,
        "fence": attempt.fence,
        "worker": attempt.worker,
        "claimed_at": attempt.claimed_at,
        "phase": attempt.phase.value if attempt.phase else None,
        "phases": {phase.value: instant for phase, instant in attempt.phases.items()},
        "clicked_at": attempt.phases.get(Phase.CLICKED),
        "released_at": attempt.phases.get(Phase.RELEASED),
        "ended_at": attempt.ended_at,
        "baseline_id": attempt.baseline_id,
        "request": attempt.request,
        "facts": attempt.facts,
        "outcome": attempt.outcome,
        "code": attempt.code,
        "detail": attempt.detail,
        "proof": attempt.proof.value if attempt.proof else None,
        "post_id": attempt.post_id,
    }


def _event(event: EventRecord) -> dict[str, Any]:
    return {
        "seq": event.seq,
        "at": event.at,
        "event": event.event,
        "who": event.who,
        "actor": event.actor,
        "from": event.before.value if event.before else None,
        "to": event.after.value if event.after else None,
        "attempt_id": event.attempt_id,
        "carried": event.carried,
    }


def _evidence(row: EvidenceRecord) -> dict[str, Any]:
    kept = row.capture
    return {
        "attempt_id": row.attempt_id,
        "kind": kept.kind,
        "path": kept.path,
        "sha256": kept.sha256,
        "size_bytes": kept.size_bytes,
        "taken_at": kept.taken_at,
        "failure": kept.failure,
    }
