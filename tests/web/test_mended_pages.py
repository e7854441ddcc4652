"""What an hour of play found broken on pages without a server, and stays mended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from skyjo.interfaces import find_interface
from tests.web.page_checks import check_barriers
from tests.web.page_player import deal, play, wait

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import Opens

pytestmark = pytest.mark.web

PAGES = ("index", "learn", "games", "ladder")
SEED = 7
CHALLENGE = f"index.html#challenge&seed={SEED}&rules=&episode=round&seat=you&seat=hurried&name=&name=Pip"


def first_page(page: Page, address: str) -> Page:
    """Go to the first page of a game; the page itself is returned."""
    page.goto(f"{address}/index.html")
    page.locator(".rival").first.wait_for()
    return page


def pile(page: Page) -> str:
    """The card on the discard pile."""
    return page.locator('[data-key="discard"]').get_attribute("aria-label") or ""


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_every_rival_plays_in_the_page(game: str, skyjo: str, opens: Opens) -> None:
    page = first_page(opens(), f"{skyjo}/../{game}")
    assert page.locator(".rival:enabled").count() == len(find_interface(game).rivals)


def test_settings_lie_in_one_place_on_every_page(skyjo: str, opens: Opens) -> None:
    page = opens()
    corners = set()
    for name in PAGES:
        page.goto(f"{skyjo}/{name}.html")
        box = page.get_by_role("button", name="Settings").bounding_box()
        corners.add(box and (box["x"], box["width"]))
    assert len(corners) == 1
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("dark", exact=True).check()
    page.get_by_label("Tap twice").check()
    check_barriers(page)
    page.goto(f"{skyjo}/index.html")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_challenge_deals_the_same_cards_in_another_browser(skyjo: str, opens: Opens) -> None:
    page = first_page(opens(), skyjo)
    page.get_by_role("button", name="Make a challenge").click()
    address = page.get_by_label("Address of the challenge").input_value()
    check_barriers(page)
    page.get_by_role("button", name="Play it myself").click()
    wait(page)
    friend = opens()
    friend.goto(address)
    wait(friend)
    assert pile(friend) == pile(page)
    assert friend.locator("#others .name").inner_text() == page.locator("#others .name").inner_text()


def test_a_damaged_challenge_is_refused(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/{CHALLENGE.replace('seed=7', 'seed=x')}")
    page.get_by_text("The address of this challenge is damaged.").wait_for()
    page.goto(f"{skyjo}/{CHALLENGE.replace('hurried', 'nobody')}")
    page.get_by_text("agent nobody cannot play here").wait_for()
    assert page.locator(".rival").count() == 4


def test_a_table_that_is_over_can_be_given_to_a_friend(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/{CHALLENGE}")
    wait(page)
    assert page.get_by_role("button", name="Challenge").count() == 0
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Challenge").click()
    address = page.get_by_label("Address of the challenge").input_value()
    assert f"seed={SEED}&" in address
    assert "episode=round" in address


def test_todays_deal_is_played_without_help_and_its_table_shows_what_it_brought(skyjo: str, opens: Opens) -> None:
    page = first_page(opens(), skyjo)
    page.get_by_role("button", name="Play today’s deal").click()
    wait(page)
    assert page.locator("#round").inner_text() == "Today’s deal"
    assert page.locator("#hint, #undo").and_(page.locator(":visible")).count() == 0
    play(page)
    page.locator("#daily-result").get_by_text(re.compile("Without luck you were .* in your seat, was")).wait_for()


def test_hints_name_the_places_and_point_at_them(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/{CHALLENGE}")
    wait(page)
    for cell in (0, 4):
        page.locator(f'#own [data-key="cell-{cell}"]').click()
    wait(page)
    page.locator('[data-key="draw"]').click()
    page.get_by_role("button", name="Hint").click()
    lines = page.locator(".advice li")
    lines.first.wait_for()
    words = lines.locator("span:first-child").all_inner_texts()
    assert len(set(words)) == len(words) > 1
    assert all("column" in line for line in words)
    lines.nth(1).hover()
    assert page.locator("[data-pointed]").count() >= 1
    page.mouse.move(0, 0)
    assert page.locator("[data-pointed]").count() == 0


def test_new_seats_are_taken_by_one_rival_after_the_other(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/index.html#custom")
    for _ in range(3):
        page.get_by_role("button", name="Add a seat").click()
    seats = page.locator("#seats select").evaluate_all("all => all.map((one) => one.selectedOptions[0].text)")
    names = [f"{one.name}, {one.level}" for one in find_interface("skyjo").rivals]
    assert seats == ["Me, or someone here", *names]


def test_no_review_and_no_luck_is_promised_where_there_is_none(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/../skyjo_action/ladder.html")
    page.get_by_text("You will then see here how far ahead you were").wait_for()
    assert "luck" not in page.locator("main").inner_text()
    deal(page, f"{skyjo}/../skyjo_action", "you", "greedy")
    play(page)
    page.get_by_role("button", name="Rematch").wait_for()
    assert page.get_by_role("button", name="Review").count() == 0


def test_the_ladder_lists_whom_one_can_play_against(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/ladder.html")
    page.locator("#rungs li").first.wait_for()
    names = page.locator("#rungs .who").all_inner_texts()
    assert page.locator("#rungs button").count() == len(names) == len(set(names))
