"""The animated picture of a round in a browser: what is seen when, and at rest where motion is not wanted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import skyjo_env
from cardtable.render.scene import Telling
from cardtable.render.svg_picture import svg_animation
from skyjo_env.render.scene import table_scene

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web

BEAT = 0.5
SET = """time => new Promise(done => {
    document.documentElement.setCurrentTime(time);
    requestAnimationFrame(() => requestAnimationFrame(done));
})"""  # and wait until that has been drawn
SEEN = """() => [...document.querySelectorAll('svg > g > text')]
    .filter(text => getComputedStyle(text).display !== 'none' && text.textContent.startsWith('move'))
    .map(text => text.textContent)"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Twelve moves, each with a line that says which."""
    game, chance = skyjo_env.Game(seed=3), random.Random(3)
    scenes = [table_scene(game, (800, 500), Telling(None, "move 0"))]
    for number in range(1, 13):
        game.apply(chance.choice(game.legal_actions()))
        scenes.append(table_scene(game, (800, 500), Telling(None, f"move {number}")))
    path = tmp_path / "round.svg"
    path.write_text(svg_animation(scenes, BEAT))
    return path


def at(page: Page, seconds: float) -> list[str]:
    page.evaluate(SET, seconds)
    seen: list[str] = page.evaluate(SEEN)
    return seen


def test_each_move_is_seen_in_its_time_and_the_animation_begins_again(chromium: Browser, file: Path) -> None:
    page = chromium.new_page()
    page.goto(file.as_uri())
    page.evaluate("document.documentElement.pauseAnimations()")
    for move in (0, 5, 11, 12):
        assert at(page, BEAT * (move + 0.5)) == [f"move {move}"]
    assert at(page, BEAT * 17.5) == ["move 12"]  # held
    assert at(page, BEAT * (18 + 4.5)) == ["move 4"]
    assert page.evaluate("document.getAnimations().length") == 0
    page.close()


def test_where_motion_is_not_wanted_the_last_table_is_seen_all_the_time(chromium: Browser, file: Path) -> None:
    page = chromium.new_page(reduced_motion="reduce")
    page.goto(file.as_uri())
    for seconds in (0.1, 3.0):
        assert at(page, seconds) == ["move 12"]
    page.close()
