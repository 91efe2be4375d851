"""The frozen content of an intent, its digest, and the checks before it is frozen.

The digest covers everything that changes what a reader would see or where it appears; times,
tokens and the schedule stay out. Two spellings of one content have one digest. Room is left for
threads, media, replies and quotes: they are in the form, so that adding them changes no digest.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from agent.domain.ids import AccountId, PostId
from agent.domain.links import Link, LinkRefused, canonical_link, link_of
from agent.domain.text import TextRefused, length_max, links_in, normal_text, weighted_length

if TYPE_CHECKING:
    from agent.domain.text import Tier

FORM: Final = 1  # the version of the canonical form; another one would change every digest


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing wrong with what was asked for: the field, and a sentence."""

    field: str
    message: str


class PayloadRefused(ValueError):  # noqa: N818 - named for what happened, as every error here
    """The content cannot be posted; carries every fault, not only the first."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        super().__init__("; ".join(f"{fault.field}: {fault.message}" for fault in faults))


@dataclass(frozen=True, kw_only=True)
class Media:
    """One picture or video, named by what is in it, so that a changed file is another media."""

    sha256: str
    kind: str
    alt: str


@dataclass(frozen=True, kw_only=True)
class Segment:
    """One post: its full text, link included where it stands, and its media in order."""

    text: str
    media: tuple[Media, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Payload:
    """What will be posted and by which account, frozen.

    `marker` says that the final link carries a parameter unique to the intent.
    """

    account_id: AccountId
    segments: tuple[Segment, ...]
    link: Link | None
    reply_to: PostId | None = None
    quote_of: PostId | None = None
    marker: bool = False

    @property
    def text(self) -> str:
        """The full text of the first post."""
        return self.segments[0].text

    def digest(self) -> str:
        """Return the SHA-256 of the canonical form, in hexadecimal."""
        return sha256(canonical_json(meaning_of(self)).encode()).hexdigest()


def freeze(*, account_id: AccountId, tier: Tier, text: str, link: str | None) -> Payload:
    """Check text and link and freeze them as a single post.

    A link that stands in the text stays where it stands; another one is put behind the text,
    after a space. Nothing is cut.

    Raises:
        PayloadRefused: with every fault found.
    """
    faults: list[Fault] = []
    whole, target = _text_of(text, faults), _link_of(link, faults)
    if whole is not None and target is not None:
        whole = _with_link(whole, target, raw=(link or "").strip())
    if whole is not None and not faults:
        faults += _faults_of(whole, target, length_max(tier))
    if faults or whole is None:
        raise PayloadRefused(tuple(faults))
    return Payload(account_id=account_id, segments=(Segment(text=whole),), link=target)


def meaning_of(payload: Payload) -> dict[str, Any]:
    """Return the canonical form: what the digest is taken of, and by which payloads compare."""
    return {
        "form": FORM,
        "account": payload.account_id,
        "link": payload.link.canonical if payload.link else None,
        "marker": payload.marker,
        "quote_of": payload.quote_of,
        "reply_to": payload.reply_to,
        "segments": [
            {
                "text": _canonical_text(segment.text, payload.link),
                "media": [{"alt": one.alt, "sha256": one.sha256} for one in segment.media],
            }
            for segment in payload.segments
        ],
    }


def payload_to_json(payload: Payload) -> str:
    """Return the payload as it is kept: canonical JSON that `payload_from_json` reads back."""
    link = payload.link
    return canonical_json(
        {
            "account_id": payload.account_id,
            "segments": [
                {
                    "text": segment.text,
                    "media": [
                        {"sha256": one.sha256, "kind": one.kind, "alt": one.alt}
                        for one in segment.media
                    ],
                }
                for segment in payload.segments
            ],
            "link": {"final": link.final, "canonical": link.canonical} if link else None,
            "reply_to": payload.reply_to,
            "quote_of": payload.quote_of,
            "marker": payload.marker,
        }
    )


def payload_from_json(kept: str) -> Payload:
    """Return the payload kept as JSON.

    Raises:
        ValueError: it is not what `payload_to_json` writes.
    """
    try:
        read = json.loads(kept)
        return Payload(
            account_id=AccountId(read["account_id"]),
            segments=tuple(
                Segment(text=one["text"], media=tuple(Media(**media) for media in one["media"]))
                for one in read["segments"]
            ),
            link=Link(**read["link"]) if read["link"] else None,
            reply_to=read["reply_to"],
            quote_of=read["quote_of"],
            marker=read["marker"],
        )
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"the kept payload is not one: {error!r}") from error


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys and no spaces: one text for one value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _text_of(raw: str, faults: list[Fault]) -> str | None:
    try:
        return normal_text(raw)
    except TextRefused as error:
        faults.append(Fault(field="text", message=str(error)))
        return None


def _link_of(raw: str | None, faults: list[Fault]) -> Link | None:
    if raw is None:
        return None
    try:
        return link_of(raw)
    except LinkRefused as error:
        faults.append(Fault(field="link", message=str(error)))
        return None


def _with_link(text: str, link: Link, *, raw: str) -> str:
    if _stands_in(text, link.final) or _stands_in(text, raw):
        return text
    return f"{text} {link.final}".strip()


def _faults_of(text: str, link: Link | None, limit: int) -> list[Fault]:
    faults: list[Fault] = []
    if not text:
        faults.append(Fault(field="text", message="the text is empty"))
    length = weighted_length(text, link.final if link else None)
    if length > limit:
        over = f"{length} as X counts it, {length - limit} over the limit of {limit}"
        faults.append(Fault(field="text", message=f"the text is too long: {over}; it is never cut"))
    if link is not None and (cut := _cut_of(text, link)):
        faults.append(Fault(field="link", message=cut))
    return faults


def _cut_of(text: str, link: Link) -> str | None:
    """Say how X would cut the link, if it would."""
    if not _stands_in(text, link.final):
        return f"in the text, write the link as {link.final}: X would cut it as it stands"
    linked = links_in(text)
    for seen in linked:
        if link.final.startswith(seen) and link.final not in linked:
            return f"X would link only {seen}; escape what follows it, or put a space behind it"
    return None


def _stands_in(text: str, link: str) -> bool:
    """Tell whether the link itself is in the text, and not only as the start of a longer one."""
    return re.search(re.escape(link) + _NO_MORE_OF_IT, text) is not None


_NO_MORE_OF_IT: Final = r"(?![.,:;]?[A-Za-z0-9/?#=&%~_-])"


def _canonical_text(text: str, link: Link | None) -> str:
    form = normal_text(text)
    if link is None:
        return form
    return form.replace(normal_text(link.final), canonical_link(link.final))
