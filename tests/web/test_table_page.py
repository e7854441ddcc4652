"""The table as somebody meets it, all on one screen; and whole games with mouse, keyboard or finger, also by two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.web.page_checks import PHONE, SECONDS, check_barriers, check_width, layout_faults
from tests.web.page_player import (
    GAME,
    LEGAL,
    asked,
    click,
    deal,
    going_on,
    hidden_cell,
    is_over,
    number,
    open_cards,
    play,
    play_together,
    press,
    seq,
    tap,
    use_keys,
    wait,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.web.conftest import Opens

pytestmark = pytest.mark.web


SMALL = "rows=2 columns=2 opening_flips=1"
TALL: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE: dict[str, Any] = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
SCREENS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "square": {"viewport": {"width": 800, "height": 800}},
    "upright": TALL,
    "sideways": WIDE,
}
LARGE = {"skyjo": 95, "skipbo": 72, "skyjo_action": 64}  # pixels that a card is wide at a desk
SEEN = """(nodes) => nodes.filter((node) => {
    const box = node.getBoundingClientRect();
    return box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
}).map((node) => node.getAttribute("data-key") ?? node.className)"""


def _outside(page: Page, selector: str) -> list[str]:
    """What of this one has to scroll for."""
    found: list[str] = page.locator(selector).evaluate_all(SEEN)
    return found


def _box(place: Locator) -> tuple[float, float, float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


@pytest.mark.parametrize(("game", "others"), [("skyjo", (1, 3, 7)), ("skipbo", (1, 3, 5)), ("skyjo_action", (1, 3))])
def test_all_cards_and_buttons_are_on_every_screen(
    game: str, others: tuple[int, ...], opens: Opens, request: pytest.FixtureRequest
) -> None:
    for screen, options in SCREENS.items():
        page = opens(**options)
        for count in others:
            deal(page, request.getfixturevalue(game), "you", *["random"] * count)
            assert _outside(page, "#own .card, #middle .card, #others .seat, #tools button:visible, #question") == []
            if screen == "desk":
                places = ("#middle .card >> nth=0", "#own .card >> nth=0", "#question", "#own", "#others")
                pile, card, question, own, rivals = (_box(page.locator(place)) for place in places)
                assert pile[2] - pile[0] == pytest.approx(card[2] - card[0], abs=2)
                assert card[2] - card[0] >= LARGE[game]
                assert question[3] <= own[1]  # what to do stands over one's own cards
                assert rivals[2] <= own[0]


def test_the_sum_of_the_open_cards_stands_on_every_board_and_the_total_apart(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random", rules=SMALL, episode="game")
    press(page, "cell-0")
    for seat in ("0", "1"):
        place = page.locator(f'[data-seat="{seat}"]')
        numbers = [text.replace("−", "-") for text in place.locator(".grid .number").all_inner_texts() if text]
        expect(place.locator(".sum")).to_have_text(str(sum(map(int, numbers))).replace("-", "−"))
        expect(place.locator(".total")).to_have_text("")
    play(page, is_done=lambda: page.locator("#next").is_visible())
    page.locator("#next").click()
    totals = page.locator("#scores tfoot td").all_inner_texts()
    assert page.locator(".seat .total").all_inner_texts() in (
        [f"{one} in total" for one in each] for each in (totals, totals[::-1])
    )


def test_the_last_move_of_another_stays_marked_until_one_decides(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random", "random")
    open_cards(page)
    for _ in range(3):
        with going_on(page):
            page.get_by_role("button", name="draw pile").click()
        expect(page.locator("[data-moved]")).to_have_count(0)
        press(page, f"cell-{hidden_cell(page)}")
    expect(page.locator("#others .seat:has(.card[data-moved])")).to_have_count(2)
    told = page.locator("#told").inner_text()
    if ghost := re.search(r" for (?:a hidden )?(−?\d+)", told):
        expect(page.locator(f'#others .seat >> nth=1 >> .card[data-ghost="{ghost[1]}"]')).to_have_count(1)


def test_people_have_faces_and_say_a_line_when_they_take_ones_card(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "collector", names=["", "Rosa"], episode="game")
    expect(page.locator("#others .portrait use")).to_have_attribute("href", re.compile(r"faces\.svg#rosa$"))
    expect(page.locator("#own .portrait")).to_be_hidden()
    play(page, is_done=lambda: page.locator("#says").is_visible())
    expect(page.locator("#says")).to_have_text(re.compile("Just what I collect|Three of a kind"))
    check_barriers(page)
    line = page.locator("#story li").first
    expect(line.locator(".mini").first).to_be_visible()
    line.hover()
    expect(page.locator("#felt [data-pointed]").first).to_be_visible()
    page.mouse.move(0, 0)
    expect(page.locator("[data-pointed]")).to_have_count(0)


def test_hints_stand_on_the_cards_once_and_cover_no_number(either: str, opens: Opens) -> None:
    page = deal(opens(), either, "you", "random")
    page.keyboard.press("h")
    page.locator("#advice li").first.wait_for(timeout=60 * SECONDS)
    expect(page.locator("#advice li")).to_have_count(1)
    expect(page.locator("#advice li")).to_contain_text("all 12 choices are equal")
    expect(page.locator("[data-best], [data-hint]")).to_have_count(0)
    open_cards(page)
    page.keyboard.press("h")
    page.locator("#middle [data-best]").wait_for()
    expect(page.locator("[data-best]")).to_have_count(1)
    expect(page.locator("#middle [data-hint]")).to_have_count(2)
    page.keyboard.press("t")
    page.locator("#own [data-best]").wait_for()
    expect(page.locator("[data-best]")).to_have_count(1)
    lines = page.locator("#advice li span:first-child").all_inner_texts()
    assert all("place it in column" in line for line in lines)
    assert len(set(lines)) == len(lines) > 1
    page.locator("#advice li").nth(1).hover()
    page.locator("[data-pointed]").first.wait_for()
    page.mouse.move(0, 0)
    expect(page.locator("[data-pointed]")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("#middle [data-best]").wait_for()
    with going_on(page):
        page.keyboard.press("d")
    page.keyboard.press("h")
    page.locator("[data-best]").wait_for()
    expect(page.locator("[data-best]")).to_have_count(1)
    expect(page.locator('[data-key="discard"][data-hint]')).to_have_count(0)
    check_barriers(page)


def test_the_end_of_a_round_stays_until_one_goes_on(skyjo: str, opens: Opens) -> None:
    page = deal(opens(**MOVING), skyjo, "you", "random", rules=SMALL, episode="game")
    play(page, is_done=lambda: page.locator("#ending").is_visible())
    expect(page.locator('#felt .grid .card[data-band="back"]')).to_have_count(0)
    expect(page.locator("#decided")).to_have_text(re.compile(r"\.$"))
    end = asked(page, f"/api/tables/{number(page)}")["end"]
    for seat, (points, score) in enumerate(zip(end["points"], end["scores"], strict=True)):
        shown = f"{points} × 2 = {score}" if points != score else str(score)
        expect(page.locator(f'[data-seat="{seat}"] .sum')).to_have_text(shown.replace("-", "−"))
    expect(page.locator("#ending-title strong")).to_have_text(
        re.compile(rf"^{min(end['scores'])} to ".replace("-", "−"))
    )
    expect(page.locator(f"#choices button:visible, #felt button{LEGAL}")).to_have_count(0)
    expect(page.locator("#round")).to_have_text("Round 1")
    check_barriers(page)
    page.locator("#own .card").first.dispatch_event("click")
    expect(page.locator("#ending")).to_be_visible()
    page.locator("#next").click()
    expect(page.locator("#ending")).to_be_hidden()
    wait(page)
    page.locator('#own .card[data-band="back"]').first.wait_for()


def test_cards_that_leave_gather_line_by_line(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    lines = 'async cells => (await import("../pages/grid_board.js")).linesOf(cells, 3)'
    assert page.evaluate(lines, [3, 4, 5, 1, 7, 10]) == [[3, 4, 5], [1, 7, 10]]
    page.evaluate("""async () => {
        const { BACK, gather, numberFace } = await import("../pages/dom.js");
        gather([...document.querySelectorAll("#own .card")].slice(0, 3), Array(3).fill(numberFace(9)), "−27");
    }""")
    expect(page.locator("#own .gain")).to_have_text("−27")
    with going_on(page):  # the cell is no longer empty
        page.locator(f"#own {LEGAL}").nth(5).click()
    expect(page.locator("#own .gain")).to_have_count(0)


def test_after_a_round_one_plays_again_or_reviews_what_one_gave_away(either: str, opens: Opens) -> None:
    page = deal(opens(), either, "you", "random", rules="target_score=90")  # nobody else has kept this very game
    play(page)
    page.locator("#review", has_text="mistake").wait_for()
    before = page.url
    page.locator("#rematch").click()
    page.wait_for_selector("#ask[data-mine]", state="attached")
    assert page.url != before
    expect(page.locator("#practice")).to_be_hidden()
    page.goto(before)
    page.locator("#review", has_text="mistake").wait_for()
    count = re.search(r"\d+", page.locator("#review").inner_text())
    page.locator("#review").click()
    page.wait_for_url(GAME)
    if count:
        page.get_by_role("heading", name=f"Question 1 of {count[0]}", exact=True).wait_for()


def test_when_somebody_leaves_an_agent_can_play_on(served_skyjo: str, opens: Opens) -> None:
    host, guest = opens(), opens()
    deal(host, served_skyjo, "you", "open", rules="opening_flips=0", wanted="#invitation")
    host.locator("#invitation").wait_for()
    guest.goto(host.url)
    guest.locator("#sit").click()
    guest.wait_for_selector('#own .seat:has-text("you")')
    host.locator("#invitation").wait_for(state="hidden")
    if host.locator("#ask[data-mine]").count():
        host.locator('[data-key="draw"]').click()
        host.locator("#question", has_text="You drew").wait_for()
        host.locator('#own [data-key="cell-0"]').click()
        host.locator("#question", has_text="Waiting").wait_for()
    address = guest.url
    guest.get_by_role("button", name="Leave").click()
    guest.get_by_role("dialog").wait_for()
    check_barriers(guest)
    guest.get_by_role("dialog").get_by_role("button", name="Leave").click()
    guest.locator("#tables a").first.wait_for()
    host.locator("#question", has_text="left. Wait, or let the computer take over.").wait_for()
    expect(host.locator("#invitation")).to_be_hidden()
    check_barriers(host)
    host.get_by_role("button", name="Let the computer take over").click()
    wait(host)
    expect(host.locator("#others .marks", has_text="computer plays")).to_have_count(1)
    guest.locator("#tables a").first.click()
    guest.wait_for_selector("#own .card")
    assert guest.url == address
    host.locator("#others .marks", has_text="computer plays").wait_for(state="detached")


def test_what_was_refused_is_forgotten_with_the_next_press_and_covers_no_card(skyjo: str, opens: Opens) -> None:
    page = deal(opens(**PHONE), skyjo, "you", "random")
    open_cards(page)
    page.locator("#own .card").first.tap(force=True)
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("Draw a card or take the discard first.")
    assert page.evaluate(MEETING, ["#alert", "#own .card", "#middle .card"]) == []
    with going_on(page):
        page.locator('[data-key="draw"]').tap()
    expect(page.locator("#alert")).to_have_text("")


SHORT = {"skyjo": "rows=2 columns=2 opening_flips=1", "skipbo": "stock=1"}
TARGETS = {"skyjo": 30, "skipbo": 30, "skyjo_action": 20, "served_skyjo": 30}
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
WAYS = {"mouse": (MOVING, click), "keys": (MOVING, use_keys), "finger": (MOVING | PHONE, tap)}
OFTEN = {("skyjo", "keys"), ("skipbo", "finger"), ("served_skyjo", "mouse")}  # for every push
COUNT_POINTERS = "addEventListener('pointerdown', () => (window.pointers = (window.pointers ?? 0) + 1), true)"


@pytest.mark.parametrize(
    ("game", "way"),
    [
        pytest.param(game, way, marks=() if (game, way) in OFTEN else pytest.mark.long)
        for game in TARGETS
        for way in WAYS
    ],
)
def test_a_whole_game_is_played(game: str, way: str, opens: Opens, request: pytest.FixtureRequest) -> None:
    options, press = WAYS[way]
    rules = f"{SHORT.get(game, '')} target_score={TARGETS[game]}"
    page = deal(opens(**options), request.getfixturevalue(game), "you", "random", rules=rules, episode="game")
    page.evaluate(COUNT_POINTERS)
    play(page, press)
    expect(page.locator("#ending h2")).to_have_text(re.compile("wins? the game, "))
    totals = [int(text.replace("−", "-")) for text in page.locator("#scores tfoot td").all_inner_texts()]
    assert max(totals) >= TARGETS[game]
    if game == "skipbo":  # the felt shows the last decision, and the stock pile that has won
        expect(page.get_by_label("stock, empty on top, 0 cards")).to_have_count(1)
    assert page.evaluate("Boolean(window.pointers)") == (way != "keys")
    if way == "finger":
        check_width(page)


@pytest.mark.parametrize(
    "game",
    ["skyjo", pytest.param("skipbo", marks=pytest.mark.long), pytest.param("skyjo_action", marks=pytest.mark.long)],
)
def test_two_browsers_play_a_round_and_one_leaves_and_comes_back(
    game: str, opens: Opens, request: pytest.FixtureRequest
) -> None:
    anna, ben = opens(**MOVING), opens(**MOVING)
    address, waiting = request.getfixturevalue(f"served_{game.removeprefix('skyjo_')}"), "#invitation:not([hidden])"
    deal(anna, address, "you", "open", rules=SHORT.get(game, ""), names=["Anna"], wanted=waiting)
    ben.goto(anna.url)
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Join").click()
    anna.locator("#others").get_by_text("Ben").wait_for()
    play_together([anna, ben], lambda: int(seq(anna)) >= 4 and seq(ben) == seq(anna))
    table, cards = ben.url, ben.locator("#own").inner_text()
    ben.goto("about:blank")
    anna.locator("#others .marks").get_by_text("away").wait_for()
    ben.goto(table)
    anna.locator("#others .marks").get_by_text("away").wait_for(state="detached")
    ben.locator("#own .card").first.wait_for()
    expect(ben.locator("#others").get_by_text("Anna")).to_have_count(1)
    expect(ben.locator("#own")).to_have_text(cards, use_inner_text=True)
    play_together([anna, ben], lambda: is_over(anna) and is_over(ben))
    expect(anna.locator("#scores tfoot")).to_have_text(ben.locator("#scores tfoot").text_content() or "?")
    expect(anna.locator("#ending h2")).not_to_be_empty()


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}])
def test_picking_a_card_of_skip_bo_up_moves_no_other_one(viewport: Any, skipbo: str, opens: Opens) -> None:
    page = deal(opens(viewport=viewport), skipbo, "you", "greedy")
    places = "(cards) => cards.map((card) => { const { x, y } = card.getBoundingClientRect(); return [x, y]; })"
    before = page.locator("#felt .card").evaluate_all(places)
    page.locator("#own .hand .card:not([aria-disabled])").first.click()
    page.get_by_role("button", name="Cancel").wait_for()
    assert page.locator("#felt .card").evaluate_all(places) == before


def test_no_luck_is_promised_where_none_is_measured(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/../skyjo_action/ladder.html")
    page.get_by_text("You will then see here how far ahead you were").wait_for()
    expect(page.locator("main")).not_to_contain_text("luck", use_inner_text=True)


MEETING = """(selectors) => {
    const boxes = document.querySelectorAll(selectors.join()).values().filter((one) => one.checkVisibility())
        .map((one) => [one, one.getBoundingClientRect()]).toArray();
    const meets = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom;
    return boxes.flatMap(([one, box], at) => boxes.slice(at + 1).filter(([, other]) => meets(box, other))
        .map(([other]) => `${one.className} and ${other.className}`));
}"""
SPREAD = ["#others > *", "#own > *", "#middle > *", "#question", "#ask > .pile", "#choices > *"]


@pytest.mark.parametrize("seats", [2, 8])
@pytest.mark.parametrize(("width", "height"), [(640, 400), (667, 375)])
def test_nothing_lies_over_another_board_on_a_low_screen(
    width: int, height: int, seats: int, skyjo: str, opens: Opens
) -> None:
    page = deal(opens(viewport={"width": width, "height": height}), skyjo, "you", *["random"] * (seats - 1))
    for cell in (0, 1):
        press(page, f"cell-{cell}")
    page.locator('[data-key="draw"]').click()
    page.wait_for_selector("#ask > .pile:not([data-empty])")
    assert page.evaluate(MEETING, SPREAD) == []
    page.locator("#hint").click()
    page.wait_for_selector("#advice summary")
    assert page.evaluate(MEETING, ["#advice", *SPREAD[1:]]) == []
    page.get_by_role("button", name="Close the hint").click()
    assert layout_faults(page) == []
