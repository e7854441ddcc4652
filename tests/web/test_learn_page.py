"""The page on which somebody learns a game, by any means; and all pages in a browser that lets them keep nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Opens
from tests.web.page_checks import SECONDS, check_barriers
from tests.web.page_player import asked, choose_theme, deal, play

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import Opens

pytestmark = pytest.mark.web


def learn(page: Page, address: str, part: str = "") -> Page:
    """Open the page at a part, and wait for it; the page itself is returned."""
    page.goto("about:blank")
    page.goto(f"{address}/learn.html{part}")
    page.wait_for_selector("[role=tabpanel]:not([hidden]) h2")
    return page


def answers(page: Page) -> Any:
    """The values of the choices of the puzzle that is shown, the best first."""
    return asked(page, f"/api/learn/puzzles/{int(page.url.rpartition('-')[2]) - 1}", {"action": 0})


def test_a_whole_course_works_by_keyboard_alone(skyjo: str, opens: Opens) -> None:
    page = learn(opens(), skyjo)
    for keys in ("qs", "ta", "dxq", "tz", "tf"):
        for key in keys:
            page.wait_for_selector("#ask[data-mine]")
            before = page.locator("#felt").get_attribute("data-seq")
            page.keyboard.press(key)
            if key not in "tx":
                page.wait_for_selector(f'#felt:not([data-seq="{before}"])')
        page.get_by_text("Well done.").wait_for()
        if keys != "tf":
            page.keyboard.press("Enter")
            page.wait_for_selector(".task")
    expect(page.locator(":focus")).to_have_text("Play a game")
    page.get_by_role("link", name="Puzzles").wait_for()


def test_a_step_that_is_begun_again_shows_nothing_more_of_before(skyjo: str, opens: Opens) -> None:
    page = opens(reduced_motion="no-preference")
    page.clock.install(time=0)
    learn(page, skyjo, "#steps-2")
    page.clock.pause_at(3600)
    page.locator('[data-key="discard"]').click()
    page.locator('#own [data-key="cell-1"]').click()
    page.wait_for_selector('#felt[data-seq="2"]')  # the rival's decisions follow, one after the other
    page.get_by_role("button", name="Start again").click()
    page.wait_for_selector('#felt[data-seq="0"]')
    page.clock.run_for(5 * SECONDS)
    expect(page.locator("#felt")).to_have_attribute("data-seq", "0")


def test_a_wrong_press_says_what_to_do_and_deals_the_step_again(skyjo: str, opens: Opens) -> None:
    page = learn(opens(), skyjo, "#steps-2")
    page.locator('[data-key="draw"]').click()
    page.locator("#alert:has-text('dealt again. Press the −1 on the discard pile')").wait_for()
    expect(page.locator("#felt")).to_have_attribute("data-seq", "0")
    page.keyboard.press("a")
    page.locator("#alert:has-text('Draw a card or take the discard first. Press the −1')").wait_for()
    for place, wanted in ((0, "#alert:has-text('dealt again')"), (1, ".done-words")):
        page.locator('[data-key="discard"]').click()
        page.wait_for_selector("#middle [data-taken]")
        page.locator(f'#own [data-key="cell-{place}"]').click()
        page.wait_for_selector(wanted)


def test_right_answers_make_a_row_that_is_kept_and_a_wrong_one_ends_it(skyjo: str, opens: Opens) -> None:
    page = learn(opens(), skyjo, "#puzzles")
    page.wait_for_selector(".task")
    choose_theme(page, "take")
    page.get_by_role("heading", name="Draw or take?").wait_for()
    for row in (1, 2):
        page.wait_for_selector(".task")
        best = answers(page)["choices"][0]["name"]
        if best == "take":
            page.keyboard.press("t")
        card = page.locator('[data-key="draw"]' if best == "draw" else "#own .card:not([aria-disabled])").first
        card.evaluate("(card) => { card.click(); card.click(); }")  # the second press counts for nothing
        page.get_by_text("Right.").wait_for()
        expect(page.locator(".streak b")).to_have_text([str(row), str(row), str(row)])
        page.wait_for_selector("#arrows .best")
        expect(page.locator(".worths th")).to_have_text(["Choice", "Points"])  # nobody knows chances of winning
        page.keyboard.press("Enter")
    page.wait_for_selector(".task")
    worst = answers(page)["choices"][-1]["name"]
    page.keyboard.press("d" if worst == "draw" else "t")
    if worst == "take":
        page.locator("#own .card:not([aria-disabled])").first.click()
    page.get_by_text("Not the best").wait_for()
    learn(page, skyjo, "#puzzles")
    expect(page.locator(".streak b")).to_have_text(["0", "2", "2"])


def test_a_clause_is_linked_and_found_and_the_help_has_them_all(skyjo: str, opens: Opens) -> None:
    page = learn(opens(), skyjo, "#rules-7.6")
    expect(page.locator("[id='rules-7.6']")).to_contain_class("here")
    page.get_by_label("Find a word").fill("doubled")
    expect(page.locator("[id='rules-1.1']")).to_be_hidden()
    learn(page, skyjo)
    page.keyboard.press("?")
    page.get_by_text("The rules, clause by clause").click()
    page.locator("dialog").get_by_text("7. End of a round").click()
    page.locator("dialog").get_by_text("7.6", exact=True).wait_for()
    check_barriers(page)


@pytest.mark.parametrize("game", ["skipbo", "skyjo_action"])
def test_the_other_games_teach_five_steps_too(game: str, request: pytest.FixtureRequest, opens: Opens) -> None:
    page = learn(opens(), request.getfixturevalue(game))
    expect(page.locator(".dots button")).to_have_count(5)
    page.wait_for_selector("#own .card")
    expect(page.get_by_role("tab", name="Puzzles")).to_have_count(int(game == "skipbo"))


def test_a_wild_card_on_a_building_pile_shows_the_rank_that_it_stands_for(skipbo: str, opens: Opens) -> None:
    page = learn(opens(), skipbo, "#steps-3")
    pile = page.locator('[data-key="building-0"]')
    for card, label in (("6", "6, next 7"), ("wild", "wild as 7, next 8")):
        page.get_by_role("button", name=f"hand, {card}", exact=True).click()
        pile.click()
        page.get_by_role("button", name=f"building pile 1, {label}", exact=True).wait_for()
    expect(pile.locator(".number")).to_have_text("7")
    expect(pile).to_have_attribute("data-band", "wild")


def test_an_action_card_is_played_by_a_button(skyjo_action: str, opens: Opens) -> None:
    page = learn(opens(), skyjo_action, "#steps-5")
    page.locator('#own [data-key="held-0"]').click()
    page.get_by_role("button", name="Play double").click()
    page.wait_for_selector(".done-words")


REFUSED = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError') }})"


@pytest.fixture
def page(opens: Opens) -> Page:
    """A page that complains, as `opens` would tell, if anything raises."""
    found = opens()
    found.add_init_script(REFUSED)
    return found


def test_every_page_opens(skyjo: str, page: Page) -> None:
    for path in ("index.html", "index.html#custom", "learn.html", "games.html", "ladder.html"):
        page.goto("about:blank")
        page.goto(f"{skyjo}/{path}")
        page.locator("h1, h2").first.wait_for()
        page.wait_for_load_state("networkidle")


def test_a_round_is_played_and_what_is_set_holds_for_the_page(skyjo: str, page: Page) -> None:
    deal(page, skyjo, "you", "random")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("dark", exact=True).check()
    page.get_by_label("instant").check()
    page.get_by_label("Developer tools").check()
    page.get_by_label("Single-key shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#inspector")).to_be_visible()
    before = page.locator("#felt").get_attribute("data-seq")
    page.keyboard.press("q")
    expect(page.locator("#felt")).to_have_attribute("data-seq", before)
    play(page)
