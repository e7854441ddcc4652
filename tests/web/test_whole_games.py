"""Whole games with the mouse, by keyboard alone and with a finger; two browsers at a table, one of which leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.any_player import click, play, play_together, tap, use_keys
from tests.web.page_checks import PHONE, check_width
from tests.web.page_player import deal, is_over, seq

if TYPE_CHECKING:
    from tests.web.conftest import Opens

pytestmark = pytest.mark.web

SMALL = {"skyjo": "rows=2 columns=2 opening_flips=1", "skipbo": "stock=1"}
TARGETS = {"skyjo": 30, "skipbo": 30, "skyjo_action": 20, "static_skyjo": 30, "static_skyjo_action": 20}
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
WAYS = {"mouse": (MOVING, click), "keys": (MOVING, use_keys), "finger": (MOVING | PHONE, tap)}
OFTEN = {("skyjo", "keys"), ("skipbo", "finger"), ("static_skyjo", "mouse")}  # for every push
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
    rules = f"{SMALL.get(game, '')} target_score={TARGETS[game]}"
    page = deal(opens(**options), request.getfixturevalue(game), "you", "random", rules=rules, episode="game")
    page.evaluate(COUNT_POINTERS)
    play(page, press)
    assert page.locator("#ending h2").inner_text().startswith("Game over: ")
    totals = [int(text.replace("−", "-")) for text in page.locator("#scores tfoot td").all_inner_texts()]
    assert max(totals) >= TARGETS[game]
    if game == "skipbo":  # the felt shows the last decision, and the stock pile that has won
        assert page.get_by_label("stock, empty on top, 0 cards").count() == 1
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
    address, waiting = request.getfixturevalue(game), "#invitation:not([hidden])"
    deal(anna, address, "you", "open", rules=SMALL.get(game, ""), names=["Anna"], wanted=waiting)
    ben.goto(anna.url)
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down here").click()
    anna.locator("#others").get_by_text("Ben").wait_for()
    play_together([anna, ben], lambda: int(seq(anna)) >= 4 and seq(ben) == seq(anna))
    table, cards = ben.url, ben.locator("#own").inner_text()
    ben.goto("about:blank")
    anna.locator("#others .marks").get_by_text("away").wait_for()
    ben.goto(table)
    anna.locator("#others .marks").get_by_text("away").wait_for(state="detached")
    ben.locator("#own .card").first.wait_for()
    assert ben.locator("#others").get_by_text("Anna").count() == 1
    assert ben.locator("#own").inner_text() == cards
    play_together([anna, ben], lambda: is_over(anna) and is_over(ben))
    assert anna.locator("#scores tfoot").inner_text() == ben.locator("#scores tfoot").inner_text()
    assert anna.locator("#ending h2").inner_text() != ""
