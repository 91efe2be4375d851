from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.links import LinkRefused, canonical_link, link_of

SAME_ARTICLE = {
    "plain": "https://example.com/a/b",
    "http": "http://example.com/a/b",
    "capitals": "HTTPS://Example.COM/a/b",
    "default port": "https://example.com:443/a/b",
    "default port of http": "http://example.com:80/a/b",
    "www": "https://www.example.com/a/b",
    "mobile": "https://m.example.com/a/b",
    "amp": "https://amp.www.example.com/a/b",
    "root dot": "https://example.com./a/b",
    "trailing slash": "https://example.com/a/b/",
    "dot segments": "https://example.com/x/../a/./b",
    "needless escapes": "https://example.com/%61/b",
    "fragment": "https://example.com/a/b#part-2",
    "utm": "https://example.com/a/b?utm_source=x&utm_medium=y",
    "click ids": "https://example.com/a/b?fbclid=1&gclid=2&twclid=3",
    "empty query": "https://example.com/a/b?",
}


@pytest.mark.parametrize("spelling", SAME_ARTICLE.values(), ids=SAME_ARTICLE)
def test_spellings_of_one_article_have_one_canonical_link(spelling: str) -> None:
    """Whatever does not change what a link points at, leaves no trace in its canonical form."""
    canonical = canonical_link(spelling)

    assert canonical == "https://example.com/a/b"


OTHER_ARTICLES = {
    "path": "https://example.com/a/c",
    "case of the path": "https://example.com/A/b",
    "query": "https://example.com/a/b?page=2",
    "port": "https://example.com:8443/a/b",
    "host": "https://blog.example.com/a/b",
    "escaped slash": "https://example.com/a%2Fb",
}


@pytest.mark.parametrize("other", OTHER_ARTICLES.values(), ids=OTHER_ARTICLES)
def test_other_articles_stay_other_articles(other: str) -> None:
    """Nothing that may lead to another page is folded away."""
    assert canonical_link(other) != "https://example.com/a/b"


REFUSED = {
    "no scheme": "example.com/a",
    "another scheme": "ftp://example.com/a",
    "script": "javascript:alert(1)",
    "no host": "https:///a",
    "one label": "http://localhost:8000/a",
    "address": "https://192.0.2.1/a",
    "address of six": "https://[2001:db8::1]/a",
    "credentials": "https://me:secret@example.com/a",
    "white space": "https://example.com/a b",
    "line end": "https://example.com/a\nb",
    "port out of range": "https://example.com:99999/",
    "bad bracket": "https://[example.com/",
    "bad host": "https://exa$mple.com/",
    "far too long": "https://example.com/" + "a" * 5000,
}


@pytest.mark.parametrize("raw", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_posted_as_a_link_is_refused(raw: str) -> None:
    """A link is http or https with a public host, or it is refused with the reason."""
    with pytest.raises(LinkRefused):
        link_of(raw)


def test_the_final_link_is_kept_as_given() -> None:
    """What is posted is what the writer wrote; only the comparison form is changed."""
    raw = "https://www.example.com/a/?utm_source=x#part"

    link = link_of(raw)

    assert link.final == raw
    assert link.canonical == "https://example.com/a"


def test_a_link_in_another_script_is_posted_in_ascii() -> None:
    """X cuts a link at the first character that is not ASCII, so the final link has none."""
    link = link_of("https://bücher.example.com/文章?frage=ä")

    assert link.final == ("https://xn--bcher-kva.example.com/%E6%96%87%E7%AB%A0?frage=%C3%A4")


PATHS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp")), max_size=40
)


@given(path=PATHS, query=PATHS)
def test_the_canonical_form_is_its_own_canonical_form(path: str, query: str) -> None:
    """Canonicalising twice changes nothing."""
    raw = f"https://www.example.com/{path}?{query}"

    once = canonical_link(raw)

    assert canonical_link(once) == once
