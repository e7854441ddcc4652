"""The ladder's page in a browser: the agents, a table against one of them, and the visitor's own games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import Opens
from tests.web.page_player import deal, play_round, wait

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.web


def visit(page: Page, address: str) -> Page:
    """Go to the ladder, and wait until all of it is there; the page itself is returned."""
    page.goto(f"{address}/ladder")
    page.wait_for_selector("#rungs li")
    page.wait_for_selector("#own:not([hidden]) #working[hidden]", state="attached")
    return page


def test_the_ladder_shows_who_is_strong_at_tables_of_each_size(skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo)
    ladder = page.request.get(f"{skyjo}/api/ladder").json()
    for table in ladder["tables"]:
        page.get_by_role("radio", name=str(table["players"]), exact=True).check()
        assert page.locator("#rungs h3").count() == len(table["rows"])
        ratings = [f"{row['rating']:.0f}".replace("-", "−") for row in table["rows"]]
        assert page.locator("#rungs .rating strong").all_inner_texts() == ratings
        assert page.locator("#rungs svg").count() == len(ratings)
        assert all(words for words in page.locator("#rungs .who .note").all_inner_texts())
        exact = [name.get_attribute("title") for name in page.locator("#rungs h3").all()]
        assert exact == [row["agent"] for row in table["rows"]]


def test_own_games_are_shown_once_the_agents_above_them_are(skyjo: str, opens: Opens) -> None:
    page, held = opens(), list[Any]()
    page.route("**/api/ladder*", lambda route: held.append(route))
    page.goto(f"{skyjo}/ladder")
    page.wait_for_selector("#working[hidden]", state="attached")
    assert page.locator("#own").is_hidden()
    held[0].continue_()
    page.locator("#own").wait_for()
    assert page.locator("#rungs li").count() > 0


def test_a_round_against_an_agent_is_one_press_away_and_then_among_the_own_games(skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo)
    page.get_by_text("None of your games counts yet.").wait_for()
    page.get_by_role("radio", name="3", exact=True).check()
    page.get_by_role("button", name="Play against it: random").click()
    page.wait_for_url("**/t/*")
    wait(page)
    table = page.url
    assert page.locator("#round").inner_text() == "One round"
    assert page.locator("#others .seat").count() == 2
    visit(page, skyjo)
    assert page.locator("#games li").count() == 0  # it is not over
    page.goto(table)
    wait(page)
    play_round(page)
    visit(page, skyjo)
    (game,) = page.request.get(f"{skyjo}/api/own").json()["games"]
    line = page.locator("#games li")
    assert line.locator("a").get_attribute("href") == f"/t/{game['table']}"
    assert line.locator("a strong").inner_text().lower() == game["words"]
    shown = [float(text.replace("−", "-")) for text in line.locator(".figure strong").all_inner_texts()]
    assert shown == pytest.approx([game["margin"], game["luck"], game["margin"] - game["luck"]], abs=0.051)
    assert "after 1 round." in page.locator("#verdict").inner_text()
    assert "4 more rounds" in page.locator("#meaning").inner_text()
    assert not page.locator("#none").is_visible()
    page.get_by_text("What counts, and how luck is subtracted").click()
    assert page.get_by_text("its luck may differ by a few tenths").is_visible()


def test_the_own_total_has_an_interval_after_five_rounds(skyjo: str, opens: Opens) -> None:
    page = opens()
    for _ in range(5):
        deal(page, skyjo, "you", "random", rules="rows=2 columns=2 opening_flips=1")
        play_round(page)
    visit(page, skyjo)
    total = page.request.get(f"{skyjo}/api/own").json()["total"]
    mean, half = (f"{abs(number):.1f}" for number in total["without_luck"])
    fair = page.locator("#figures .fair").inner_text()
    assert mean in fair
    assert f"± {half}" in fair
    assert f"{mean} points a round" in page.locator("#verdict").inner_text()
    assert page.locator("#games li").count() == 5


def test_a_ladder_that_does_not_come_is_said_so_and_own_games_are_shown(skyjo: str, opens: Opens) -> None:
    page = opens()
    answer = '{"error":"the ladder cannot be read"}'
    page.route("**/api/ladder?*", lambda route: route.fulfill(body=answer, content_type="application/json"))
    page.goto(f"{skyjo}/ladder")
    page.get_by_role("alert").get_by_text("The ladder cannot be read").wait_for()
    page.get_by_text("None of your games counts yet.").wait_for()
    assert not page.locator("#agents").is_visible()


def test_the_ladder_is_used_with_the_keyboard_alone(skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo)
    page.get_by_role("radio", name="2", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    first = page.locator("#rungs h3").first.inner_text()
    assert page.evaluate("document.activeElement.ariaLabel") == f"Play against it: {first}"
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
