"""Where things are on x.com: dated data, and nothing else.

Each selector has its ways in order: the first that finds something wins. `data-testid` and `href`
come first, since X localises every label; structure comes last, with a note. Never XPath, never
text. Whatever belongs to the composer is scoped to the innermost dialog that holds an editor,
since /compose/post lies over /home, which has a composer of its own. A test finds every selector
in a saved page, and another finds it in the simulated site.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, kw_only=True)
class Selector:
    """One thing on a page.

    Args:
        name: What it is, for messages and tests.
        ways: CSS, in the order in which they are tried.
        seen_on: When the first way was last seen to work, by x-web-facts.
        note: What a maintainer has to know.
    """

    name: str
    ways: tuple[str, ...]
    seen_on: date
    note: str = ""

    def within(self, outer: Selector) -> Selector:
        """The same thing, only inside another; outer ways vary slowest."""
        ways = tuple(f"{around} {way}" for around in outer.ways for way in self.ways)
        return Selector(name=self.name, ways=ways, seen_on=self.seen_on, note=self.note)


COMPOSER_SEEN = date(2026, 9, 25)
PAGE_SEEN = date(2026, 8, 28)

# --- every page of a signed-in account ------------------------------------------------------------
ACCOUNT_BUTTON = Selector(
    name="account button",
    ways=(
        "[data-testid=SideNav_AccountSwitcher_Button]",
        "a[data-testid=SideNav_NewTweet_Button]",
        "header[role=banner] a[href='/compose/post']",
    ),
    seen_on=PAGE_SEEN,
    note="its presence means that the app runs and somebody is signed in",
)
PROFILE_LINK = Selector(
    name="link to the own profile",
    ways=(
        "a[data-testid=AppTabBar_Profile_Link]",
        "[data-testid=SideNav_AccountSwitcher_Button] [data-testid^='UserAvatar-Container-']",
        "header[role=banner] nav a[href^='/'][aria-label='Profile']",
    ),
    seen_on=PAGE_SEEN,
    note="the href, or the suffix of the test id, is the handle; the label is English only",
)
SIGN_IN = Selector(
    name="sign-in page",
    ways=(
        "input[name='username_or_email']",
        "[data-testid=loginButton], [data-testid=LoginForm_Login_Button]",
        "script[src*='/x-web/']",
    ),
    seen_on=date(2026, 9, 28),
    note="the logged-out front end; a dead session gets it with status 200 at any address",
)
CHALLENGE = Selector(
    name="challenge",
    ways=(
        "iframe[src*='arkoselabs'], iframe[src*='funcaptcha'], #arkose_iframe",
        "#challenge-form, #challenge-running, script[src*='/cdn-cgi/challenge-platform/']",
    ),
    seen_on=date(2026, 8, 3),
    note="for a person only; nothing in this program touches it",
)
SHELL = Selector(
    name="app shell before its scripts have run",
    ways=("#react-root #placeholder", "#react-root"),
    seen_on=PAGE_SEEN,
)
SCRIPT_FAILURE = Selector(
    name="scripts did not load",
    ways=("#ScriptLoadFailure",),
    seen_on=date(2026, 6, 24),
    note="in the page at every load; only its being visible means anything",
)

# --- composer -------------------------------------------------------------------------------------
DIALOG = Selector(
    name="composer dialog",
    ways=(
        "[role=dialog]:has([data-testid=tweetTextarea_0]):not(:has([role=dialog]))",
        "[role=dialog][aria-labelledby=modal-header]:has([role=textbox]):not(:has([role=dialog]))",
    ),
    seen_on=COMPOSER_SEEN,
    note="two nested dialogs; the innermost is the composer",
)
EDITOR = Selector(
    name="editor",
    ways=(
        "[data-testid=tweetTextarea_0]",
        "[role=textbox][contenteditable=true]",
        ".public-DraftEditor-content",
        "textarea",
    ),
    seen_on=COMPOSER_SEEN,
).within(DIALOG)
POST_BUTTON = Selector(
    name="post button",
    ways=(
        "button[data-testid=tweetButton]",
        "button[data-testid=tweetButtonInline]",
        "[data-testid=toolBar] > div:last-child > button:last-child",
    ),
    seen_on=COMPOSER_SEEN,
    note="the two test ids were seen to change places; the label is localised",
).within(DIALOG)
COUNTER = Selector(
    name="counter",
    ways=("[data-testid=dual-phase-countdown-circle-text]",),
    seen_on=date(2025, 7, 1),
    note="there only from 20 characters before the limit on; negative means over",
).within(DIALOG)
ATTACHMENTS = Selector(
    name="attachments",
    ways=("[data-testid=attachments] [role=group]", "[data-testid=attachments] img[src^='blob:']"),
    seen_on=date(2026, 7, 15),
).within(DIALOG)
CALLOUT = Selector(
    name="error callout",
    ways=("[role=status][aria-live=assertive]",),
    seen_on=date(2025, 7, 1),
).within(DIALOG)
TYPEAHEAD = Selector(
    name="open type-ahead",
    ways=("[id^=typeaheadDropdown]:has([role=option])", "[data-testid=typeaheadResult]"),
    seen_on=date(2025, 7, 1),
    note="its first item is taken by Enter or Tab, and it covers what lies below it",
)
OTHER_DIALOG = Selector(
    name="dialog that is not the composer",
    ways=(
        "[data-testid=sheetDialog]",
        "[role=dialog]:not([data-testid=confirmationSheetDialog], :has([role=textbox], textarea))",
    ),
    seen_on=COMPOSER_SEEN,
    note="premium, notifications, passkey and security sheets; a question is not among them",
)
QUESTION = Selector(
    name="question with two answers",
    ways=("[data-testid=confirmationSheetDialog]", "[data-testid=confirmationSheetConfirm]"),
    seen_on=date(2025, 7, 1),
    note="confirm means Save in one case and Discard in another: never answered by this program",
)
SHEET_CLOSE = Selector(
    name="close button of a sheet",
    ways=(
        "[role=dialog]:has([data-testid=sheetDialog]) [data-testid=app-bar-close]",
        *(f"{dialog} [data-testid=app-bar-close]" for dialog in OTHER_DIALOG.ways),
    ),
    seen_on=COMPOSER_SEEN,
    note="never the composer's own, which has the same test id",
)
TOAST = Selector(
    name="toast",
    ways=("[data-testid=toast]", "[role=alert]"),
    seen_on=date(2026, 8, 20),
    note="six seconds; its link is aria-hidden, so that roles do not find it",
)

# --- timelines and posts --------------------------------------------------------------------------
ARTICLE = Selector(
    name="post",
    ways=("article[data-testid=tweet]", "article[role=article]", "article"),
    seen_on=PAGE_SEEN,
)
POST_LINK = Selector(
    name="permalink of a post",
    ways=("a[href*='/status/']:has(> time)", "a[href*='/status/']:has(time)"),
    seen_on=PAGE_SEEN,
    note="never one inside a nested role=link: that is the quoted post",
)
POST_TEXT = Selector(
    name="text of a post",
    ways=("[data-testid=tweetText]", "div[lang][dir=auto]"),
    seen_on=PAGE_SEEN,
    note="missing when the post has only media or a card",
)
QUOTED = Selector(name="quoted post", ways=("div[role=link][tabindex='0']",), seen_on=PAGE_SEEN)
SOCIAL_CONTEXT = Selector(
    name="line above a post",
    ways=("[data-testid=socialContext]",),
    seen_on=PAGE_SEEN,
    note="a link inside means a repost, none means pinned; the words are localised",
)
CARD = Selector(
    name="link card",
    ways=("[data-testid='card.wrapper']",),
    seen_on=PAGE_SEEN,
    note="takes the place of a link that ends the text",
)
SHOW_MORE = Selector(
    name="show more",
    ways=("[data-testid=tweet-text-show-more-link]",),
    seen_on=date(2026, 8, 17),
)
PHOTO = Selector(
    name="media of a post",
    ways=(
        "[data-testid=tweetPhoto], [data-testid=videoPlayer], [data-testid=videoComponent]",
        "a[href*='/status/'][href*='/photo/'], a[href*='/status/'][href*='/video/']",
    ),
    seen_on=PAGE_SEEN,
)
OWN_PROFILE = Selector(
    name="edit profile button",
    ways=("[data-testid=editProfileButton]", "a[href='/settings/profile']"),
    seen_on=PAGE_SEEN,
    note="there only on the own profile",
)
EMPTY_STATE = Selector(
    name="empty state",
    ways=("[data-testid=emptyState]",),
    seen_on=date(2026, 8, 17),
    note="no posts, or no such account, or suspended: the words are localised",
)
ERROR_DETAIL = Selector(
    name="page that does not exist",
    ways=("[data-testid=error-detail]",),
    seen_on=PAGE_SEEN,
)
USER_NAME = Selector(
    name="author line of a post",
    ways=("[data-testid=User-Name]",),
    seen_on=PAGE_SEEN,
)
REPLIES_TAB = Selector(
    name="tab of the replies",
    ways=(
        "[role=tablist] a[role=tab][href$='/with_replies']",
        "main a[href$='/with_replies']",
    ),
    seen_on=PAGE_SEEN,
    note="a link of the app: it changes the tab without loading a page",
)
CELL = Selector(
    name="cell of a timeline",
    ways=("[data-testid=cellInnerDiv]", "div[style*='translateY'][style*='position: absolute']"),
    seen_on=PAGE_SEEN,
    note="nearly transparent until it has been measured; unmounted when far from the view",
)
MAIN_COLUMN = Selector(
    name="main column",
    ways=("[data-testid=primaryColumn]", "main[role=main]"),
    seen_on=PAGE_SEEN,
)

ALL: tuple[Selector, ...] = tuple(
    value for value in tuple(globals().values()) if isinstance(value, Selector)
)
"""Every selector above, for the tests that find each of them."""
