"""The library and the page of a game in a browser: replay, analysis, quiz, and playing on."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import skipbo_env
import skyjo_action_env
import skyjo_env
from cardtable.table.game.records import shared_text
from tests.helpers import play_at_random
from tests.web.conftest import Opens
from tests.web.page_checks import SECONDS
from tests.web.page_player import GAME, TABLE, asked, number, seq

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.web

SMALL = "rows=2 columns=2 opening_flips=1"
THINKING = 240 * SECONDS  # to compile and to judge


@pytest.fixture(scope="module")
def record() -> str:
    """A round of Skyjo played at random, so there are blunders in it, as JSON, which both sites open."""
    game = skyjo_env.Game(seed=2, episode="round")
    play_at_random(game, random.Random(2), 10_000)
    return shared_text(game.record())


def paste(page: Page, address: str, text: str) -> Page:
    """Open a text on the page of the library, and wait for the cards; the page itself is returned."""
    page.goto(f"{address}/games.html")
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_selector("#own .card")
    return page


def moves(page: Page) -> int:
    """How many decisions there are."""
    return int(page.locator("#at").get_attribute("max") or 0)


def stands_at(page: Page, decision: int) -> None:
    """Wait until the cards are those before this decision, counted from 1."""
    page.wait_for_selector(f'#felt[data-seq="{decision - 1}"]')
    expect(page.locator("#place")).to_have_text(re.compile(f"^Move {decision} of "))


def analyse(page: Page) -> None:
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("tab", name="mistake").wait_for(timeout=THINKING)


def marked(page: Page) -> Locator:
    """The marked decisions, which have a list of their own."""
    page.get_by_role("tab", name="mistake").click()
    return page.locator("#marked button")


def test_a_game_is_replayed_by_mouse_and_seen_by_any_seat(either: str, opens: Opens, record: str) -> None:
    page = paste(opens(), either, record)
    stands_at(page, 1)
    page.get_by_role("button", name="One move forward").click()
    stands_at(page, 2)
    expect(page.locator("#told")).to_have_text(re.compile("^Seat "))
    page.get_by_role("button", name="Last move").click()
    page.locator("#ending").get_by_role("heading").wait_for()
    expect(page.locator("#place")).to_have_text(re.compile("^The end"))
    page.get_by_role("button", name="One move back").click()
    page.wait_for_selector("#ending[hidden]", state="attached")
    page.get_by_role("button", name="First move").click()
    stands_at(page, 1)
    expect(page.locator("#own .name")).to_have_text("seat 1")
    page.get_by_label("Seen by").select_option("1")
    page.wait_for_selector("#own .name:has-text('seat 2')")
    expect(page.locator('.card[data-key^="cell-"][data-band="back"]')).to_have_count(24)
    page.get_by_label("Show all cards").check()
    expect(page.locator(".card[data-under]")).to_have_count(24)
    expect(page.locator("#own .card").first).to_have_attribute("aria-label", re.compile("underneath"))
    box = page.locator("#at").bounding_box()
    assert box is not None
    page.locator("#at").click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    page.wait_for_selector('#felt:not([data-seq="0"])')
    assert abs(int(seq(page)) - moves(page) / 2) < 2


def test_a_game_is_replayed_by_keys_and_the_address_follows_and_leads(skyjo: str, opens: Opens, record: str) -> None:
    page = paste(opens(), skyjo, record)
    other = page.context.new_page()
    pages_before = page.evaluate("history.length")
    for key, decision in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        page.keyboard.press(key)
        stands_at(page, decision)
    page.wait_for_url("**#2")
    page.keyboard.press("ArrowDown")
    page.locator("#ending").get_by_role("heading").wait_for()
    page.keyboard.press("Home")
    stands_at(page, 1)
    page.get_by_label("Speed").select_option("8")
    page.locator("#felt").click(position={"x": 5, "y": 5})
    page.keyboard.press("p")
    page.get_by_role("button", name="Pause").wait_for()
    page.wait_for_selector('#felt:not([data-seq="0"])')
    page.keyboard.press("p")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.keyboard.press("End")
    page.wait_for_selector("#ending:not([hidden])")
    assert page.evaluate("history.length") == pages_before
    other.goto(f"{page.url.partition('#')[0]}#7")
    stands_at(other, 7)
    other.evaluate("location.hash = '#4.5'")
    stands_at(other, 4)


def test_a_file_is_opened_and_listed_and_what_is_no_game_refused_in_words(
    skyjo: str, opens: Opens, record: str
) -> None:
    page = opens()
    page.goto(f"{skyjo}/games.html")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("^Paste a game"))
    chosen = page.get_by_label("Choose a file")
    chosen.set_input_files({"name": "long.txt", "mimeType": "text/plain", "buffer": b"x" * 200_000})
    page.get_by_text("This text has 200 kB; at most 100 kB can be opened.").wait_for()
    assert page.url.endswith("/games.html")
    chosen.set_input_files({"name": "game.txt", "mimeType": "text/plain", "buffer": record.encode()})
    page.wait_for_url(GAME)
    page.wait_for_selector("#own .card")
    page.goto(f"{skyjo}/games.html")
    page.locator("#kept a").click()
    page.wait_for_selector("#own .card")


def test_a_store_is_listed_page_by_page_and_a_game_of_it_opened(served_skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{served_skyjo}/games.html")
    page.locator("#stores summary").click()
    page.get_by_text("1 to 50 of 60").wait_for()
    page.get_by_role("button", name="Later games").click()
    page.get_by_text("51 to 60 of 60").wait_for()
    expect(page.locator("#stores .shelf button")).to_have_count(10)
    page.locator("#stores .shelf button").first.click()
    page.wait_for_url(GAME)
    page.wait_for_selector("#own .card")


def test_a_game_is_analysed_marked_and_checked(skyjo: str, opens: Opens, record: str) -> None:
    page = paste(opens(), skyjo, record)
    expect(page.locator("#moves button")).to_have_count(moves(page))
    page.locator('#moves [data-at="30"]').click()
    stands_at(page, 31)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('#moves [data-at="31"][aria-current]')
    analyse(page)
    marks = marked(page).count()
    assert marks > 5
    expect(page.locator("#marks .mark")).to_have_count(marks)
    expect(page.locator("#moves [data-mark]")).to_have_count(marks)
    reasons = page.locator("#marked .why").all_inner_texts()
    assert all(reason.startswith("Better: ") for reason in reasons)
    assert any("replaces the" in reason for reason in reasons)
    signs = page.locator("#marked .sign").all_inner_texts()
    assert signs == sorted(signs, key=["??", "?", "?!"].index)
    page.locator("#marked button").first.click()
    expect(page.locator(".worths .played")).to_have_count(1)
    expect(page.locator(".worths .best")).to_have_count(1)
    expect(page.locator(".verdict")).to_contain_text("gave away")
    page.locator("details.note summary").click()
    expect(page.locator("details.note li").first).to_contain_text("+")
    page.wait_for_selector("#arrows .best")
    page.get_by_role("tab", name="Summary").click()
    expect(page.locator("#summary-sheet")).to_contain_text("may differ by a few tenths of a point")
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    middle = int(moves(page) / 2)
    page.wait_for_function(f"() => Math.abs(document.querySelector('#felt').dataset.seq - {middle}) < 2")
    page.get_by_text("The graph in numbers").click()
    page.wait_for_selector("#summary-sheet tbody tr >> nth=50")
    page.get_by_role("button", name="Analyse deeper").click()
    page.get_by_text("unclear moves analysed").wait_for(timeout=THINKING)
    expect(page.get_by_role("button", name="Retry")).to_be_hidden()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped. The results so far are kept.").wait_for(timeout=THINKING)
    expect(page.get_by_role("button", name="Retry")).to_be_visible()


def test_a_position_shows_at_once_what_its_choices_are_worth_and_equal_ones_are_one_line(
    served_skyjo: str, opens: Opens
) -> None:
    game = skyjo_env.Game(seed=4, episode="round")
    game.apply(14)
    page = paste(opens(), served_skyjo, game.position())
    page.locator(".worths .best").wait_for(timeout=THINKING)
    page.wait_for_selector("#arrows .best")
    expect(page.locator("#player")).to_be_hidden()
    assert page.locator(".worths tbody tr").count() <= 4
    several = page.locator(".worths button:has-text(' or ')").first
    several.focus()
    named = re.findall(r"column ([^;]*?), row ([^;]*)", several.inner_text())
    said = sum(len(re.findall(r"\d", columns)) * len(re.findall(r"\d", rows)) for columns, rows in named)
    assert said > 1
    expect(page.locator("#arrows .tried")).to_have_count(said)


def test_a_game_of_skyjo_action_is_analysed_with_intervals(skyjo_action: str, opens: Opens) -> None:
    game = skyjo_action_env.Game(seed=1, episode="round")
    play_at_random(game, random.Random(1), 12)
    page = paste(opens(), skyjo_action, shared_text(game.record()))
    analyse(page)
    marked(page).first.click()
    expect(page.locator(".verdict")).to_contain_text("gave away")
    expect(page.locator(".worths .played")).to_have_text(re.compile(r" ± \d"))


def test_a_game_that_nobody_can_judge_says_so_and_offers_no_analysis(skipbo: str, opens: Opens) -> None:
    page = paste(opens(), skipbo, shared_text(skipbo_env.Game("stock=30 view=own max_rounds=1").record()))
    expect(page.get_by_text("Games by these rules can be replayed, but not analysed")).to_be_visible()
    expect(page.get_by_role("button", name="Analyse")).to_have_count(0)


def test_two_presses_start_one_quiz_that_ends_with_its_score(skyjo: str, opens: Opens, record: str) -> None:
    page = paste(opens(), skyjo, record)
    analyse(page)
    page.get_by_role("button", name="Retry").evaluate("(button) => { button.click(); button.click(); }")
    page.wait_for_selector("#ask[data-mine]")
    expect(page.locator("#quiz")).to_have_count(1)
    page.get_by_role("button", name="End the quiz").click()
    page.get_by_role("tab", name="mistake").wait_for()


def test_marked_decisions_are_made_again(skyjo: str, opens: Opens, record: str) -> None:
    page = paste(opens(), skyjo, record)
    analyse(page)
    page.get_by_role("button", name="Retry").click()
    for question in (1, 2):
        page.get_by_role("heading", name=f"Question {question} of ").wait_for()
        page.wait_for_selector("#ask[data-mine]")
        expect(page.locator(":focus")).to_have_text(re.compile(f"^Question {question} of "))
        seat = page.locator("#own .name").inner_text()
        expect(page.locator("#question")).to_have_text(re.compile(f"^You are {seat}."))
        legal = page.locator("#own .card:not([aria-disabled])")
        (legal if legal.count() else page.locator('[data-key="draw"]')).first.click()
        page.locator("#quiz .verdict").wait_for()
        expect(page.locator("#quiz .answers .worth")).to_have_count(3)
        expect(page.locator("#quiz .why")).to_have_text(re.compile("^Better: "))
        page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="End the quiz").click()
    page.wait_for_selector("#moves-sheet")
    expect(page.locator("#quiz")).to_have_count(0)


def test_a_game_goes_on_from_a_decision_at_a_practice_table(skyjo: str, opens: Opens, record: str) -> None:
    page = paste(opens(), skyjo, record)
    decisions = asked(page, f"/api/games/{number(page)}")["decisions"]
    first = next(at for at in range(8, 40) if decisions[at]["seat"] == 0)
    page.goto(f"{page.url.partition('#')[0]}#{first + 1}")
    stands_at(page, first + 1)
    cards = _cards(page)
    page.get_by_role("button", name="Play on").click()
    expect(page.locator("dialog option:checked")).to_have_text(["Me", "expected"])
    page.locator("dialog").get_by_role("button", name="Play on").click()
    page.wait_for_url(TABLE)
    page.wait_for_selector("#practice:not([hidden])")
    page.wait_for_selector("#ask[data-mine]")
    assert _cards(page) == cards


def _cards(page: Page) -> list[list[str]]:
    """The numbers on the cards of all seats, whoever sits below."""
    return sorted(seat.locator(".card .number").all_inner_texts() for seat in page.locator(".seat").all())
