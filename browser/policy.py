"""Every bound of the browser package, in one place, each with its reason.

Nothing in this package waits without one of these. The caller may pass another policy; the tests
do, to see a bound reached without waiting for it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class BrowserPolicy:
    """Bounds of one profile. Instants are never here, only durations."""

    launch_s: float = 60.0
    """Starting driver and browser; 0.5 s measured warm, a cold disk on a busy machine takes 20."""

    close_s: float = 5.0
    """Closing in good order; after it the driver is killed and takes the browser with it."""

    load_ms: float = 30_000
    """A page's first byte; X's slowest answers to a navigation were reported at 20 s."""

    hydrate_ms: float = 20_000
    """From first byte to a usable page; 15 s is the slowest healthy one reported."""

    action_ms: float = 10_000
    """A click, a key, a fill on an element that is there; 50 ms measured."""

    evaluate_s: float = 5.0
    """A script in the page; it has no bound of its own and hangs with its renderer."""

    screenshot_s: float = 10.0
    """A screenshot of one element; 85 ms measured, web fonts may hold it up."""

    read_back_ms: float = 1_500
    """Until the editor shows what was put in; normally at the first look."""

    button_ms: float = 3_000
    """Until the post button is enabled after the text; the page does it within a frame."""

    timeline_ms: float = 20_000
    """Until the own profile has shown its newest posts and their answer was read."""

    request_ms: float = 5_000
    """From the click to the page's own request; 45 ms measured, 2 s seen on a loaded machine."""

    hold_ms: float = 2_000
    """From the page's word of its request to its bytes at the gate; 20 ms seen, machine busy."""

    undo_ms: float = 75_000
    """As above when the page says that it holds the post back; X offers at most 60 s."""

    answer_ms: float = 120_000
    """From the release to the answer; X was seen to take 55 to 90 s and still to post."""

    toast_ms: float = 600
    """How long evidence of a toast is waited for once the answer is there; it is not proof."""

    toast_without_answer_ms: float = 3_000
    """As above when the request failed: the toast is then the only word from the site."""

    permalink_ms: float = 15_000
    """Until the post's own page shows the post; longer means that the page has its own trouble."""

    ping_every_s: float = 5.0
    """How often a working tab is asked for a sign of life; a dead driver raises no event."""

    ping_timeout_s: float = 10.0
    """How late that sign may be; a busy renderer was seen to take 3 s."""


@dataclass(frozen=True, kw_only=True)
class LookPolicy:
    """Bounds of one look at a profile; past any of them the look is void."""

    look_s: float = 240.0
    """A whole look; 7 s measured for 75 posts on a busy machine, a slow line takes far more."""

    answers_max: int = 12
    """Answers read in each tab, 20 posts each; X allows 50 of a kind in 15 minutes."""

    scrolls_max: int = 150
    """Steps in each tab; a post is seldom lower than 200 pixels, so that answers end it first."""

    scroll_px: float = 600
    """One step; less than the window's 900, so that every cell is in view at two steps or more."""

    scroll_ms: float = 2_000
    """Until a step has been made; 100 ms measured, and a list at its bottom makes none."""

    settle_ms: float = 1_500
    """Until the cells in view have been laid out; a frame, normally. After it they are read."""

    glance_ms: float = 400
    """How often a page that loads is asked whether it shows an error instead."""

    sheets_max: int = 3
    """Sheets of X's own closed on one page; more are a page this program does not know."""

    pictures_max: int = 12
    """Pictures of candidates; a person cannot weigh more, the answers keep the rest."""

    permalinks_max: int = 4
    """Pages opened for candidates that the answers give cut; each is a page load."""
