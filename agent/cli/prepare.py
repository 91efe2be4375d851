"""`postproof prepare`: freezes announcements into intents and jobs. The body behind the command.

All are checked before any is stored, and all are stored in one transaction or none. A repeat with
the same key replays, so a file can be given again after any failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.cli.bad_input import BadInput
from agent.cli.output import local_time, print_json, print_line
from agent.domain.intent import IntentKey, article_of
from agent.domain.moves import State
from agent.domain.payload import PayloadRefused, freeze
from agent.domain.schedule import ScheduleRefused, slot_at
from agent.store.errors import NotFound
from agent.store.records import Preparation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent.cli.announcement import Announcement
    from agent.domain.schedule import Slot
    from agent.settings import Settings
    from agent.store.ledger import Store
    from agent.store.records import JobRecord, Prepared

CHANNEL = "x_web"
# what a person can do with a replayed job that nothing will send by itself
DEAD_ENDS = {
    State.CANCELLED: "to announce it after all, prepare it with another --revision",
    State.MISSED: "give it a new time: postproof reschedule {job} --at TIME",
    State.NOT_SENT: "to try again: postproof again {job} --note WHY",
    State.NEEDS_MANUAL: "decide it: postproof review show {job}",
    State.ABANDONED: "it was given up; to announce it anew, prepare it with another --revision",
}


def prepare_all(
    announcements: Sequence[Announcement], store: Store, settings: Settings, *, actor: str
) -> list[Prepared]:
    """Prepares announcements, in order.

    Raises:
        BadInput: At least one is wrong; the message names every fault, and nothing was stored.
        KeyConflict: The key exists with other content.
        IntentConflict: The intent exists under another key.
        TimePassed: Its time lies in the past.
    """
    preparations, faults = [], []
    for number, announcement in enumerate(announcements, start=1):
        try:
            preparations.append(_preparation(announcement, store, settings, actor))
        except BadInput as error:
            prefix = f"post {number}: " if len(announcements) > 1 else ""
            faults.append(f"{prefix}{error}")
    if faults:
        raise BadInput(" ".join(faults) + " Nothing was stored.")
    try:
        return list(store.prepare_all(preparations))
    except PayloadRefused as error:
        raise BadInput(f"{error}. Nothing was stored.") from error


def print_prepared(prepared: Sequence[Prepared], *, as_json: bool) -> None:
    """Says what became of each announcement; one object for one, `posts` for many."""
    if as_json:
        values = [_as_json(each) for each in prepared]
        print_json(values[0] if len(values) == 1 else {"posts": values})
        return
    for each in prepared:
        how = "was there already" if each.replayed else "is queued"
        print_line(f"{each.job_id} {how}: {each.state.value}, due {local_time(each.due_at)}")
        if each.replayed and each.state in DEAD_ENDS:
            print_line(f"  it will not be sent; {DEAD_ENDS[each.state].format(job=each.job_id)}")


def print_job(record: JobRecord, *, as_json: bool) -> None:
    """Says what became of one job."""
    if as_json:
        print_json({"job_id": record.id, "state": record.state.value, "due_at": record.due_at})
    else:
        print_line(f"{record.id} is {record.state.value}, due {local_time(record.due_at)}")


def slot_of(at: str, settings: Settings) -> Slot:
    """Reads a time as a person writes it.

    Raises:
        BadInput: It is not one.
    """
    try:
        return slot_at(at, zone=settings.zone)
    except ScheduleRefused as error:
        raise BadInput(f"at: {error}.") from error


def _as_json(prepared: Prepared) -> dict[str, Any]:
    return {
        "intent_id": prepared.intent_id,
        "job_id": prepared.job_id,
        "state": prepared.state.value,
        "replayed": prepared.replayed,
        "due_at": prepared.due_at,
        "digest": prepared.digest,
        "key": prepared.key,
        "permalink": prepared.permalink,
    }


def _preparation(
    announcement: Announcement, store: Store, settings: Settings, actor: str
) -> Preparation:
    faults: list[str] = []
    account = payload = slot = None
    try:
        account = store.account(announcement.account)
    except NotFound as error:
        faults.append(str(error))
    if account is not None:
        try:
            payload = freeze(
                account_id=account.id,
                tier=account.tier,
                text=announcement.text,
                link=announcement.link,
            )
        except PayloadRefused as error:
            faults += [f"{fault.field}: {fault.message}" for fault in error.faults]
    if announcement.at is not None:
        try:
            slot = slot_of(announcement.at, settings)
        except BadInput as error:
            faults.append(str(error))
    if account is None or payload is None or faults:
        raise BadInput("; ".join(fault.rstrip(".") for fault in faults) + ".")
    return Preparation(
        intent=IntentKey(
            tenant=account.tenant,
            article=article_of(article=announcement.article, link=payload.link, text=payload.text),
            revision=announcement.revision,
            channel=CHANNEL,
            account_id=account.id,
            operation=announcement.operation,
        ),
        payload=payload,
        key=announcement.key,
        slot=slot,
        late_s_max=None,
        actor=actor,
    )
