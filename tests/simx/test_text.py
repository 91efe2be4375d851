import pytest
from simx.shape_text import cut, without_last_link
from simx.text import as_stored, display_of, links_of, shown, spans_of, weight

WEIGHTS = {
    "ascii": ("hello", 5),
    "Chinese": ("漢字", 4),
    "emoji": ("🌍", 2),
    "family": ("👨‍👩‍👧‍👦", 2),
    "a long link": ("https://blog.example.org/" + "x" * 200, 23),
    "a bare domain": ("example.com", 23),
    "no domain": ("node.js", 7),
    "ellipsis": ("…", 2),
    "quotes": ("“x”", 3),
}


@pytest.mark.parametrize(("text", "expected"), WEIGHTS.values(), ids=WEIGHTS.keys())
def test_length_counts_by_weight(text: str, expected: int) -> None:
    """As twitter-text counts: links 23, emoji 2, CJK 2."""
    assert weight(text) == expected


def test_parts_of_a_text_are_found_without_overlaps() -> None:
    """No hashtag inside a link, no mention inside an address."""
    text = "@ada see https://blog.example.org/a#b about #Läufer and $TSLA, me@example.com #1"

    found = [(span.kind, span.value) for span in spans_of(text)]

    assert found[:2] == [("mention", "ada"), ("link", "https://blog.example.org/a#b")]
    assert ("hashtag", "Läufer") in found
    assert ("cashtag", "TSLA") in found
    assert not any(kind == "hashtag" and value in {"b", "1"} for kind, value in found)


DISPLAYS = {
    "https://www.example.org/": "example.org",
    "https://example.org/short": "example.org/short",
    "http://docs.x.com/xchat/introduction": "docs.x.com/xchat/introduc…",
    "https://blog.example.org/posts/a-very-long-slug?utm=1": "blog.example.org/posts/a-very-l…",
}


@pytest.mark.parametrize(("link", "display"), DISPLAYS.items())
def test_links_are_cut_as_on_x(link: str, display: str) -> None:
    """No scheme, no www, 15 characters of the path."""
    assert display_of(link.removesuffix("/")) == display


def test_the_shown_text_is_escaped_and_its_indices_count_code_points() -> None:
    """Emoji count one, &amp; counts five."""
    text = as_stored("🌍 & https://blog.example.org/1 <ok>  ")
    short_links = dict.fromkeys(links_of(text), "https://t.co/AAAAAAAAAA")

    whole = shown(text, short_links, escapes=True)

    (span,) = whole.spans
    assert whole.text == "🌍 &amp; https://t.co/AAAAAAAAAA &lt;ok&gt;"
    assert whole.text[span.start : span.end] == "https://t.co/AAAAAAAAAA"


@pytest.mark.parametrize("chars", range(1, 45))
def test_a_cut_never_falls_into_an_escape_or_a_link(chars: int) -> None:
    """Whatever the place, what is left can be read."""
    text = "a & b https://blog.example.org/1 & c"
    short_links = dict.fromkeys(links_of(text), "https://t.co/AAAAAAAAAA")

    left = cut(shown(text, short_links, escapes=True), chars).text.removesuffix("…")

    assert left.count("&") == left.count("&amp;")
    assert left.count("https://t.co/") == left.count("https://t.co/AAAAAAAAAA")


def test_the_last_link_can_be_taken_out() -> None:
    """Earlier ones stay."""
    text = "See https://a.example.org/1 or https://b.example.org/2"
    first, last = links_of(text)
    short_links = {first: "https://t.co/AAAAAAAAAA", last: "https://t.co/BBBBBBBBBB"}

    left = without_last_link(shown(text, short_links, escapes=True))

    assert left.text == "See https://t.co/AAAAAAAAAA or"
    assert len(left.spans) == 1
