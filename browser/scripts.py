"""The scripts that read a page, kept as files beside the page objects.

Each is one function of one argument that returns JSON. They read; none of them changes the page:
no attribute, style, element or global is set on X's pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, kw_only=True)
class Script:
    """A function to run in a page. `name` says what it does, for messages."""

    name: str
    source: str


def _script(file: str, name: str) -> Script:
    source = resources.files("browser.pages").joinpath(file).read_text(encoding="utf-8")
    return Script(name=name, source=source)


PAGE_STATE = _script("page_state.js", "reading what page this is")
PRESENT = _script("present.js", "looking for something on the page")
POSTS = _script("posts.js", "reading the posts of the page")
COMPOSER = _script("composer.js", "reading the composer")
EDITOR_SHOWS = Script(
    name="reading the text back",
    source=f"(want) => {{ const state = ({COMPOSER.source})(want.css);"
    " return state !== null && state.text === want.text; }",
)
POST_BUTTON_ENABLED = Script(
    name="waiting for the post button",
    source=f"(css) => {{ const state = ({COMPOSER.source})(css);"
    " return state !== null && state.isEnabled; }",
)
TOAST = _script("toast.js", "watching for a toast")
SCROLLED_TO = Script(name="reading how far the page is scrolled", source="() => scrollY")
HAS_SCROLLED = Script(
    name="scrolling",
    source="({ from, by }) => {"
    " const end = document.documentElement.scrollHeight - innerHeight;"
    " return scrollY >= Math.min(from + by, end) - 2; }",
)
IS_LAID_OUT = _script("laid_out.js", "waiting for the cells in view")
