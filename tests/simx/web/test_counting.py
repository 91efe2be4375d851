from __future__ import annotations

from typing import TYPE_CHECKING

from simx import text as server_rules

if TYPE_CHECKING:
    from playwright.sync_api import Page

CLIENT_RULES = "https://abs.twimg.com/responsive-web/client-web/app/composer/text-rules.js"

TEXTS = (
    "plain words",
    "看https://blog.example.org/x",
    "https://example.comは良い",
    "日本語example.com",
    "(see https://blog.example.org/a_(b)).",
    "https://blog.example.org/x?y=1&z=2#top, and",
    "example.com/path.",
    "node.js and foo.io and v1.2.3 and e.g. this.That",
    "www.example.co.uk/a",
    "mail a@example.com now",
    "https://例え.jp/道",
    "http://localhost/x",
    "HTTPS://EXAMPLE.COM/A",
    "https://example.org:8080/x",
    "@example.com #tag.example.com",
    "https://blog.example.org/é/ö and https://blog.example.org/日本",
    "…“quoted” dash € 1️⃣ 1⃣ 👩‍👩‍👧 🇵🇱 👍🏽",
    "e\u0301clair",
    f"{'long' * 16}.com and https://{'あ' * 60}.com",
)


def test_client_and_server_count_and_find_links_alike(tab: Page) -> None:
    """The counter's own rules give the weights and links of twitter-text, which the server uses."""
    tab.goto("https://x.com/home")

    counted = tab.evaluate(
        "async ([address, texts]) => { const rules = await import(address);"
        " return texts.map(text => [rules.weightedLength(text),"
        " rules.findLinks(text).map(link => link.text)]) }",
        [CLIENT_RULES, TEXTS],
    )

    expected = [
        [
            server_rules.weight(text),
            [span.value for span in server_rules.spans_of(text) if span.kind == "link"],
        ]
        for text in TEXTS
    ]
    assert counted == expected
