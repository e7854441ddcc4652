"""Pictures as SVG: what they show and must not show, light and dark, animated, and in a notebook."""

import base64
import random
import re
from typing import Any

import pytest

from cardtable.table.render.svg import HOLD, svg_animation, svg_picture
from cardtable.table.render.text import Telling
from tests.games.under_test import GameUnderTest
from tests.outputs import NAME, read_picture


def after(game: GameUnderTest, decisions: int, rules: Any = None, seed: int = 4) -> Any:
    """A table after some decisions at random."""
    return game.played(game.quick if rules is None else rules, seed, decisions)


def test_a_picture_is_an_svg_document_for_light_and_dark_that_needs_nothing_else(game: GameUnderTest) -> None:
    for rules in game.drawn_rules[:: max(1, len(game.drawn_rules) // 6)]:
        svg = after(game, 60, rules).svg((640, 420))
        picture = read_picture(svg)
        assert (picture.root.tag, picture.root.get("width"), picture.root.get("height")) == (f"{NAME}svg", "640", "420")
        assert "prefers-color-scheme:dark" in picture.style
        assert not re.search(r"<script|javascript:|on\w+=|url\(|href=\"[^#]|@import", svg)
        assert len(svg) < 30_000
        assert {f"Seat {seat}" for seat in range(rules.players)} <= set(picture.words)


# Animations


def film(game: GameUnderTest, decisions: int) -> tuple[list[Any], str]:
    """The scenes of a game's first decisions and the animation of them."""
    table, chance = game.api.Game(game.quick, seed=5, episode="round"), random.Random(5)
    scenes = [game.card_game.scene_of(table, (800, 500))]
    while len(scenes) <= decisions and not table.is_over:
        game.play(table, chance, 1)
        scenes.append(game.card_game.scene_of(table, (800, 500), Telling(None, f"<decision> & {len(scenes)}")))
    return scenes, svg_animation(scenes, 0.7)


def test_an_animation_shows_each_scene_in_its_beat(game: GameUnderTest) -> None:
    scenes, svg = film(game, 40)
    picture = read_picture(svg)
    beats = len(scenes) + HOLD
    assert picture.seconds == pytest.approx(0.7 * beats)
    for beat in range(beats):
        scene = scenes[min(beat, len(scenes) - 1)]
        assert picture.shown(0.7 * (beat + 0.5)) == read_picture(svg_picture(scene)).shown()


def test_where_nothing_moves_the_last_scene_is_seen(game: GameUnderTest) -> None:
    scenes, svg = film(game, 25)
    picture = read_picture(svg)
    assert picture.shown() == read_picture(svg_picture(scenes[-1])).shown()
    reduced = picture.style.split("@media(prefers-reduced-motion:reduce)")[1]
    assert reduced.split() == ["{.f{display:none!important}.z{display:inline!important}}"]
    lasting = [each for each in picture.root.iter() if each.find(f"{NAME}set[@to='none']") is not None]
    assert lasting
    assert {each.attrib["class"] for each in lasting} == {"z"}
    assert picture.root.findtext(f"{NAME}title") == scenes[-1].title


# Notebooks


def image_in(html: str) -> str:
    """The picture inside an image of a page."""
    found = re.search(r'<img src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert found is not None
    return base64.b64decode(found[1]).decode()


def test_in_a_notebook_a_game_is_its_picture(game: GameUnderTest) -> None:
    table = after(game, 30)
    assert image_in(table._repr_html_()) == table.svg((640, 420))


def test_in_a_notebook_a_batch_is_its_size_and_its_first_table(game: GameUnderTest) -> None:
    batch = game.api.GameBatch(game.quick, n=3, seed=8)
    assert "of 3 tables" in batch._repr_html_()
    assert image_in(batch._repr_html_()) == game.api.Game(game.quick, seed=8).svg((640, 420))
    second = game.api.Game(game.quick, seed=8, deal=1).svg((640, 420))
    assert image_in(batch.select([1])._repr_html_()) == second
