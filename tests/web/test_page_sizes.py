"""Every page is small with all that it loads and jumps nowhere; what is asked for on a page is loaded only then."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import game_class
from skyjo.programs import find_program, program_names
from tests.web.conftest import Opens
from tests.web.page_checks import MOST_BYTES, PHONE, SIZES
from tests.web.page_player import deal, going_on, hidden_cell, press
from tests.web.page_server import load_games, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web

LAST_SIZES = "() => new Promise((done) => setTimeout(() => done(" + SIZES + "), 300))"  # so that the last files count

COUNT_JUMPS = """window.jumps = 0;
new PerformanceObserver((seen) => {
    for (const { value } of seen.getEntries()) window.jumps += value;
}).observe({ type: "layout-shift", buffered: true });"""
MOST_JUMPS = 0.1  # which web.dev calls good


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[str]:
    """A site whose agents take a minute, so that no round ends meanwhile."""
    del chromium
    with served("skyjo", tmp_path_factory.mktemp("slow"), pace=60.0) as address:
        load_games(address)
        yield address


@pytest.mark.parametrize("game", program_names())
def test_every_page_of_every_game_is_small(game: str, slow: str, opens: Opens) -> None:
    home = f"{slow}/{find_program(game).command}"
    page = opens()
    replay = f"{slow}/g/{_opened(page, slow, 'games', {'text': _written(game)}, game)}"
    watched = f"{slow}/t/{_opened(page, slow, 'tables', {'seats': ['random', 'random']}, game)}"
    played = f"{slow}/t/{_opened(page, slow, 'tables', {'seats': ['you', 'random']}, game)}"
    ladder, learn = f"{home}/ladder", [f"{home}/learn#{part}" for part in ("steps", "puzzles", "rules")]
    others = []
    for address in (home, played, watched, replay, ladder, f"{home}/games", *learn):
        others.append(page.context.new_page())  # which has nothing in its memory yet
        others[-1].goto(address)
    for another in others:
        another.wait_for_load_state("networkidle")
        assert 20_000 < _size(another) <= MOST_BYTES, another.url


@pytest.mark.parametrize("options", [{}, PHONE], ids=["screen", "phone"])
def test_nothing_jumps_while_a_page_loads(either: str, opens: Opens, options: dict[str, Any]) -> None:
    page = opens(**options)
    page.add_init_script(COUNT_JUMPS)
    for path, most in (("/", MOST_JUMPS), ("/games", 0), ("/learn", MOST_JUMPS), ("/ladder", MOST_JUMPS)):
        page.goto(f"{either}{path}", wait_until="networkidle")
        assert page.evaluate("window.jumps") <= most, path


def test_a_game_that_one_played_is_analysed_only_when_that_is_asked_for(skyjo: str, opens: Opens) -> None:
    page = deal(opens(), skyjo, "you", "random")
    with going_on(page):
        press(page, f"cell-{hidden_cell(page)}")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Replay", exact=True).click()
    page.wait_for_url("**/g/*")
    page.get_by_role("button", name="Analyse").wait_for()
    before = _size(page)
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("tab", name="mistake").wait_for()
    assert _size(page) > before + 20_000


def _opened(page: Page, address: str, what: str, body: dict[str, object], game: str) -> str:
    answer = page.request.post(f"{address}/api/{what}?game={game}", data=body, headers={"Origin": address})
    number: str = answer.json()["id"]
    return number


def _written(name: str) -> str:
    """A round that was played at random."""
    kind, chance = find_game(name), random.Random(2)
    game = game_class(kind)(kind.rules(), 2, 0, "round")
    while not game.is_over:
        game.apply(chance.choice(game.legal_actions()))
    return RecordFormat(kind).format_record(game.record())


def _size(page: Page) -> int:
    return sum(page.evaluate(LAST_SIZES))
