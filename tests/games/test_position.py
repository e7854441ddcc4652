"""Written positions: they say everything, leave open what they may, and refuse what cannot be on a table."""

import random
import re
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from cardtable.table.errors import PositionError
from cardtable.table.game.positions import invalid_rows
from skyjo_env import Rules
from tests.games.listed import GAMES, cases_of, game_id
from tests.games.under_test import GameUnderTest
from tests.helpers import line, lines


def test_semicolons_comments_blank_lines_and_order_do_not_matter(game: GameUnderTest) -> None:
    words = Counter(line.split()[0] for line in game.written_position.splitlines())
    ordered = [line for line in game.written_position.splitlines() if words[line.split()[0]] > 1]
    free = [line for line in game.written_position.splitlines() if line not in ordered]
    random.Random(1).shuffle(free)
    text = ";;  ".join(free) + "\n\n# seats; 3 of them\n" + "  # one\n".join(ordered) + "# end"
    assert game.api.Game.from_position(text).position() == game.api.Game.from_position(game.written_position).position()


def test_what_is_left_open_is_filled_with_the_missing_cards(game: GameUnderTest) -> None:
    table = game.api.Game.from_position(game.written_position)
    game.check(table)
    (draw,) = re.findall(r"^draw (\d+) \.\.\.$", game.written_position, re.MULTILINE)
    assert line(table, "draw").split()[0] == draw
    assert game.api.Game.from_position(table.position()).position() == table.position()


def test_other_chance_fills_other_cards(game: GameUnderTest) -> None:
    keys = ("00ff", "00fe", "00ff")
    table, other, again = (game.api.Game.from_position(game.written_position.replace("00ff", key)) for key in keys)
    assert table.position() == again.position()
    assert lines(table, "draw") != lines(other, "draw")


LAST = "seat 0 turn"  # the last line of every short position
DAMAGES = [  # {last} is its number, {after} that of a line after it
    ("{name}-position 1", "{name}-position 2", "line 1: {name}-position '2': this version"),
    (LAST, "", "0 lines begin with 'seat'"),
    (LAST, f"{LAST}\n{LAST}", "2 lines begin with 'seat'"),
    (LAST, "seat 0", "line {last}: .*known are"),
    (LAST, "seat x turn", "line {last}: .*'x( turn)?'"),
    (LAST, "seat 0 thinking", "line {last}: .*known are (opening, )?turn, .*over, truncated"),
    (LAST, "seat 2 turn", "seat 2 is not from 0 to 1"),
    (LAST, f"{LAST}\nhello world", "line {after}: unknown word 'hello'"),
    (LAST, f"{LAST}\nepisode match", "line {after}: .*known are round, game"),
    (LAST, f"{LAST}\nchance 0 10000000000000000", "line {after}: chance"),
    (LAST, f"{LAST}\ntotals 1 2 3", "line {after}: .*2 numbers"),
    (LAST, f"{LAST}\nturns many", "line {after}: turns 'many'"),
    (LAST, f"{LAST}\nround 32768", "line {after}: .*numbers go from -32767 to 32767"),
    (LAST, f"{LAST}\nround 0", "round 0 is not from 1 to 1000"),
]


@pytest.mark.parametrize(("game", "damage"), [*cases_of("position_damages"), *product(GAMES, DAMAGES)], ids=game_id)
def test_a_line_that_cannot_be_read_or_that_no_table_has_is_refused_with_the_reason(
    game: GameUnderTest, damage: tuple[str, str, str]
) -> None:
    last = len(game.short_position.splitlines())
    old, new, reason = (text.format(name=game.name, last=last, after=last + 1) for text in damage)
    game.api.Game.from_position(game.short_position)
    assert old in game.short_position
    with pytest.raises(PositionError, match=reason):
        game.api.Game.from_position(game.short_position.replace(old, new, 1))


@pytest.mark.parametrize(("game", "damage"), cases_of("damaged_states"))
def test_a_state_that_compiled_code_could_not_bear_is_not_restored(
    game: GameUnderTest, damage: tuple[str, dict[str, Any], str]
) -> None:
    rules, fields, reason = damage
    batch = game.api.GameBatch(rules, n=3, seed=1)
    before, state = batch.state(), batch.state()
    for field, value in fields.items():
        state["games"][field][1] = value
    with pytest.raises(PositionError, match=reason):
        batch.restore(state)
    assert (batch.state()["games"] == before["games"]).all()
    batch.restore(before)


def test_of_every_invalid_record_the_row_is_named_and_what_it_violates_first() -> None:
    games = np.zeros(4, [("turns", "i2"), ("seats", "i2", 3)]).view(np.recarray)
    games["turns"][1:], games["seats"][2] = 7, (0, 5, 6)
    conditions: list[Any] = [
        (games["seats"] > 4, "seat {at} has {value} of {rules.players}", games["seats"]),
        (games["turns"] == 7, "after {game.turns} turns"),
    ]
    assert list(invalid_rows(Rules(players=3), games, conditions)) == [
        (1, "after 7 turns"),
        (2, "seat 1 has 5 of 3"),
        (3, "after 7 turns"),
    ]
