"""The table in a browser: what is asked, told, refused, taken back and inspected, by mouse, keyboard and finger."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import skyjo_action_env
from tests.web.conftest import Opens
from tests.web.page_checks import PHONE, check_barriers, check_width
from tests.web.page_player import (
    AT_ONCE,
    LEGAL,
    asked,
    asks,
    deal,
    going_on,
    hidden_cell,
    is_over,
    number,
    open_cards,
    play,
    press,
    seq,
    switch_on_second_taps,
    tap,
    wait,
    watch,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.web

DELETE = 'async (path) => (await import("../pages/server.js")).answered(path, undefined, "DELETE")'
SMALL = "rows=2 columns=2 opening_flips=1"


def test_single_rules_are_changed_in_a_form_and_as_text(served_skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{served_skyjo}/blank.html")
    page.evaluate("localStorage.setItem('skyjo.developer', 'true')")
    page.goto(f"{served_skyjo}/index.html#custom")
    page.get_by_text("Change individual rules").click()
    page.get_by_label("Rows of a board").fill("2")
    page.get_by_label("Complete lines leave").select_option("confirm")
    text = page.get_by_label("Rules as text")
    expect(text).to_have_value("rows=2 clear=confirm")
    text.fill("columns=2 opening_flips=1")
    expect(page.get_by_label("Rows of a board")).to_have_value("3")
    expect(page.get_by_label("Columns of a board")).to_have_value("2")
    page.get_by_label("Preset").select_option("reichel")
    expect(page.get_by_label("Flipping a card")).to_have_value("none")
    page.get_by_label("Preset").select_option("official")
    page.get_by_label("Rows of a board").fill("2")
    check_barriers(page)
    page.get_by_role("button", name="Deal the cards").click()
    page.wait_for_selector("#ask[data-mine]", state="attached")
    expect(page.locator("#own .card")).to_have_count(8)


def test_a_taken_discard_is_let_go_with_escape_and_sent_with_its_place(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "you")
    open_cards(page)
    before, top = seq(page), page.locator('[data-key="discard"] .number').inner_text()
    page.keyboard.press("t")
    expect(page.locator("#question")).to_have_text(f"Choose a place for the {top}.")
    caption = page.locator("#middle .caption").nth(1)
    expect(caption).to_have_text("Taking it …")
    page.keyboard.press("Escape")
    expect(caption).to_have_text("Discard")
    expect(page.locator("#question")).to_have_text(re.compile("^Draw a card"))
    assert seq(page) == before
    page.keyboard.press("t")
    page.keyboard.press("f")
    page.wait_for_selector(f'#felt[data-seq="{int(before) + 2}"]')
    expect(page.locator("#story li").first).to_contain_text(f"took {top}")


def test_focus_stays_on_its_cell_arrows_walk_and_single_keys_can_be_switched_off(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    first = page.get_by_role("button", name="column 1, row 1, hidden").and_(page.locator("#own button"))
    first.focus()
    with going_on(page):
        page.keyboard.press("Enter")
    focused = page.locator("#own :focus")
    expect(focused).to_have_attribute("aria-label", re.compile("^column 1, row 1, open"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", re.compile("^column 2, row 2"))
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    wait(page)
    before = seq(page)
    page.keyboard.press("s")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    assert seq(page) == before


def test_a_table_that_another_page_deletes_says_so(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    other = page.context.new_page()
    other.goto(f"{skyjo}/games.html")
    other.evaluate(DELETE, f"/api/tables/{number(page)}")
    page.get_by_role("heading", name="This table has been deleted.").wait_for()
    expect(page.locator("#felt")).to_be_hidden()
    expect(page.locator("#hint")).to_be_hidden()
    check_barriers(page)
    page.get_by_role("link", name="Back to the first page").click()
    page.wait_for_url(f"{skyjo}/index.html")


def test_a_refused_press_is_said_aloud_and_undo_waits_and_marks_practice(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    page.get_by_role("button", name="draw pile").click(force=True)  # it says itself that it is disabled
    expect(page.get_by_role("alert")).to_have_text("You can’t do that now.")
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    press(page, "cell-0")
    page.wait_for_selector("#undo:not([aria-disabled])")
    page.keyboard.press("u")
    page.wait_for_selector("#practice:not([hidden])")
    expect(page.locator("#own .card:not([data-band=back])")).to_have_count(0)


def test_a_key_after_the_end_of_a_round_leaves_all_as_it_is_and_begins_nothing(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "you", rules=SMALL, episode="game")
    play(page, is_done=lambda: page.locator("#ending").is_visible())
    before = page.locator("#felt .seat").all_inner_texts()
    expect(page.locator("#ending h2")).to_have_text(re.compile("wins? the round, "))
    page.keyboard.press("t")  # to discard, a moment ago
    expect(page.locator("#felt .seat")).to_have_text(before, use_inner_text=True)
    _check_points(page)
    with going_on(page):
        page.keyboard.press("u")
    expect(page.locator("#ending")).to_be_hidden()
    expect(page.locator("#middle [data-chosen]")).to_have_count(0)


def _check_points(page: Page) -> None:
    """The end of the round shows all cards, their sums, and the scores where these are doubled."""
    for seat, score in enumerate(map(_number, page.locator("#scores tbody td").all_inner_texts())):
        place = page.locator(f'[data-seat="{seat}"]')
        points, *doubled = map(_number, place.locator(".sum").inner_text().split(" → "))
        assert sum(_number(card) for card in place.locator(".grid .number").all_inner_texts() if card) == points
        assert score == (doubled or [points])[0]
        assert score in (points, 2 * points)


def _number(text: str) -> int:
    return int(text.replace("−", "-"))


def test_against_other_people_there_is_no_undo_no_hint_and_no_giving_up(served_skyjo: str, opens: Opens) -> None:
    page = deal(opens(), served_skyjo, "you", "open", "random", wanted="#invitation:not([hidden])")
    expect(page.locator("#undo")).to_be_hidden()
    expect(page.locator("#hint")).to_be_hidden()
    page.keyboard.press("h")
    expect(page.locator("#advice")).to_be_hidden()
    expect(page.get_by_role("button", name="Give up")).to_have_count(0)


def test_arrows_and_digits_walk_over_the_cards_of_skipbo(skipbo: str, opens: Opens) -> None:
    page = deal(opens(), skipbo, "you", "random", rules="stock=5")
    keys, focused = page.keyboard, page.locator(":focus")
    keys.press("1")
    for key, place in (("", "stock"), ("ArrowRight", "pile-0"), ("ArrowDown", "hand-1"), ("ArrowUp", "pile-0")):
        if key:
            keys.press(key)
        expect(focused).to_have_attribute("data-key", place)
    keys.press("2")
    expect(page.locator("#others :focus")).to_have_attribute("data-key", "stock")
    page.locator('[data-key="building-0"]').focus()
    keys.press("ArrowRight")
    expect(focused).to_have_attribute("data-key", "building-1")
    for part in ("#own", "#middle"):
        expect(page.locator(f'{part} [tabindex="0"]')).to_have_count(1)


def test_a_hint_counts_as_its_cards_do_and_tells_alike_choices_once(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    page.evaluate("""async () => {
        const { showAdvice } = await import("../pages/hint.js");
        const rows = [2, 1, 3].map((row) => ({ action: row, words: `flip column 4, row ${row}`, worth: 1.5 }));
        const board = { plain: (words) => words, aheadOf: "somebody" };
        const choices = [...rows, { action: 4, words: "flip column 4, row 4", worth: 1 }];
        showAdvice({ choices, reason: "" }, board);
    }""")
    lines = ["flip column 4, row 1, 2 or 3 best", "flip column 4, row 4 −0.5"]
    expect(page.locator("#advice li")).to_have_text(lines, use_inner_text=True)
    page.get_by_text("With it, expect to be 1.5 points ahead of somebody.").wait_for()
    page.evaluate("""async () => {
        const { showAdvice } = await import("../pages/hint.js");
        const board = { plain: (words) => words, aheadOf: "somebody" };
        showAdvice({ choices: [{ action: 1, words: "draw", worth: -2 }], reason: "" }, board);
    }""")
    page.get_by_text("Expect to be 2.0 points behind somebody.", exact=True).wait_for()
    expect(page.locator("#advice li")).to_have_text("draw", use_inner_text=True)
    page.get_by_role("button", name="Close the hint").click()
    expect(page.locator("#advice")).to_be_hidden()


def test_a_round_of_skyjo_action_ends_with_scores_that_add_up(skyjo_action: str, opens: Opens) -> None:
    page, asked = deal(opens(**PHONE), skyjo_action, "you", "random"), set[str]()

    def is_done() -> bool:
        asked.add(page.locator("#question").inner_text().split(":")[0])
        return is_over(page)

    check_barriers(page)
    play(page, tap, is_done, odd=0.6, seed=5)
    assert {"Swap", "Exchange", "Look", "Remove", "Steal", "Replay"} & asked
    check_width(page)
    for seat in page.locator("[data-seat]").all():
        _check_breakdown(seat)
    check_barriers(page)


def test_an_action_card_says_what_it_does_before_it_is_taken(skyjo_action: str, opens: Opens) -> None:
    page, alert = deal(opens(**PHONE), skyjo_action, "you", "random"), "#alert:not(:empty)"
    kinds = page.evaluate("import('../pages/boards/skyjo_action_kinds.js').then(({MEANINGS}) => Object.keys(MEANINGS))")
    assert kinds == ["pile", *skyjo_action_env.KINDS]
    cards = [page.locator(f'[data-key="{key}"]') for key in ("open-0", "pile")]
    cards[0].tap(force=True)
    kind = cards[0].inner_text().splitlines()[-1]
    page.locator(alert, has_text=re.compile(f"^{kind}", re.IGNORECASE)).wait_for()
    while "Flip" in page.locator("#question").inner_text():
        press(page, f"cell-{hidden_cell(page)}")
    while page.locator("#choices", has_text="Take none").count():  # once for every star turned up
        with going_on(page):
            page.get_by_role("button", name="Take none").click()
    cards[1].tap()
    page.locator(alert, has_text="Action pile").wait_for()
    expect(page.locator(alert)).to_have_text(re.compile(r"Press again to take it\.$"))
    expect(page.locator("#own .held .card")).to_have_count(0)
    with going_on(page):
        cards[1].tap()
    expect(page.locator("#own .held .card")).to_have_count(1)
    page.locator("#own .held .card").hover(force=True)
    page.wait_for_selector("#own .held .card[title]")


def _check_breakdown(seat: Locator) -> None:
    """The score of a seat is the sum of what is said under its cards or, where nothing is, of the cards."""
    score = int(seat.locator(".sum").inner_text().replace("−", "-").split(" = ")[-1])
    cards = seat.locator(".number").all_inner_texts()
    on_cards = sum(int(text.replace("−", "-")) for text in cards[:12] if text.strip("★"))
    line = seat.locator(".breakdown")
    said = line.inner_text().replace("−", "-") if line.count() else f"{on_cards}"
    parts = [int(part.replace(" ", "")) for part in re.findall(r"^-?\d+|[+-] \d+", said)]
    kept = re.search(r"(\d+) for (\d+) unused action cards?", said)
    assert parts[0] == on_cards
    assert kept is None or int(kept[1]) == 10 * int(kept[2])
    assert sum(parts) * (1 + ("doubled" in said)) == score


def test_a_card_that_was_looked_at_is_marked_for_its_knower(skyjo_action: str, opens: Opens) -> None:
    page, game = opens(), _before_a_look()
    page.goto(f"{skyjo_action}/games.html")
    page.evaluate(AT_ONCE)
    kept = asked(page, "/api/games", {"text": skyjo_action_env.format_record(game.record())})
    start = {"game": kept["id"], "after": len(game.record()["actions"]), "seats": ["you", "random"]}
    page.goto(f"{skyjo_action}/table.html?{asked(page, '/api/tables', start)['id']}")
    page.locator(f"#own .held {LEGAL}", has_text="look").click()
    page.get_by_role("button", name="Play look").click()
    with going_on(page):
        page.locator(f"#own .grid {LEGAL}").first.click()
        page.get_by_role("button", name="Look at the column").click()
    looked_at = page.locator('#own [data-known="only you"]')  # and not by the rival
    expect(looked_at.first).to_have_attribute("aria-label", re.compile("known to you"))


def _before_a_look() -> skyjo_action_env.Game:
    """A game that was played at random until the first seat could look at cards."""
    game, chance = skyjo_action_env.Game(seed=388), random.Random(388)
    names = skyjo_action_env.action_names(game.rules)
    while "play look" not in {names[action] for action in game.legal_actions()}:
        game.apply(chance.choice(game.legal_actions()))
    assert game.seat == 0
    return game


def test_agents_are_watched_paused_and_stepped(skyjo: str, opens: Opens) -> None:
    page = watch(opens(), skyjo)
    page.wait_for_selector("#watch:not([hidden])")
    page.keyboard.press("p")
    page.get_by_role("button", name="Continue").wait_for()
    before = seq(page)
    page.keyboard.press(".")
    page.wait_for_selector(f'#felt[data-seq="{int(before) + 1}"]')
    page.get_by_role("button", name="One move").click()
    page.wait_for_selector(f'#felt[data-seq="{int(before) + 2}"]')
    pace = page.get_by_label("Speed", exact=True)
    pace.select_option("20 moves a second")
    check_barriers(page)
    page.reload()
    page.wait_for_selector("#watch:not([hidden])")
    expect(pace).to_have_value("20")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_selector(f'#felt:not([data-seq="{int(before) + 2}"])')


def _show_inspector(page: Page) -> None:
    """Switch it on, as the settings do, and open it."""
    expect(page.locator("#inspector")).to_be_hidden()
    page.evaluate("localStorage.setItem('skyjo.developer', 'true')")
    page.reload()
    page.locator("#inspector summary").click()


def _inspect(page: Page) -> None:
    _show_inspector(page)
    page.locator(".slices dt").first.wait_for()


def _values(page: Page, name: str) -> Locator:
    return page.locator(f'.slices dt:has(code:text-is("{name}")) + dd')


def test_the_inspector_follows_the_table_and_lends_an_agent(either: str, opens: Opens) -> None:
    page = deal(opens(), either, "you", "random")
    expect(page.locator("#inspector textarea")).to_have_count(0)
    press(page, "cell-0")
    _inspect(page)
    expect(_values(page, "phase")).to_have_text("0")
    expect(page.locator(".legal li").first).to_have_text("15 flip 1")
    press(page, "cell-1")
    page.locator(".legal:not(:has-text('flip 1'))").wait_for()
    card = page.locator('#own [data-key="cell-1"] .number').inner_text().replace("−", "-")
    expect(_values(page, "cells")).to_have_text(re.compile(rf"^\S+ {card} "))
    if "served" in either:
        expect(page.get_by_label("Position")).to_have_value(re.compile(re.escape(f" {card} ?")))
    check_barriers(page)
    page.get_by_label("Let an agent decide for you").select_option("tempo")
    with going_on(page):
        page.get_by_role("button", name="Act once").click()
    expect(page.locator("#practice")).to_be_visible()


def test_who_looks_on_can_lend_nothing_and_is_shown_what_all_see(served_action: str, opens: Opens) -> None:
    page, stranger = deal(opens(), served_action, "you", "open", wanted="#invitation:not([hidden])"), opens()
    stranger.goto(page.url)
    stranger.wait_for_selector("#own .card")
    _show_inspector(stranger)
    stranger.get_by_text("None now.").wait_for()
    expect(stranger.get_by_role("button", name="Act once")).to_be_hidden()
    expect(stranger.locator("#concede")).to_be_hidden()
    expect(stranger.locator(".slices dt")).to_have_count(0)


def test_covered_hands_are_not_inspected_until_they_are_shown(skipbo: str, opens: Opens) -> None:
    page = deal(opens(), skipbo, "you", "you", rules="stock=5", wanted="#uncover:not([hidden])")
    _show_inspector(page)
    page.get_by_text("Your cards are covered.").wait_for()
    expect(page.locator(".slices dt")).to_have_count(0)
    check_barriers(page)
    page.get_by_role("button", name="Show my cards").click()
    page.locator(".slices dt").first.wait_for()
    expect(_values(page, "hand")).to_have_text(re.compile(r"^(\S+ ?){5}$"))
    expect(page.locator("#alert")).to_have_text("")
    check_barriers(page)
    page.locator('#own [data-key="hand-0"]').click()
    page.locator('#own [data-key="pile-1"]').click()
    page.wait_for_selector("#uncover:not([hidden])")
    expect(page.locator(".slices dt")).to_have_count(0)
    expect(page.locator(".legal li")).to_have_count(0)
    expect(page.get_by_label("Position")).to_have_value("")


def test_giving_up_is_asked_once_more_and_ends_the_table(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    expect(page.locator("#rematch")).to_be_hidden()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").wait_for()
    check_barriers(page)
    before = seq(page)
    page.keyboard.press("q")  # goes to no card behind the dialog
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Same cards again").wait_for()
    assert seq(page) == before
    expect(page.locator("#ending-title")).to_have_text("You gave up.")
    expect(page.locator("#concede")).to_be_hidden()
    page.reload()
    page.get_by_role("button", name="Same cards again").click()
    page.wait_for_selector("#ask[data-mine]", state="attached")


def test_a_second_tap_on_a_card_does_what_the_first_one_said(skyjo: str, opens: Opens) -> None:
    page = deal(opens(**PHONE), skyjo, "you", "you")
    _switch_on(page)
    first, second = (page.locator(f'#own [data-key="cell-{cell}"]') for cell in (0, 4))
    first.tap()
    asks(page, "Tap again to flip column 1, row 1.")
    expect(first).to_have_attribute("aria-pressed", "true")
    second.tap()
    asks(page, "Tap again to flip column 2, row 2.")
    expect(page.locator("[aria-pressed]")).to_have_count(1)
    assert seq(page) == "0"
    check_width(page)
    page.locator('[data-key="draw"]').tap(force=True)  # it says itself that it is disabled
    asks(page, "Flip two cards.")
    second.tap()
    asks(page, "Tap again to flip column 2, row 2.")
    page.keyboard.press("Escape")
    expect(page.locator("#question")).to_have_text("Flip two cards.")
    expect(page.locator("[aria-pressed]")).to_have_count(0)
    second.tap()
    second.tap()
    page.wait_for_selector('#felt[data-seq="1"]')
    expect(page.locator("[aria-pressed]")).to_have_count(0)
    page.reload()
    wait(page)
    page.locator(f"#own {LEGAL}").first.tap()
    page.locator("#question", has_text="Tap again").wait_for()
    assert seq(page) == "1"


def test_a_taken_discard_goes_to_its_place_with_a_second_tap_and_keys_need_none(skyjo: str, opens: Opens) -> None:
    page = deal(opens(**PHONE), skyjo, "you", "you", rules="opening_flips=0")
    _switch_on(page)
    page.locator('[data-key="discard"]').tap()
    page.locator('#own [data-key="cell-1"]').tap()
    asks(page, "Tap again to take, and place it in column 1, row 2.")
    assert seq(page) == "0"
    page.locator('#own [data-key="cell-1"]').tap()
    page.wait_for_selector('#felt[data-seq="2"]')
    page.keyboard.press("d")
    page.wait_for_selector('#felt[data-seq="3"]')


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


def _switch_on(page: Page) -> None:
    switch_on_second_taps(page)
    check_barriers(page)
    page.get_by_role("button", name="Close").click()
