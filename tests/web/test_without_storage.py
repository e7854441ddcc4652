"""The pages work in a browser that lets them keep nothing: its user refuses, or looks at them in private."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.page_player import deal, play_round

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import Opens

pytestmark = pytest.mark.web

REFUSED = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError') }})"


@pytest.fixture
def page(opens: Opens) -> Page:
    """A page that complains, as `opens` would tell, if anything raises."""
    found = opens()
    found.add_init_script(REFUSED)
    return found


@pytest.mark.parametrize("path", ["/", "/#custom", "/learn", "/games", "/ladder"])
def test_every_page_opens(path: str, skyjo: str, page: Page) -> None:
    page.goto(f"{skyjo}{path}")
    page.locator("h1, h2").first.wait_for()
    page.wait_for_load_state("networkidle")


def test_a_round_is_played_and_what_is_set_holds_for_the_page(skyjo: str, page: Page) -> None:
    deal(page, skyjo, "you", "random")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("dark", exact=True).check()
    page.get_by_label("instant").check()
    page.get_by_label("Show the inspector").check()
    page.get_by_role("button", name="Close").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.locator("#inspector").is_visible()
    page.keyboard.press("?")
    page.get_by_label("Use single letters and digits").uncheck()
    page.get_by_role("button", name="Close").click()
    before = page.locator("#felt").get_attribute("data-seq")
    page.keyboard.press("q")
    assert page.locator("#felt").get_attribute("data-seq") == before
    play_round(page)


def test_steps_and_puzzles_are_counted_until_the_page_is_left(skyjo: str, page: Page) -> None:
    page.goto(f"{skyjo}/learn")
    for cell in (0, 5):
        page.locator(f'#own [data-key="cell-{cell}"]').click()
    page.get_by_text("Well done.").wait_for()
    assert page.get_by_role("button", name="done").count() == 1
    page.goto(f"{skyjo}/learn#puzzles")
    page.locator(".streak").wait_for()
    drawn = page.locator("#own .card:not([aria-disabled])")  # with a card in hand
    page.locator('[data-key="draw"]:not([aria-disabled])').or_(drawn).first.click()
    page.locator("#puzzles-sheet").locator(".done-words, .wrong-words").wait_for()
