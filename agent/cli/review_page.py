"""What a person sees of a job in doubt: expected beside seen, what happened, and how to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.cli.looks import headline
from agent.cli.output import local_time, print_line, print_table, printable
from agent.cli.show import as_json as job_as_json
from agent.domain.classification import permalink_of
from agent.domain.doubt import LookResult
from agent.domain.moves import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from agent.store.records import JobTree

CANDIDATES_SHOWN = 5
_WORDS = {True: "yes", False: "no", None: "?"}


def as_json(tree: JobTree, workspace: Path, *, absent_from: datetime | None) -> dict[str, Any]:
    """Shows a job in doubt.

    Args:
        tree: everything known about it.
        workspace: where the files lie.
        absent_from: since when it may be ruled absent; None: at once.
    """
    job = tree.job
    return {
        "job_id": job.id,
        "account": job.handle,
        "state": job.state.value,
        "version": job.version,
        "code": job.code,
        "detail": job.detail,
        "expected": _expected(tree),
        "candidates": _candidates(tree, workspace),
        "looks": [
            {
                "look_id": look.id,
                "number": look.number,
                "at": look.claimed_at,
                "result": look.result.value if look.result else None,
                "code": look.code,
                "why": look.why,
                "headline": headline(look),
            }
            for look in tree.looks
        ],
        "timeline": job_as_json(tree)["events"],
        "decisions": [
            {
                "kind": each.kind.value,
                "actor": each.actor,
                "note": each.note,
                "at": each.decided_at,
                "permalink": each.permalink,
                "is_forced": each.is_forced,
            }
            for each in tree.decisions
        ],
        "files": [str(workspace / row.capture.path) for row in tree.evidence if row.capture.path],
        "absent_from": absent_from,
        "commands": _commands(tree) if job.state is State.NEEDS_MANUAL else {},
    }


def print_page(page: Mapping[str, Any]) -> None:
    """Prints it for a person: first why, then what to compare, then how to decide."""
    print_line(f"{page['job_id']}  {page['state'].upper()}  @{page['account']}")
    print_line(f"  why: {page['code']}: {printable(page['detail'] or '')}")
    print_line(f"  expected: {printable(page['expected']['text'])}")
    print_line(f"  clicked:  {local_time(page['expected']['clicked_at'])}")
    _print_candidates(page["candidates"])
    print_line("  looks:")
    for look in page["looks"]:
        print_line(f"    {printable(look['headline'])}")
    print_line("  moves:")
    for event in page["timeline"]:
        change = f"{event['from'] or '-'} -> {event['to']}" if event["to"] else ""
        print_line(f"    {local_time(event['at'])}  {event['event']:<16} {change}")
    for decision in page["decisions"]:
        print_line(
            f"    {local_time(decision['at'])}  {decision['actor']} decided {decision['kind']}: "
            f"{printable(decision['note'] or '')}"
        )
    for path in page["files"]:
        print_line(f"  file: {path}")
    _print_commands(page)


def _print_candidates(candidates: list[dict[str, Any]]) -> None:
    if not candidates:
        print_line("  seen: no post of the account that may be it")
        return
    print_table(
        ("seen", "text", "alike", "gates not passed", "why not sure"),
        [
            (
                each["permalink"],
                each["text"] or "-",
                f"{each['scores'].get('token_sort_ratio', 0):g} %",
                ", ".join(
                    f"{gate}: {_WORDS[passed]}"
                    for gate, passed in each["gates"].items()
                    if passed is not True
                ),
                "; ".join(each["reasons"]),
            )
            for each in candidates[:CANDIDATES_SHOWN]
        ],
    )


def _print_commands(page: Mapping[str, Any]) -> None:
    if not page["commands"]:
        return
    print_line("  decide with one of:")
    for what, command in page["commands"].items():
        print_line(f"    {what + ':':<10} {command}")
    if page["absent_from"] is not None:
        print_line(f"    absent may be ruled from {local_time(page['absent_from'])} on")


def _expected(tree: JobTree) -> dict[str, Any]:
    link = tree.intent.payload.link if tree.intent.payload else None
    attempt = tree.attempts[-1] if tree.attempts else None
    times = {phase.value: at for phase, at in attempt.phases.items()} if attempt else {}
    return {
        "text": tree.segments[0].text,
        "link": link.final if link else None,
        "clicked_at": times.get("clicked"),
        "released_at": times.get("released"),
        "baseline_id": attempt.baseline_id if attempt else None,
    }


def _candidates(tree: JobTree, workspace: Path) -> list[dict[str, Any]]:
    """The posts of the last look that read any, the likeliest first, with what was made of them."""
    look = next(
        (each for each in reversed(tree.looks) if each.result not in (None, LookResult.VOID)), None
    )
    if look is None or look.verdict is None:
        return []
    texts = {post["id"]: post for post in reversed(look.posts)}
    pictures = {
        row.capture.kind: str(workspace / row.capture.path)
        for row in tree.evidence
        if row.capture.path and row.look_id == look.id
    }
    return [
        {
            "id": each["id"],
            "permalink": permalink_of(tree.job.handle, each["id"]) if each["id"] else None,
            "text": texts.get(each["id"], {}).get("text"),
            "links": texts.get(each["id"], {}).get("links"),
            "grade": each["grade"],
            "gates": each["gates"],
            "scores": each["scores"],
            "reasons": each["reasons"],
            "picture": pictures.get(f"candidate-{each['id']}"),
        }
        for each in look.verdict["candidates"]
    ]


def _commands(tree: JobTree) -> dict[str, str]:
    job = tree.job
    on = f"{job.id} --version {job.version}"
    return {
        "confirm": f"postproof review confirm {job.id} PERMALINK --version {job.version}",
        "absent": f'postproof review absent {on} --note "..."',
        "give up": f'postproof review give-up {on} --note "..."',
        "look": f"postproof reconcile {job.id}",
        "files": f"postproof review open {job.id}",
    }
