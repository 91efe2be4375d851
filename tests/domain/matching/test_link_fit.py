from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.links import LinkRefused, canonical_link
from agent.domain.matching.link_fit import LinkFit, fit_of, link_key, our_links
from tests.domain.matching.made import LINK, SHORT, link, post

if TYPE_CHECKING:
    from agent.domain.matching.terms import SeenPost

ABSENT: dict[str, Any] = {"links": ()}
FITS = {
    "equal": (post(), LinkFit.STRONG),
    "equal in canonical form": (
        post(links=(link(expanded="http://www.blog.example.com/a/long/path/?utm_source=x"),)),
        LinkFit.STRONG,
    ),
    "the href itself": (post(links=(link(href=LINK, expanded=None),)), LinkFit.STRONG),
    "its beginning": (
        post(links=(link(shown="blog.example.com/a/lo\u2026", expanded=None),)),
        LinkFit.MEDIUM,
    ),
    "less than its host": (
        post(links=(link(shown="blog.exam\u2026", expanded=None),)),
        LinkFit.UNKNOWN,
    ),
    "shown in another script": (
        post(links=(link(shown="b\u00fccher.example/a\u2026", expanded=None),)),
        LinkFit.UNKNOWN,
    ),
    "the beginning of another": (
        post(links=(link(shown="blog.example.com/b\u2026", expanded=None),)),
        LinkFit.CONFLICT,
    ),
    "another": (post(links=(link(expanded="https://blog.example.com/b"),)), LinkFit.CONFLICT),
    "a second one": (
        post(links=(link(), link(href="https://t.co/2", expanded="https://b.example/"))),
        LinkFit.CONFLICT,
    ),
    "a second one that is not known": (
        post(links=(link(), link(href="https://t.co/2", shown=None, expanded=None))),
        LinkFit.MEDIUM,
    ),
    "a picture's": (
        post(
            links=(link(), link(href="https://t.co/2", expanded="https://x.com/a/status/1/photo/1"))
        ),
        LinkFit.STRONG,
    ),
    "a mention's": (
        post(links=(link(), link(href="/acme", shown="@acme", expanded=None))),
        LinkFit.STRONG,
    ),
    "none in an answer": (post(**ABSENT), LinkFit.MISSING),
    "none on a page": (post(source="dom", **ABSENT), LinkFit.UNKNOWN),
    "our card": (
        post(source="dom", card_domain="blog.example.com", **ABSENT),
        LinkFit.WEAK,
    ),
    "another card": (post(source="dom", card_domain="b.example", **ABSENT), LinkFit.UNKNOWN),
    "nothing known": (post(links=None), LinkFit.UNKNOWN),
}
OURS = our_links((LINK,), final=LINK, marker=None)


@pytest.mark.parametrize(("seen", "fit"), FITS.values(), ids=FITS)
def test_a_link_known_in_full_alone_is_strong(seen: SeenPost, fit: LinkFit) -> None:
    """Parts keep a post in the running, another link ends it."""
    assert fit is fit_of(OURS, seen, ())


@pytest.mark.parametrize(
    ("seen", "fit"),
    [
        pytest.param(post(links=()), LinkFit.NONE_NEEDED, id="none"),
        pytest.param(post(links=None), LinkFit.UNKNOWN, id="not known"),
        pytest.param(post(), LinkFit.CONFLICT, id="one"),
        pytest.param(post(links=(), card_domain="b.example"), LinkFit.CONFLICT, id="a card"),
    ],
)
def test_a_job_without_a_link_is_no_post_with_one(seen: SeenPost, fit: LinkFit) -> None:
    """Where ours has no link, any link is another one."""
    ours = our_links((), final=None, marker=None)

    assert fit is fit_of(ours, seen, ())


@pytest.mark.parametrize(
    ("expanded", "fit"),
    [
        pytest.param(f"{LINK}?utm_content=pp1", LinkFit.MARKER, id="ours"),
        pytest.param(f"{LINK}/amp?utm_content=pp1", LinkFit.MARKER, id="ours on another path"),
        pytest.param(f"{LINK}?utm_content=pp2", LinkFit.CONFLICT, id="another's"),
        pytest.param(LINK, LinkFit.CONFLICT, id="none"),
        pytest.param("https://b.example/?utm_content=pp1", LinkFit.CONFLICT, id="another host"),
    ],
)
def test_our_marker_is_as_strong_as_the_link(expanded: str, fit: LinkFit) -> None:
    """A link that carries it is ours; one of the same article that does not is another job's."""
    final = f"{LINK}?utm_content=pp1"
    ours = our_links((final,), final=final, marker="utm_content=pp1")

    assert fit is fit_of(ours, post(links=(link(expanded=expanded),)), ())


def test_a_link_that_the_reader_says_nothing_of_is_not_known() -> None:
    """A t.co in the text beside ours may lead anywhere."""
    assert fit_of(OURS, post(), (f"{SHORT}x",)) is LinkFit.MEDIUM


@given(
    scheme=st.sampled_from(("http", "https")),
    host=st.from_regex(r"[a-zA-Z0-9-]{1,8}(\.[a-zA-Z0-9-]{1,8}){0,3}\.?", fullmatch=True),
    path=st.from_regex(r"(/[A-Za-z0-9_~-]{1,6}){0,3}/?", fullmatch=True),
)
def test_the_short_way_to_a_links_form_is_the_long_way(scheme: str, host: str, path: str) -> None:
    """A link that needs no work gets its canonical form, or stays as it is where it has none."""
    raw = f"{scheme}://{host}{path}"
    try:
        expected = canonical_link(raw)
    except LinkRefused:
        expected = raw.rstrip("/")

    assert expected == link_key(raw).rstrip("/")
