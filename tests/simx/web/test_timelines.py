from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.simx.web.site import SimulatedX

DAY_S = 86_400
LINK = "https://blog.example.org/posts/a-very-long-slug-that-is-cut?utm_source=x"

# How cells lie: true when each begins where the one before ends.
CELLS_TOUCH = """
() => {
  const boxes = [...document.querySelectorAll('[data-testid=cellInnerDiv]')]
    .map(cell => cell.getBoundingClientRect());
  return boxes.slice(1).every((box, index) => Math.abs(box.top - boxes[index].bottom) < 1.5);
}
"""


def first_text(tab: Page) -> Locator:
    """Find the text of the first post."""
    return tab.locator("article [data-testid=tweetText]").first


def test_a_long_profile_is_read_by_scrolling(tab: Page, x: SimulatedX) -> None:
    """Every post comes by once, few cells are mounted at a time, and cells touch each other."""
    texts = [f"post {number} " + "w " * (number * 13 % 90) for number in range(1, 61)]
    ids = {x.seed("ada", text=t, age_s=n * 900)["id"] for n, t in enumerate(texts)}
    seen: set[str] = set()
    most = 0
    tab.goto("https://x.com/ada")
    tab.locator("article").first.wait_for()

    while not ids <= seen:
        links = tab.locator("article a:has(> time)").evaluate_all("e => e.map(a => a.pathname)")
        seen |= {link.rsplit("/", 1)[-1] for link in links}
        most = max(most, tab.get_by_test_id("cellInnerDiv").count())
        tab.wait_for_function(CELLS_TOUCH)
        tab.mouse.wheel(0, 700)
        tab.evaluate("() => new Promise(requestAnimationFrame)")

    assert most <= 40


def test_a_link_hides_its_ends_and_keeps_its_whole_address(tab: Page, x: SimulatedX) -> None:
    """Its text content without the ellipsis is the address as posted; href is t.co."""
    post = x.seed("ada", text=f"Read {LINK} today")
    tab.goto(f"https://x.com/ada/status/{post['id']}")

    link = first_text(tab).locator("a")
    link.wait_for()

    assert (link.text_content() or "").replace("…", "") == LINK
    assert (link.get_attribute("href") or "").startswith("https://t.co/")
    assert link.get_attribute("rel") == "noopener noreferrer nofollow"
    expect(link.locator("span[aria-hidden=true]").last).to_have_text("…")


def test_a_last_link_with_a_card_is_shown_by_the_card_alone(tab: Page, x: SimulatedX) -> None:
    """The text ends before the link; the card leads to the same t.co address."""
    post = x.seed("ada", text=f"Read this\n{LINK}", card=True)
    tab.goto(f"https://x.com/ada/status/{post['id']}")

    card = tab.get_by_test_id("card.wrapper").locator('a[href^="https://t.co/"]').first
    card.wait_for()

    expect(first_text(tab)).to_have_text("Read this")
    expect(card).to_have_attribute("aria-label", re.compile("^blog.example.org "))


def test_emoji_are_pictures_with_their_sign_as_alt(tab: Page, x: SimulatedX) -> None:
    """The text node lacks the emoji; the picture has it."""
    post = x.seed("ada", text="Up 🚀 we go")
    tab.goto(f"https://x.com/ada/status/{post['id']}")

    picture = first_text(tab).locator("img")
    picture.wait_for()

    assert picture.get_attribute("alt") == "🚀"
    assert (picture.get_attribute("src") or "").endswith("/1f680.svg")
    assert "🚀" not in (first_text(tab).text_content() or "")


def test_the_focal_post_has_its_time_below_and_no_tab_stop(tab: Page, x: SimulatedX) -> None:
    """On its own page a post differs from the same post in a list."""
    post = x.seed("ada", text="the one", age_s=DAY_S)
    tab.goto(f"https://x.com/i/status/{post['id']}")

    article = tab.locator('article[data-testid=tweet][tabindex="-1"]')
    article.wait_for()

    expect(article.get_by_test_id("User-Name").locator("time")).to_have_count(0)
    time = article.locator("a:has(> time)")
    expect(time).to_have_attribute("href", f"/ada/status/{post['id']}")
    expect(time).to_have_attribute("aria-label", re.compile("·"))
    assert tab.url == f"https://x.com/ada/status/{post['id']}"


