"""What one attempt has seen so far; filled by `send` and its steps, frozen into the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from browser.errors import Stopped
from browser.facts import SendReport, StopCode

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from browser.capture import Captures
    from browser.facts import (
        AnswerFacts,
        Baseline,
        Identity,
        Journal,
        Order,
        Phase,
        ReadBack,
        RequestFacts,
        Stop,
        ToastFacts,
    )
    from browser.gate import GateFacts
    from browser.profile import Profile


@dataclass(kw_only=True)
class Attempt:
    """See the head of this module; the fields below `captures` are facts, None until seen."""

    profile: Profile
    order: Order
    journal: Journal
    captures: Captures
    phase: Phase | None = None
    stop: Stop | None = None
    identity: Identity | None = None
    baseline: Baseline | None = None
    request: RequestFacts | None = None
    answer: AnswerFacts | None = None
    toast: ToastFacts | None = None
    read_back: ReadBack | None = None
    gate: GateFacts | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def post_id(self) -> str | None:
        """The id of the post: from the answer, else from a toast of ours."""
        if self.answer is not None and self.answer.post_id is not None:
            return self.answer.post_id
        return self.toast.post_id if self.toast is not None else None

    async def reached(self, phase: Phase) -> None:
        """Tells the journal of a phase; it counts once the journal has it."""
        await self.tell(self.journal.reached(phase))
        self.phase = phase

    async def tell(self, telling: Awaitable[None]) -> None:
        """Awaits the journal.

        Raises:
            Stopped: The journal said so, or failed.
        """
        try:
            await telling
        except Stopped:
            raise
        except Exception as error:
            raise Stopped(
                StopCode.JOURNAL_REFUSED,
                f"{type(error).__name__}: {error}; nothing further was done",
            ) from error

    def facts(self) -> dict[str, object]:
        """Everything seen, for the manifest."""
        return {
            "phase": self.phase,
            "stop": self.stop,
            "identity": self.identity,
            "text": self.order.text,
            "baseline_newest_id": self.baseline.newest_id if self.baseline else None,
            "request": self.request,
            "answer": self.answer,
            "toast": self.toast,
            "read_back": self.read_back,
            "gate": self.gate,
            "notes": self.notes,
        }

    def report(self) -> SendReport:
        """The frozen report."""
        return SendReport(
            phase=self.phase,
            stop=self.stop,
            identity=self.identity,
            baseline=self.baseline,
            request=self.request,
            answer=self.answer,
            toast=self.toast,
            read_back=self.read_back,
            captures=self.captures.taken,
        )
