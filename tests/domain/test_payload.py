from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.ids import AccountId, PostId
from agent.domain.links import Link
from agent.domain.payload import (
    Media,
    Payload,
    PayloadRefused,
    Segment,
    freeze,
    payload_from_json,
    payload_to_json,
)
from agent.domain.text import Tier

ACCOUNT = AccountId("acc_1")
LINK = "https://example.com/a"


def frozen(text: str, link: str | None = LINK, tier: Tier = Tier.BASIC) -> Payload:
    """Freeze a post of the usual account."""
    return freeze(account_id=ACCOUNT, tier=tier, text=text, link=link)


SAME_MEANING = {
    "CRLF": ("one\r\ntwo é", LINK),
    "NFD": (unicodedata.normalize("NFD", "one\ntwo é"), LINK),
    "default port": ("one\ntwo é", "https://example.com:443/a"),
    "white space around": (" one\ntwo é \n", LINK),
    "link written out": (f"one\ntwo é {LINK}", LINK),
    "tracking": ("one\ntwo é", f"{LINK}?utm_source=feed"),
}


@pytest.mark.parametrize(("text", "link"), SAME_MEANING.values(), ids=SAME_MEANING)
def test_row_11_two_spellings_of_one_content_have_one_digest(text: str, link: str) -> None:
    """Row 11: key order, defaults, CRLF, NFD text, default port in the link: same digest."""
    plain = frozen("one\ntwo é")

    assert frozen(text, link).digest() == plain.digest()


BASE = frozen("Hello")
OTHER_MEANING = {
    "text": frozen("Hello!"),
    "link": frozen("Hello", "https://example.com/b"),
    "no link": frozen("Hello", None),
    "account": replace(BASE, account_id=AccountId("acc_2")),
    "reply": replace(BASE, reply_to=PostId("7")),
    "quote": replace(BASE, quote_of=PostId("7")),
    "marker": replace(BASE, marker=True),
    "second post": replace(BASE, segments=(*BASE.segments, Segment(text="more"))),
    "media": replace(
        BASE, segments=(Segment(text=BASE.text, media=(Media(sha256="ab", kind="png", alt=""),)),)
    ),
    "alt text": replace(
        BASE, segments=(Segment(text=BASE.text, media=(Media(sha256="ab", kind="png", alt="x"),)),)
    ),
}


def test_everything_that_changes_meaning_changes_the_digest() -> None:
    """No two of these would read the same to somebody on X."""
    digests = {BASE.digest(), *(other.digest() for other in OTHER_MEANING.values())}

    assert len(digests) == 1 + len(OTHER_MEANING)


@pytest.mark.parametrize("payload", [BASE, *OTHER_MEANING.values()], ids=["base", *OTHER_MEANING])
def test_a_kept_payload_reads_back_equal(payload: Payload) -> None:
    """What is written to the store is what comes back."""
    assert payload_from_json(payload_to_json(payload)) == payload


@given(
    text=st.text(st.characters(categories=("L", "N", "P", "So")), min_size=1, max_size=60),
    breaks=st.booleans(),
)
def test_any_text_keeps_its_digest_through_the_store(text: str, breaks: bool) -> None:  # noqa: FBT001 - hypothesis draws it
    """Freezing, keeping and reading back never changes the digest."""
    payload = frozen(f"{text}\n{text}" if breaks else text, tier=Tier.PREMIUM)

    assert payload_from_json(payload_to_json(payload)).digest() == payload.digest()


@pytest.mark.parametrize("kept", ["", "{}", "[]", '{"account_id": 1}', "not json"])
def test_what_is_no_payload_is_refused(kept: str) -> None:
    """A row that somebody wrote by hand is never taken for a payload."""
    with pytest.raises(ValueError, match=r".+"):
        payload_from_json(kept)


PLACES = {
    "behind the text": ("Read", LINK, f"Read {LINK}"),
    "where it stands": (f"Read {LINK} now", LINK, f"Read {LINK} now"),
    "beside a longer one": (f"Read {LINK}/b", LINK, f"Read {LINK}/b {LINK}"),
    "at the end of a sentence": (f"Read {LINK}.", LINK, f"Read {LINK}."),
    "behind a shorter one": (
        "See https://example.com/ and",
        LINK,
        f"See https://example.com/ and {LINK}",
    ),
    "alone": ("", LINK, LINK),
    "none": ("Read", None, "Read"),
}


@pytest.mark.parametrize(("text", "link", "whole"), PLACES.values(), ids=PLACES)
def test_the_link_is_in_the_text_once(text: str, link: str | None, whole: str) -> None:
    """It stays where the writer put it, or stands behind the text."""
    payload = frozen(text, link)

    assert payload.text == whole
    assert payload.link == (Link(final=LINK, canonical=LINK) if link else None)


FAULTY = {
    "over the limit": ("a" * 281, None, ["text"]),
    "over with the link": ("a" * 257, LINK, ["text"]),
    "chinese over the limit": ("字" * 141, None, ["text"]),
    "empty": (" \n ", None, ["text"]),
    "control characters": ("a\x07b", None, ["text"]),
    "bad link": ("a", "ftp://example.com", ["link"]),
    "both": ("a\x07b", "not a link", ["text", "link"]),
    "link that X would cut": (
        "Lies https://example.com/文章",
        "https://example.com/文章",
        ["link"],
    ),
    "link that X cuts short": ("a", "https://example.com/a|b[1]", ["link"]),
}


@pytest.mark.parametrize(("text", "link", "fields"), FAULTY.values(), ids=FAULTY)
def test_row_12_a_faulty_request_lists_every_fault(
    text: str, link: str | None, fields: list[str]
) -> None:
    """Row 12: over the limit, empty, control characters: one clear error that lists every fault."""
    with pytest.raises(PayloadRefused) as refused:
        frozen(text, link)

    assert [fault.field for fault in refused.value.faults] == fields
    assert all(fault.message in str(refused.value) for fault in refused.value.faults)


def test_a_text_at_the_limit_is_taken_whole() -> None:
    """Exactly 280 with the link counted as 23 and the space as 1."""
    payload = frozen("a" * 256)

    assert payload.text == "a" * 256 + " " + LINK


def test_a_paying_account_may_post_long_texts() -> None:
    """25,000 for premium; one more is over."""
    assert frozen("a" * 25_000, None, Tier.PREMIUM).text == "a" * 25_000

    with pytest.raises(PayloadRefused, match="1 over the limit of 25000"):
        frozen("a" * 25_001, None, Tier.PREMIUM)