def test_pinned_reposted_and_quoted_posts_are_marked(tab: Page, x: SimulatedX) -> None:
    """The pinned one comes first and again; a repost names the reposter; a quote nests."""
    other = x.seed("bob", text="words of bob", age_s=5 * DAY_S)
    x.seed("ada", text="old and pinned", age_s=90 * DAY_S, pinned=True)
    x.seed("ada", age_s=DAY_S, repost_of=other["id"])
    x.seed("ada", text="I quote", age_s=2 * DAY_S, quote_of=other["id"])
    tab.goto("https://x.com/ada")
    articles = tab.locator("article")

    expect(articles).to_have_count(4)
    expect(articles.nth(0).get_by_test_id("socialContext")).to_have_text("Pinned")
    expect(articles.nth(1).get_by_test_id("socialContext")).to_have_text("You reposted")
    expect(articles.nth(1).get_by_test_id("User-Name")).to_contain_text("@bob")
    quote = articles.nth(2).locator("div[role=link][tabindex='0']")
    expect(quote.get_by_test_id("tweetText")).to_have_text("words of bob")
    expect(quote.locator("time")).to_have_count(1)
    expect(quote.locator("a:has(> time)")).to_have_count(0)


def test_times_are_exact_to_the_second(tab: Page, x: SimulatedX) -> None:
    """The datetime is the post's snowflake time in UTC."""
    post = x.seed("ada", text="timed", created_ms=1_790_000_000_000)
    tab.goto("https://x.com/ada")

    time = tab.locator(f'article a[href="/ada/status/{post["id"]}"] > time')

    expect(time).to_have_attribute("datetime", "2026-09-21T14:13:20.000Z")


def test_a_failed_profile_can_be_tried_again(tab: Page, x: SimulatedX) -> None:
    """The error has a Retry button, which loads the posts once the trouble is over."""
    x.seed("ada", text="after the trouble")
    x.fault("profile_error", times=1)
    tab.goto("https://x.com/ada")
    expect(tab.get_by_text("Something went wrong. Try reloading.")).to_be_visible()

    tab.get_by_role("button", name="Retry").click()

    expect(first_text(tab)).to_have_text("after the trouble")


def test_a_rate_limited_profile_says_so(tab: Page, x: SimulatedX) -> None:
    """429 on the posts is told apart from other failures."""
    x.fault("profile_rate_limited")

    tab.goto("https://x.com/ada")

    expect(tab.get_by_text("Rate limit exceeded")).to_be_visible()
    expect(tab.get_by_test_id("editProfileButton")).to_be_visible()


def test_home_shows_other_peoples_posts_with_permalinks(tab: Page) -> None:
    """A script that takes the first status link of the page takes somebody else's."""
    tab.goto("https://x.com/compose/post")
    tab.locator("article a:has(> time)").first.wait_for()

    href = tab.locator('a[href*="/status/"]').first.get_attribute("href") or ""

    assert not href.startswith("/ada/")


def test_an_own_post_can_be_deleted(tab: Page, x: SimulatedX) -> None:
    """The caret's Delete asks, deletes, and takes the post out of the list."""
    x.seed("ada", text="to be deleted")
    tab.goto("https://x.com/ada")
    tab.get_by_test_id("caret").click()
    tab.get_by_role("menuitem", name="Delete").click()

    tab.get_by_test_id("confirmationSheetConfirm").click()

    expect(tab.get_by_test_id("toast")).to_contain_text("deleted")
    expect(tab.locator("article")).to_have_count(0)
    assert x.requests("DeleteTweet")[0]["status"] == 200


def test_a_reply_is_sent_from_the_posts_page(tab: Page, x: SimulatedX) -> None:
    """The inline composer there has the same ids, and what it sends is an answer."""
    post = x.seed("bob", text="a question")
    tab.goto(f"https://x.com/bob/status/{post['id']}")
    tab.get_by_test_id("tweetTextarea_0").click()
    tab.keyboard.insert_text("an answer")

    tab.get_by_test_id("tweetButtonInline").click()

    tab.get_by_test_id("toast").wait_for()
    assert x.sent()[0]["reply"] == post["id"]
    expect(tab.locator("article").last).to_contain_text("an answer")
