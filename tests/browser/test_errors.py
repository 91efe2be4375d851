"""Playwright's errors become ours by one table that knows all of its classes."""

from __future__ import annotations

import inspect

import playwright._impl._errors as foreign
import pytest
from playwright.async_api import Error as PlaywrightError

from browser.errors import (
    FOREIGN,
    BrowserDied,
    BrowserMissing,
    Offline,
    ProfileBusy,
    Stopped,
    TimedOut,
    UnknownPage,
    mapped,
)


def test_every_error_class_of_playwright_is_mapped() -> None:
    """A new one fails here before it surprises anybody."""
    classes = {
        name
        for name, kind in inspect.getmembers(foreign, inspect.isclass)
        if issubclass(kind, Exception)
    }

    assert classes == set(FOREIGN)


SAID = {
    "net::ERR_CONNECTION_RESET at https://x.com/": Offline,
    "Page.click: Target crashed": BrowserDied,
    "Page.goto: Page crashed": BrowserDied,
    "Page.title: Target page, context or browser has been closed": BrowserDied,
    "Executable doesn't exist at /nope": BrowserMissing,
    "Failed to create a ProcessSingleton for your profile directory": ProfileBusy,
    "strict mode violation: locator resolved to 2 elements": UnknownPage,
}


@pytest.mark.parametrize(("words", "kind"), SAID.items(), ids=[k.__name__ for k in SAID.values()])
def test_the_browsers_own_words_tell_its_one_error_class_apart(
    words: str, kind: type[Stopped]
) -> None:
    """Each becomes the leaf that says what happened, with what was being done."""
    stopped = mapped(PlaywrightError(words), doing="opening the page")

    assert type(stopped) is kind
    assert stopped.detail.startswith("opening the page: ")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (foreign.TargetClosedError(), BrowserDied),
        (foreign.TimeoutError("Timeout 800ms exceeded."), TimedOut),
        (TimeoutError(), BrowserDied),
    ],
    ids=["closed", "timeout", "no-answer-at-all"],
)
def test_classes_are_told_apart_by_their_names(
    error: PlaywrightError | TimeoutError, kind: type[Stopped]
) -> None:
    """Playwright's time-out names a condition; ours means that the browser answers no more."""
    assert type(mapped(error, doing="clicking")) is kind


def test_only_the_first_line_of_a_message_is_kept() -> None:
    """The call log that follows may hold parts of the page."""
    stopped = mapped(PlaywrightError("first\nCall log:\n  secret"), doing="reading")

    assert "secret" not in stopped.detail
