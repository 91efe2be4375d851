"""The composer in its other forms: real Draft.js where its bundle has been built, a plain field."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.browser.desk import TEXT, Desk
from tests.browser.test_send import TEXTS
from tests.simx.clients import started

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.asyncio(loop_scope="module")

BUNDLE = Path(__file__).parents[2] / "fixtures" / "simx" / "static" / "draft" / "bundle.js"
EDITORS = ["textarea", *(["draft"] if BUNDLE.exists() else [])]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=EDITORS)
async def other_desk(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Desk]:
    """A desk on a simulation with another editor."""
    with started("--editor", request.param) as (_process, x):
        x.fault("hydration_ms", ms=0)
        made = Desk(x=x, folder=tmp_path_factory.mktemp(request.param))
        yield made
        await made.close()


@pytest.mark.parametrize("name", ["emoji", "lines", "mention-at-the-end", "right-to-left"])
async def test_every_form_of_the_editor_takes_the_text_as_it_is(
    other_desk: Desk, name: str
) -> None:
    """Letter by letter, whatever the editor is made of."""
    person = other_desk.person()

    report = await other_desk.send(person, text=TEXTS[name])

    assert (report.stop, other_desk.truth(person)) == (None, [TEXTS[name]])


async def test_a_draft_left_over_is_cleared_in_every_form(other_desk: Desk) -> None:
    """Row 21: what was there before is not part of the post."""
    person = other_desk.person()
    other_desk.x.fault("stale_draft", account=person.account["handle"])

    report = await other_desk.send(person)

    assert (report.stop, other_desk.truth(person)) == (None, [TEXT])
