from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.simx.web.composer import Composer

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Page

    from tests.simx.web.site import SimulatedX

ONE_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def picture(name: str) -> FilePayload:
    """Make a small picture file."""
    return {"name": name, "mimeType": "image/png", "buffer": ONE_PIXEL}


def attach(composer: Composer, count: int) -> None:
    """Attach pictures and wait for their previews."""
    field = composer.dialog.get_by_test_id("fileInput")
    field.set_input_files([picture(f"{number}.png") for number in range(count)])
    previews = composer.dialog.get_by_test_id("attachments").locator("[role=group]")
    expect(previews).to_have_count(count)


def test_pictures_alone_can_be_sent(composer: Composer, x: SimulatedX) -> None:
    """Previews are blobs, the picker's value is cleared, the post carries the media."""
    attach(composer, 2)

    preview = composer.dialog.get_by_test_id("attachments").locator("img").first
    assert (preview.get_attribute("src") or "").startswith("blob:")
    assert composer.dialog.get_by_test_id("fileInput").input_value() == ""
    composer.button.click()

    composer.toast.wait_for()
    assert len(x.sent()[0]["media"]) == 2


def test_a_picture_can_be_removed(composer: Composer) -> None:
    """The last preview takes the attachments node with it."""
    attach(composer, 1)

    composer.dialog.get_by_role("button", name="Remove media").click()

    expect(composer.dialog.get_by_test_id("attachments")).to_have_count(0)
    expect(composer.button).to_be_disabled()


def test_more_than_four_pictures_are_refused(composer: Composer) -> None:
    """The toast says how many there may be, and none is taken."""
    field = composer.dialog.get_by_test_id("fileInput")

    field.set_input_files([picture(f"{number}.png") for number in range(5)])

    expect(composer.toast).to_contain_text("Please choose up to 4")
    expect(composer.dialog.get_by_test_id("attachments")).to_have_count(0)


def test_a_description_is_kept_and_sent(composer: Composer, tab: Page, x: SimulatedX) -> None:
    """The description editor has an address of its own; its text names the preview."""
    attach(composer, 1)
    composer.dialog.get_by_test_id("altTextWrapper").click()
    assert tab.url == "https://x.com/compose/post/media"
    tab.get_by_test_id("altTextInput").fill("one pixel")

    tab.get_by_test_id("endEditingButton").click()

    preview = composer.dialog.get_by_test_id("attachments").locator("[role=group]")
    expect(preview).to_have_attribute("aria-label", "one pixel")
    composer.send("described")
    composer.toast.wait_for()
    assert x.requests("MediaMetadata")[0]["status"] == 200


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        pytest.param("confirmationSheetCancel", 1, id="not this time sends"),
        pytest.param("confirmationSheetConfirm", 0, id="add description does not"),
    ],
)
def test_the_reminder_comes_instead_of_sending(
    tab: Page, x: SimulatedX, answer: str, sent: int
) -> None:
    """With the reminder on, the first click asks; what "cancel" means is sending."""
    x.fault("alt_text_prompt")
    composer = Composer.open(tab)
    attach(composer, 1)
    composer.send("without description")
    tab.get_by_test_id("confirmationSheetDialog").wait_for()
    assert x.requests("CreateTweet") == []

    tab.get_by_test_id(answer).click()

    (composer.toast if sent else tab.get_by_test_id("altTextInput")).wait_for()
    assert len(x.sent()) == sent
