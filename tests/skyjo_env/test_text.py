"""A table as text: the last move, the scores, and colours for terminals that want them."""

import re
import sys

import pytest

from cardtable.table.render.faces import CARD_CODES
from cardtable.table.render.text import terminal_has_colour
from skyjo_env.render import format_table
from tests.helpers import BOARD, REST, play, score_lap, table


def test_every_card_and_the_deciding_seat_have_their_colour() -> None:
    game = table(f"board -2 -1 0 | 1 4 5 | 8 9 12 | ? ? .; board {BOARD}; discard 7; seat 1 drawn -1")
    painted = re.findall(r"\033\[([0-9;]*)m *(.*?)\033\[0m", format_table(game, colour=True))
    below, zero, green, yellow, red = CARD_CODES
    codes = {"-2": below, "-1": below, "0": zero, "1": green, "4": green}
    codes |= {"5": yellow, "8": yellow, "9": red, "12": red}
    assert {text: code for code, text in painted if text in codes} == codes
    assert [text for code, text in painted if code == "1"] == [">seat 1"]
    assert (yellow, "7") in painted
    assert len({code for code, _ in painted}) == 8  # five classes, hidden, cleared, the seat


def test_the_text_tells_the_last_move_and_at_the_end_the_scores() -> None:
    game = table(f"board 1 ? ? | {REST}; board 2 ? ? | {REST}; discard 3; seat 1 turn")
    assert "last move" not in str(game)
    assert "\nlast move: seat 1: draw\n" in str(play(game, "draw"))
    assert "\nlast move: seat 1: flip 4\n" in str(play(game, "flip 4"))
    assert "round 14" not in str(game)
    end = str(score_lap("", "7", "2", "3", more="totals 10 -9 0; episode round"))
    assert re.findall(r"round \d+, total -?\d+", end) == ["round 14, total 24", "round 2, total -7", "round 3, total 3"]
    assert "won by seat 1 |" in end


@pytest.mark.parametrize(
    ("environment", "is_terminal", "has_colour"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "dumb"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(
    environment: dict[str, str], is_terminal: bool, has_colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm"} | environment).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal, raising=False)
    assert terminal_has_colour() == has_colour
