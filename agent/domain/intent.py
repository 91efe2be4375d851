"""Who wants what published, once: the key of an intent, and how two of them differ.

The key of an intent is its identity. The idempotency key is the caller's name for the request;
without one it is derived from the intent, so that asking twice is asking once.
"""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from agent.domain.links import LinkRefused, canonical_link
from agent.domain.payload import Fault, Payload, canonical_json, meaning_of

if TYPE_CHECKING:
    from agent.domain.ids import AccountId, TenantId
    from agent.domain.links import Link

DERIVED_PREFIX: Final = "derived:"
NAME_LENGTH_MAX: Final = 200  # Assumption: a name, not a document; fits every index
ARTICLE_LENGTH_MAX: Final = 4096  # as long as a link may be


@dataclass(frozen=True, kw_only=True)
class IntentKey:
    """What somebody wants published; it never changes.

    Attributes:
        article: what it is about; by default the canonical link.
        revision: a new one asks for a second announcement of the same article on purpose.
        channel: the way it goes out, such as `x_web`.
        operation: the caller's word for the purpose, such as `announce`.
    """

    tenant: TenantId
    article: str
    revision: str
    channel: str
    account_id: AccountId
    operation: str


def derived_key(key: IntentKey) -> str:
    """Return the idempotency key of a request that brings none of its own."""
    return DERIVED_PREFIX + sha256(canonical_json(asdict(key)).encode()).hexdigest()


def faults_of_names(key: IntentKey, idempotency_key: str | None) -> tuple[Fault, ...]:
    """Return what is wrong with the names that a caller chose; nothing when all can be kept."""
    names = {"revision": key.revision, "operation": key.operation}
    if idempotency_key is not None:
        names["key"] = idempotency_key
    faults = [*_faults_of_name("article", key.article, ARTICLE_LENGTH_MAX)]
    for field, name in names.items():
        faults += _faults_of_name(field, name, NAME_LENGTH_MAX)
    return tuple(faults)


def article_of(*, article: str | None, link: Link | None, text: str) -> str:
    """Return what an intent is about.

    Args:
        article: the caller's own name; a link is put in canonical form, so that http for https
            or a tracking parameter makes no second article.
        link: stands for the article when there is no name.
        text: stands for it when there is neither.
    """
    if article is not None:
        try:
            return canonical_link(article)
        except LinkRefused:
            return article.strip()
    if link is not None:
        return link.canonical
    return "text:" + sha256(text.encode()).hexdigest()


def differing_fields(
    *, key: IntentKey, kept_key: IntentKey, payload: Payload, kept_payload: Payload
) -> tuple[str, ...]:
    """Name the fields in which a request differs from the one kept under the same key."""
    asked = asdict(key) | _fields(payload)
    kept = asdict(kept_key) | _fields(kept_payload)
    names = sorted(asked.keys() | kept.keys())
    return tuple(name for name in names if asked.get(name) != kept.get(name))


def _faults_of_name(field: str, name: str, length_max: int) -> list[Fault]:
    if not name.strip():
        return [Fault(field=field, message="is empty")]
    if len(name) > length_max:
        return [Fault(field=field, message=f"is longer than {length_max} characters")]
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in name):
        return [Fault(field=field, message="holds control characters")]
    return []


def _fields(payload: Payload) -> dict[str, Any]:
    """Return the payload's meaning by field; a thread's later posts as text_2, text_3."""
    meaning = meaning_of(payload)
    fields = {name: meaning[name] for name in ("link", "marker", "quote_of", "reply_to")}
    for position, segment in enumerate(meaning["segments"], start=1):
        suffix = "" if position == 1 else f"_{position}"
        fields[f"text{suffix}"] = segment["text"]
        fields[f"media{suffix}"] = segment["media"]
    return fields
