"""The pages of the table in a browser: played with mouse, keyboard and finger. Needs playwright and chromium."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest

import skyjo_action_env
from tests.web.conftest import Opens
from tests.web.page_checks import PHONE, SECONDS, check_barriers, check_width
from tests.web.page_player import (
    ASK,
    LEGAL,
    deal,
    going_on,
    hidden_cell,
    is_over,
    play_round,
    press,
    seq,
    wait,
    watch,
)
from tests.web.page_server import served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page, Route

pytestmark = pytest.mark.web

SMALL = "rows=2 columns=2 opening_flips=1"


def test_a_round_is_dealt_and_played_with_the_mouse(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/#custom")
    page.get_by_label("Seat 2", exact=True).select_option("random")
    page.locator("#form").get_by_label("One round").check()
    page.get_by_role("button", name="Deal the cards").click()
    wait(page)
    play_round(page)
    title = page.locator("#ending h2").inner_text()
    assert title in {"Round over: you won.", "Round over: random won.", "Round over: random and you won."}
    assert page.locator("#scores tbody tr").count() == 1
    page.reload()
    page.wait_for_selector("#ending:not([hidden])")
    assert page.locator("#ending h2").inner_text() == title
    record = page.request.get(f"{skyjo}{page.locator('#record').get_attribute('href')}")
    assert record.ok
    page.get_by_role("button", name="Same cards again").click()
    page.wait_for_selector("#ask[data-mine]", state="attached")
    assert not is_over(page)


def test_single_rules_are_changed_in_a_form_and_as_text(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/#custom")
    page.get_by_text("Change individual rules").click()
    page.get_by_label("Rows of a board").fill("2")
    page.get_by_label("Complete lines leave").select_option("confirm")
    text = page.get_by_label("The same as text")
    assert text.input_value() == "rows=2 clear=confirm"
    text.fill("columns=2 opening_flips=1")
    assert page.get_by_label("Rows of a board").input_value() == "3"
    assert page.get_by_label("Columns of a board").input_value() == "2"
    page.get_by_label("Preset").select_option("reichel")
    assert page.get_by_label("Turning a card up").input_value() == "none"
    page.get_by_label("Preset").select_option("official")
    page.get_by_label("Rows of a board").fill("2")
    check_barriers(page)
    page.get_by_role("button", name="Deal the cards").click()
    page.wait_for_selector("#ask[data-mine]", state="attached")
    assert page.locator("#own .card").count() == 8


def test_a_taken_discard_is_let_go_with_escape_and_sent_with_its_place(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "you")
    _open_cards(page)
    before, top = seq(page), page.locator('[data-key="discard"] .number').inner_text()
    page.keyboard.press("t")
    assert page.locator("#question").inner_text() == f"Choose a place for the {top}."
    caption = page.locator("#middle .caption").nth(1)
    assert caption.inner_text().split() == ["Taking", "it", "…"]
    page.keyboard.press("Escape")
    assert caption.inner_text() == "Discard"
    assert page.locator("#question").inner_text().startswith("Draw a card")
    assert seq(page) == before
    page.keyboard.press("t")
    page.keyboard.press("f")
    page.wait_for_selector(f'#felt[data-seq="{int(before) + 2}"]')
    assert f"took {top}" in page.locator("#story li").first.inner_text()


def _open_cards(page: Page) -> None:
    """Turn up what the rules ask for before the first turn."""
    while "Turn up" in page.locator("#question").inner_text():
        press(page, f"cell-{hidden_cell(page)}")


def test_focus_stays_on_its_cell_and_arrows_walk(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    first = page.get_by_role("button", name="column 1, row 1, hidden").and_(page.locator("#own button"))
    first.focus()
    with going_on(page):
        page.keyboard.press("Enter")
    focused = page.locator("#own :focus")
    assert (focused.get_attribute("aria-label") or "").startswith("column 1, row 1, open")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert (page.locator("#own :focus").get_attribute("aria-label") or "").startswith("column 2, row 2")


def test_single_keys_can_be_switched_off_and_that_is_remembered(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    page.get_by_role("button", name="Help and keys").click()
    page.get_by_label("Use single letters and digits as shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    wait(page)
    before = seq(page)
    page.keyboard.press("q")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    assert seq(page) == before
    press(page, "cell-0")
    assert page.locator("#own .card:not([data-band=back])").count() == 1


def test_two_browsers_share_a_table_and_a_drawn_card_is_its_owners_alone(skyjo: str, opens: Opens) -> None:
    from playwright.sync_api import expect

    host, guest = opens(), opens()
    deal(host, skyjo, "you", "open", rules=SMALL)
    expect(host.locator("#link")).to_have_value(host.url)
    guest.goto(host.url)
    expect(guest.locator("#question")).to_have_text("Seat 2 is free.")
    guest.locator("#ask").get_by_role("button", name="Sit down here").click()
    guest.wait_for_selector('#own .seat:has-text("you")')
    for page in (host, guest):
        wait(page)
        page.locator(f"#own {LEGAL}").first.click()
    for page in (host, guest):
        page.wait_for_selector('#felt[data-seq="2"]', state="attached")
    mover, other = (host, guest) if host.locator("#ask[data-mine]").count() else (guest, host)
    mover.get_by_role("button", name="draw pile").click()
    other.wait_for_selector('#ask .pile .card[data-band="back"]')
    assert other.locator("#told").inner_text().endswith("drew.")


def test_a_reload_in_mid_turn_changes_nothing(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "you")
    _open_cards(page)
    with going_on(page):
        page.keyboard.press("g")
    question, story = page.locator("#question").inner_text(), page.locator("#story").inner_text()
    page.reload()
    wait(page)
    assert page.locator("#question").inner_text() == question
    assert page.locator("#story").inner_text() == story


def test_a_table_that_has_been_deleted_meanwhile_says_so(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.route_web_socket("**/socket", lambda socket: socket.close(code=4404, reason="this table has been deleted"))
    page.goto(skyjo)
    body = {"seats": ["you", "random"]}
    number = page.request.post(f"{skyjo}/api/tables", data=body, headers={"Origin": skyjo}).json()["id"]
    page.goto(f"{skyjo}/t/{number}")
    page.get_by_role("heading", name="This table has been deleted.").wait_for()
    assert page.locator("#felt").is_hidden()
    assert page.locator("#hint").is_hidden()
    check_barriers(page)
    page.get_by_role("link", name="To the first page").click()
    page.wait_for_url(f"{skyjo}/skyjo")


def test_a_lost_connection_is_said_and_comes_back(skyjo: str, opens: Opens) -> None:
    page = opens()
    sockets = []
    page.route_web_socket("**/socket", lambda socket: sockets.append((socket, socket.connect_to_server())))
    deal(page, skyjo, "you", "random")
    sockets[0][0].close()
    page.wait_for_selector("#connection:has-text('The connection is lost. Trying again')")
    page.wait_for_selector("#connection:empty", state="attached")
    assert len(sockets) == 2
    press(page, "cell-0")


def test_a_server_that_is_killed_in_mid_turn_goes_on_when_it_is_back(opens: Opens, tmp_path: Path) -> None:
    page = opens()
    with served("skyjo", tmp_path) as address:
        deal(page, address, "you", "random", rules=SMALL)
        play_round(page, is_done=lambda: page.locator("#question").inner_text().startswith("You drew"))
        before, hand = seq(page), page.locator(".pile .card").nth(2).inner_text()
    page.wait_for_selector("#connection:has-text('Trying again')")
    page.locator(f"#own {LEGAL}").first.click()
    page.get_by_role("alert").get_by_text("No connection").wait_for()
    with served("skyjo", tmp_path, port=int(address.rpartition(":")[2])):
        page.wait_for_selector("#connection:empty", state="attached")
        assert (seq(page), page.locator(".pile .card").nth(2).inner_text()) == (before, hand)
        with going_on(page):
            page.locator(f"#own {LEGAL}").first.click()


def test_a_refused_press_is_said_aloud_and_undo_waits_and_marks_practice(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    page.get_by_role("button", name="draw pile").click(force=True)  # it says itself that it is disabled
    assert page.get_by_role("alert").inner_text() == "That is not possible now."
    assert page.locator("#undo").get_attribute("aria-disabled") == "true"
    press(page, "cell-0")
    assert page.locator("#undo").get_attribute("aria-disabled") is None
    page.keyboard.press("u")
    page.wait_for_selector("#practice:not([hidden])")
    assert page.locator("#own .card:not([data-band=back])").count() == 0


def test_an_undo_puts_the_end_of_the_round_away(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random", rules=SMALL, episode="game")
    play_round(page, is_done=lambda: page.locator("#ending").is_visible())
    assert re.fullmatch("Round 1: (you|random|random and you) won", page.locator("#ending h2").inner_text())
    _check_points(page)
    with going_on(page):
        page.keyboard.press("u")
    assert page.locator("#ending").is_hidden()


def test_a_key_after_the_end_of_a_round_leaves_all_as_it_is_and_begins_nothing(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "you", rules=SMALL, episode="game")
    play_round(page, is_done=lambda: page.locator("#ending").is_visible())
    before = page.locator("#felt .seat").all_inner_texts()
    page.keyboard.press("t")  # to discard, a moment ago
    assert page.locator("#felt .seat").all_inner_texts() == before
    _check_points(page)
    with going_on(page):
        page.keyboard.press("u")
    assert page.locator("#middle [data-chosen]").count() == 0


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


def test_undo_is_offered_to_two_people_at_one_screen_but_not_against_other_people(skyjo: str, opens: Opens) -> None:
    page, guest = deal(opens(), skyjo, "you", "you", "random"), opens()
    assert page.locator("#undo").is_visible()
    guest.goto(page.url)
    guest.wait_for_selector("#own .card")
    assert guest.locator("#undo").is_hidden()
    deal(page, skyjo, "you", "open", "random")
    assert page.locator("#undo").is_hidden()
    assert page.get_by_role("button", name="Give up").count() == 0


def test_arrows_and_digits_walk_over_the_cards_of_skipbo(skipbo: str, opens: Opens) -> None:
    page = deal(opens(), skipbo, "you", "random", rules="stock=5")
    keys, focused = page.keyboard, page.locator(":focus")
    keys.press("1")
    for key, place in (("", "stock"), ("ArrowRight", "pile-0"), ("ArrowDown", "hand-1"), ("ArrowUp", "pile-0")):
        if key:
            keys.press(key)
        assert focused.get_attribute("data-key") == place
    keys.press("2")
    assert page.locator("#others :focus").get_attribute("data-key") == "stock"
    page.locator('[data-key="building-0"]').focus()
    keys.press("ArrowRight")
    assert focused.get_attribute("data-key") == "building-1"
    for part in ("#own", "#middle"):
        assert page.locator(f'{part} [tabindex="0"]').count() == 1


def test_a_hint_marks_the_best_card(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    _open_cards(page)
    page.keyboard.press("h")
    page.wait_for_selector("[data-best]", timeout=60 * SECONDS)
    assert "best choice" in (page.locator("[data-best]").first.get_attribute("aria-label") or "")


def test_a_hint_counts_as_its_cards_do_and_tells_alike_choices_once(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    page.evaluate("""async () => {
        const { showAdvice } = await import("/pages/hint.js");
        const rows = [2, 1, 3].map((row) => ({ action: row, words: `turn up column 4, row ${row}`, worth: 1.5 }));
        const board = { plain: (words) => words, aheadOf: "somebody" };
        const choices = [...rows, { action: 4, words: "turn up column 4, row 4", worth: 1 }];
        showAdvice({ choices, reason: "" }, board);
    }""")
    lines = page.locator("#advice li").all_inner_texts()
    assert [" ".join(line.split()) for line in lines] == [
        "turn up column 4, row 1, 2 or 3 best",
        "turn up column 4, row 4 −0.5",
    ]
    page.get_by_text("With that one, expect to be 1.5 points ahead of somebody.").wait_for()
    page.evaluate("""async () => {
        const { showAdvice } = await import("/pages/hint.js");
        const board = { plain: (words) => words, aheadOf: "somebody" };
        showAdvice({ choices: [{ action: 1, words: "draw", worth: -2 }], reason: "" }, board);
    }""")
    page.get_by_text("Expect to be 2.0 points behind somebody.", exact=True).wait_for()
    assert " ".join(page.locator("#advice li").inner_text().split()) == "draw"
    page.get_by_role("button", name="Close the hint").click()
    assert page.locator("#advice").is_hidden()


@pytest.mark.parametrize("options", [pytest.param({}, marks=pytest.mark.long), PHONE], ids=["screen", "phone"])
def test_a_round_of_skyjo_action_is_played_with_all_that_can_be_pressed(
    skyjo_action: str, opens: Opens, options: dict[str, Any]
) -> None:
    page, chance, asked = deal(opens(**options), skyjo_action, "you", "random"), random.Random(4), set()
    check_barriers(page)
    for _ in range(2000):
        if is_over(page):
            break
        asked.add(page.locator("#question").inner_text().split(":")[0])
        before, play = seq(page), page.locator("#choices button", has_text=re.compile("^Play "))
        first = play if play.count() else page.locator(f"#felt button{LEGAL}, #choices button")
        if found := first.element_handles():  # none while the other seat plays; what has left since ignores the click
            (found[0] if first is play else chance.choice(found)).dispatch_event("click")
        page.wait_for_timeout(20)
        if seq(page) != before:
            wait(page)
    if options:
        check_width(page)
    assert is_over(page)
    assert {"Swap", "Exchange", "Look", "Remove", "Steal", "Replay"} & asked
    page.locator("#ending").wait_for()
    for seat in page.locator("[data-seat]").all():
        _check_breakdown(seat)
    check_barriers(page)


def test_an_action_card_says_what_it_does_before_it_is_taken(skyjo_action: str, opens: Opens) -> None:
    page, alert = deal(opens(**PHONE), skyjo_action, "you", "random"), "#alert:not(:empty)"
    kinds = page.evaluate("import('/pages/boards/skyjo_action_kinds.js').then(({MEANINGS}) => Object.keys(MEANINGS))")
    assert kinds == ["pile", *skyjo_action_env.KINDS]
    cards = [page.locator(f'[data-key="{key}"]') for key in ("open-0", "pile")]
    cards[0].tap(force=True)
    kind = cards[0].inner_text().splitlines()[-1]
    page.locator(alert, has_text=re.compile(f"^{kind}", re.IGNORECASE)).wait_for()
    while "up" in page.locator("#question").inner_text():
        press(page, f"cell-{hidden_cell(page)}")
    while page.locator("#choices", has_text="Take none").count():  # once for every star turned up
        with going_on(page):
            page.get_by_role("button", name="Take none").click()
    cards[1].tap()
    page.locator(alert, has_text="Action pile").wait_for()
    assert page.locator(alert).inner_text().endswith("Press again to take it.")
    assert page.locator("#own .held .card").count() == 0
    with going_on(page):
        cards[1].tap()
    assert page.locator("#own .held .card").count() == 1
    page.locator("#own .held .card").hover(force=True)
    page.wait_for_selector("#own .held .card[title]")


def test_how_scores_came_about_is_gone_where_the_next_round_was_stopped(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    page.evaluate("""async () => {
        const { showEnding } = await import("/pages/ending.js");
        const body = document.querySelector("#own .seat"), places = [{ sum: document.createElement("p"), body }];
        const view = { round: 2, over: null, seats: [], table: { boards: [] } };
        for (const end of [{ scores: [12], points: [6], winner: null }, { scores: null, winner: null }]) {
            const board = { ending: async () => ({ decided: "", breakdowns: end.scores ? ["6, doubled"] : [] }) };
            await showEnding({ ...view, end }, undefined, board, places, () => true);
        }
    }""")
    assert page.locator(".breakdown").count() == 0


def _check_breakdown(seat: Locator) -> None:
    """The score of a seat is the sum of what is said under its cards or, where nothing is, of the cards."""
    score, cards = int(seat.locator(".sum").inner_text().replace("−", "-")), seat.locator(".number").all_inner_texts()
    on_cards = sum(int(text.replace("−", "-")) for text in cards[:12] if text.strip("★"))
    line = seat.locator(".breakdown")
    said = line.inner_text().replace("−", "-") if line.count() else f"{on_cards}"
    parts = [int(part.replace(" ", "")) for part in re.findall(r"^-?\d+|[+-] \d+", said)]
    kept = re.search(r"(\d+) for (\d+) unused action cards?", said)
    assert parts[0] == on_cards
    assert kept is None or int(kept[1]) == 10 * int(kept[2])
    assert sum(parts) * (1 + ("doubled" in said)) == score


def test_a_card_that_was_looked_at_is_marked_for_its_knower_alone(skyjo_action: str, opens: Opens) -> None:
    page, onlooker, game = opens(), opens(), _before_a_look()
    page.goto(f"{skyjo_action}/games")
    kept = page.evaluate(ASK, ["/api/games", {"text": skyjo_action_env.format_record(game.record())}])
    start = {"game": kept["id"], "after": len(game.record()["actions"]), "seats": ["you", "random"]}
    page.goto(f"{skyjo_action}/t/{page.evaluate(ASK, ['/api/tables', start])['id']}")
    onlooker.goto(page.url)
    page.locator(f"#own .held {LEGAL}", has_text="look").click()
    page.get_by_role("button", name="Play look").click()
    with going_on(page):
        page.locator(f"#own .grid {LEGAL}").first.click()
        page.get_by_role("button", name="Look at the column").click()
    looked_at = page.locator('#own [data-known="only you"]')  # and not by the rival
    assert "known to you" in (looked_at.first.get_attribute("aria-label") or "")
    onlooker.wait_for_selector('[data-known="seen"][data-band="back"]')


def _before_a_look() -> skyjo_action_env.Game:
    """A game that was played at random until the first seat could look at cards."""
    game, chance = skyjo_action_env.Game(seed=388), random.Random(388)
    names = skyjo_action_env.action_names(game.rules)
    while "play look" not in {names[action] for action in game.legal_actions()}:
        game.apply(chance.choice(game.legal_actions()))
    assert game.seat == 0
    return game


def test_a_hand_is_covered_until_the_next_person_at_the_screen_asks(skipbo: str, opens: Opens) -> None:
    page = deal(opens(), skipbo, "you", "you", rules="stock=5", wanted="#uncover:not([hidden])")
    assert page.locator("#question").inner_text() == "Pass the screen to seat 1."
    assert page.locator('#own [data-key^="hand-"]').count() == 0
    page.get_by_role("button", name="Show my cards").click()
    wait(page)
    assert page.locator('#own [data-key^="hand-"]').count() > 0
    assert page.locator("#uncover").is_hidden()


def test_the_pace_of_agents_is_offered_once_the_board_can_obey_it(opens: Opens, tmp_path: Path) -> None:
    with served("skyjo", tmp_path, pace=0.5) as address:
        page = opens()
        held: list[Route] = []
        page.route("**/boards/skyjo.js", lambda route: held.append(route))
        watch(page, address)
        assert page.locator("#watch").is_hidden()
        while not held:
            page.wait_for_timeout(10)
        held[0].continue_()
        page.wait_for_selector("#watch:not([hidden])")


def test_agents_are_watched_paused_and_stepped(opens: Opens, tmp_path: Path) -> None:
    with served("skyjo", tmp_path, pace=0.5) as address:
        page = watch(opens(), address)
        page.wait_for_selector("#watch:not([hidden])")
        page.keyboard.press("p")
        page.get_by_role("button", name="Continue").wait_for()
        before = seq(page)
        page.keyboard.press(".")
        page.wait_for_selector(f'#felt[data-seq="{int(before) + 1}"]')
        page.get_by_role("button", name="One decision").click()
        page.wait_for_selector(f'#felt[data-seq="{int(before) + 2}"]')
        page.get_by_label("Decisions per second").fill("20")
        page.get_by_label("Decisions per second").press("Enter")
        page.wait_for_selector('#watch [aria-valuetext="20 decisions a second"]')
        assert page.get_by_label("Pace", exact=True).input_value() == "100"
        check_barriers(page)
        page.reload()
        page.get_by_role("button", name="Continue").click()
        page.wait_for_selector(f'#felt:not([data-seq="{int(before) + 2}"])')
