"""A plain Chromium on the simulation: one fetch, and what the server gets when a fault falls on it.

Source of the expectations: the fact sheet on browsers, section 6.4 (Chromium 156, hundreds of
trials). They are the reason why the faults exist.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

from browser.install import find_browser
from tests.simx.clients import Json, Person, RunningX

POST = """async () => {
  const ct0 = document.cookie.split("; ").find((one) => one.startsWith("ct0=")).slice(4);
  const kind = {"content-type": "application/json"};
  const headers = {"x-csrf-token": ct0, authorization: "Bearer A", ...kind};
  const body = JSON.stringify({variables: {tweet_text: "One click"}});
  const address = "/i/api/graphql/q/CreateTweet";
  try {
    const answer = await fetch(address, {method: "POST", headers, body});
    return String(answer.status);
  } catch (failure) {
    return "failed";
  }
}"""

# fault, its wishes, requests that arrive, posts that are stored, what the page sees
CASES: list[tuple[str, dict[str, Json], int, int, str]] = [
    ("reset_after_store", {}, 2, 2, "200"),
    ("close_after_store", {}, 2, 2, "200"),
    ("goaway_after_store", {}, 2, 2, "200"),
    ("refused_before_reading", {}, 2, 1, "200"),
    ("redirect_307", {"stored": True}, 2, 2, "200"),
    ("answer_lost_after_store", {}, 1, 1, "failed"),
    ("error_500_after_store", {}, 1, 1, "500"),
]


@pytest.fixture(params=["h2", "h1"])
async def page(
    request: pytest.FixtureRequest, x: RunningX, ada: Person, tmp_path: Path
) -> AsyncIterator[Page]:
    """Give a signed-in page of a plain Chromium, over either HTTP version."""
    flags = [*x.facts["chromium_flags"], *(["--disable-http2"] if request.param == "h1" else [])]
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            tmp_path, executable_path=find_browser(None), args=flags
        )
        await context.add_cookies(ada.account["cookies"])
        page = context.pages[0]
        await page.goto("https://x.com/i/flow/login")
        yield page
        await context.close()


async def test_one_fetch_of_a_plain_chromium_under_each_fault(page: Page, x: RunningX) -> None:
    """Lost connections are sent again behind the page's back, cut answers are not."""
    x.fault("no_duplicate_check")

    seen = []
    for name, wishes, *_ in CASES:
        x.fault(name, times=1, **wishes)
        before = (len(x.posting_requests()), len(x.truth()))
        outcome = await page.evaluate(POST)
        after = (len(x.posting_requests()), len(x.truth()))
        seen.append((name, wishes, after[0] - before[0], after[1] - before[1], outcome))

    assert seen == CASES
