"""What the live table has for those who write agents, for fingers, and for those who have enough of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.page_checks import PHONE, check_barriers, check_width
from tests.web.page_player import LEGAL, asks, deal, going_on, is_over, press, seq, switch_on_second_taps, wait

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import Opens

pytestmark = pytest.mark.web

LONG = "rollout:n=2,base=expected"


def _show_inspector(page: Page) -> None:
    """Switch it on, as the settings do, and open it."""
    assert page.locator("#inspector").is_hidden()
    page.evaluate("localStorage.setItem('skyjo.developer', 'true')")
    page.reload()
    page.locator("#inspector summary").click()


def _inspect(page: Page) -> None:
    _show_inspector(page)
    page.locator(".slices dt").first.wait_for()


def _values(page: Page, name: str) -> str:
    return page.locator(f'.slices dt:has(code:text-is("{name}")) + dd').inner_text()


def test_the_inspector_follows_the_table(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "expected")
    assert page.locator("#inspector textarea").count() == 0
    _inspect(page)
    assert _values(page, "phase") == "0"
    assert page.locator(".legal li").first.inner_text() == "14 flip 0"
    press(page, "cell-0")
    page.locator(".legal:not(:has-text('flip 0'))").wait_for()
    card = page.locator('#own [data-key="cell-0"] .number').inner_text().replace("−", "-")
    assert _values(page, "cells").split()[0] == card
    assert f"board {card} ? ?" in page.get_by_label("Position").input_value()
    check_barriers(page)


def test_a_closed_inspector_asks_nothing(skyjo: str, opens: Opens) -> None:
    page, sent = opens(), []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    deal(page, skyjo, "you", "expected")
    press(page, "cell-0")
    _inspect(page)
    assert sent == ['{"seq":0,"action":14}', f'{{"seq":{seq(page)},"ask":"inspect"}}']


def test_an_agent_acts_once_for_a_person(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    _inspect(page)
    page.get_by_label("Let an agent decide for you").select_option("tempo")
    with going_on(page):
        page.get_by_role("button", name="Act once").click()
    assert page.locator("#own .card:not([data-band=back])").count() == 1
    assert page.locator("#practice").is_visible()


@pytest.mark.parametrize("game", ["skyjo", "skyjo_action"])
def test_who_looks_on_can_lend_nothing_and_is_shown_what_all_see(
    game: str, opens: Opens, request: pytest.FixtureRequest
) -> None:
    page, stranger = deal(opens(), request.getfixturevalue(game), "you", "random"), opens()
    stranger.goto(page.url)
    stranger.wait_for_selector("#own .card")
    _show_inspector(stranger)
    stranger.get_by_text("None now.").wait_for()
    assert stranger.get_by_label("Position").input_value().startswith(f"{game}-position 1")
    assert stranger.get_by_role("button", name="Act once").is_hidden()
    assert stranger.locator("#concede").is_hidden()
    assert stranger.locator(".slices dt").count() == 0


def test_no_agent_acts_for_anybody_where_people_play_against_each_other(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "open", rules="opening_flips=0")
    _inspect(page)
    assert page.get_by_role("button", name="Leave").is_visible()
    assert page.get_by_role("button", name="Act once").is_hidden()


def test_covered_hands_are_not_inspected_until_they_are_shown(skipbo: str, opens: Opens) -> None:
    page = deal(opens(), skipbo, "you", "you", rules="stock=5", wanted="#uncover:not([hidden])")
    _show_inspector(page)
    page.get_by_text("Your cards are covered.").wait_for()
    assert page.locator(".slices dt").count() == 0
    check_barriers(page)
    page.get_by_role("button", name="Show my cards").click()
    page.locator(".slices dt").first.wait_for()
    assert len(_values(page, "hand").split()) == 5
    assert page.locator("#alert").text_content() == ""
    check_barriers(page)
    page.locator('#own [data-key="hand-0"]').click()
    page.locator('#own [data-key="pile-1"]').click()
    page.wait_for_selector("#uncover:not([hidden])")
    assert page.locator(".slices dt").count() == 0
    assert page.locator(".legal li").count() == 0
    assert page.get_by_label("Position").input_value() == ""


def test_giving_up_is_asked_once_more_and_ends_the_table(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    assert not is_over(page)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").wait_for()
    check_barriers(page)
    before = seq(page)
    page.keyboard.press("q")  # goes to no card behind the dialog
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Same cards again").wait_for()
    assert seq(page) == before
    assert page.locator("#ending-title").inner_text() == "Over, conceded by you."
    assert page.locator("#concede").is_hidden()
    page.reload()
    page.get_by_role("button", name="Same cards again").click()
    page.wait_for_selector("#ask[data-mine]", state="attached")


def test_a_second_tap_on_a_card_does_what_the_first_one_said(skyjo: str, opens: Opens) -> None:
    page = deal(opens(**PHONE), skyjo, "you", "you")
    _switch_on(page)
    first, second = (page.locator(f'#own [data-key="cell-{cell}"]') for cell in (0, 4))
    first.tap()
    asks(page, "Tap again to turn up column 1, row 1.")
    assert first.get_attribute("aria-pressed") == "true"
    second.tap()
    asks(page, "Tap again to turn up column 2, row 2.")
    assert page.locator("[aria-pressed]").count() == 1
    assert seq(page) == "0"
    check_width(page)
    page.locator('[data-key="draw"]').tap(force=True)  # it says itself that it is disabled
    asks(page, "Turn up two cards.")
    second.tap()
    asks(page, "Tap again to turn up column 2, row 2.")
    page.keyboard.press("Escape")
    assert page.locator("#question").inner_text() == "Turn up two cards."
    assert page.locator("[aria-pressed]").count() == 0
    second.tap()
    second.tap()
    page.wait_for_selector('#felt[data-seq="1"]')
    assert page.locator("[aria-pressed]").count() == 0
    page.reload()
    wait(page)
    page.locator(f"#own {LEGAL}").first.tap()
    page.locator("#question", has_text="Tap again").wait_for()
    assert seq(page) == "1"


def test_a_taken_discard_goes_to_its_place_with_a_second_tap(skyjo: str, opens: Opens) -> None:
    page = deal(opens(**PHONE), skyjo, "you", "you", rules="opening_flips=0")
    _switch_on(page)
    page.locator('[data-key="discard"]').tap()
    page.locator('#own [data-key="cell-1"]').tap()
    asks(page, "Tap again to take, and place it in column 1, row 2.")
    assert seq(page) == "0"
    page.locator('#own [data-key="cell-1"]').tap()
    page.wait_for_selector('#felt[data-seq="2"]')


def test_a_card_of_skipbo_is_picked_up_and_laid_with_a_second_tap(skipbo: str, opens: Opens) -> None:
    page = deal(opens(**PHONE), skipbo, "you", "random", rules="stock=5")
    _switch_on(page)
    page.locator('[data-key="hand-0"]').tap()
    pile = page.locator('#own [data-key="pile-1"]')
    pile.tap()
    page.locator("#question", has_text="on discard pile 2").wait_for()
    assert seq(page) == "0"
    pile.tap()
    page.wait_for_selector('#felt:not([data-seq="0"])')


def test_keys_need_no_second_press(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "you")
    _switch_on(page)
    page.keyboard.press("q")
    page.wait_for_selector('#felt[data-seq="1"]')


def _switch_on(page: Page) -> None:
    switch_on_second_taps(page)
    check_barriers(page)
    page.get_by_role("button", name="Close").click()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_scores_with_long_names_fit(skyjo: str, opens: Opens, options: dict[str, object]) -> None:
    page = deal(opens(**options), skyjo, "you", LONG, LONG.replace("2", "3"))
    widths = page.locator(".scroll").evaluate("(node) => [node.scrollWidth, node.clientWidth]")
    assert widths[0] <= widths[1]
