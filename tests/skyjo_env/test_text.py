"""What a table of Skyjo shows, as arrays and as text, and colours for terminals that want them."""

import re
import sys

import pytest

from cardtable.table.render.faces import CARD_CODES
from cardtable.table.render.text import terminal_has_colour
from skyjo_env import EMPTY, HIDDEN, OFFICIAL, ObservationSpec, SkyjoError, parse_action
from skyjo_env.render import format_table
from tests.helpers import BOARD, REST, board, play, score_lap, table


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
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "dumb"}, False, True),
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


def test_a_name_of_no_action_is_refused_with_the_names_there_are() -> None:
    for name in ("", "place", "place 12", "flip -1", "Draw", "draw ", "discard"):
        with pytest.raises(SkyjoError, match=f"unknown action {name!r}: the actions are draw; take; place 0-11; flip"):
            parse_action(OFFICIAL, name)


def test_the_board_is_shown_as_rows_and_columns() -> None:
    """Clauses 1.3, 1.4."""
    game = table(f"board 1 2 3 | . ?5 6 | ? ? ? | ? ? -2; board {BOARD}; discard 3; seat 0 turn")
    hidden = [HIDDEN] * 3
    assert game.board(0).T.tolist() == [[1, 2, 3], [EMPTY, HIDDEN, 6], hidden, [HIDDEN, HIDDEN, -2]]
    assert game.board(1).tolist() == [[HIDDEN] * 4] * 3


def test_the_table_as_text_shows_every_seat_and_what_is_open() -> None:
    text = f"rules players=8; totals 1 2 3 4 5 6 7 88; {'board 11 -2 . | ? ? ? | ? ? ? | ? ? ?; ' * 5}"
    shown = str(table(f"{text}{f'board {BOARD}; ' * 3}discard 7; seat 2 drawn 12"))
    assert re.findall(r"(>?seat \d)", "\n".join(shown.splitlines()[1:])) == [
        ">seat 2" if seat == 2 else f"seat {seat}" for seat in range(8)
    ]
    assert [shown.count(word) for word in ("11", "-2", " .", "?", "total", "88")] == [5, 5, 5, 81, 8, 1]
    assert "seat 2: drawn 12 | discard 7, draw pile 57" in shown


ENDS = [
    (f"{board('1 2')}; {board('5')}; discard 3; scores 3 5; totals 3 5; seat 1 over", "over, won by seat 0 |"),
    (f"{board('1 4')}; {board('5')}; discard 3; scores 5 5; seat 1 over", "over, won by seat 0 and seat 1 |"),
    (
        f"rules max_turns=5; turns 5; board {BOARD}; board {BOARD}; discard 3; seat 0 truncated",
        "stopped after too many turns |",
    ),
    (f"{board('1 2')}; {board('?5')}; discard 3; ender 0; turns_left 1; seat 1 turn", "ended by seat 0, 1 left"),
    (f"{board('? 2')}; {board('?5')}; discard 3; seat 1 taken 7", "seat 1: taken 7 | discard 3, draw pile"),
    (f"{board('? 2')}; {board('?5')}; discard; seat 1 taken 7", "discard empty"),
]


@pytest.mark.parametrize(("text", "headline"), ENDS)
def test_the_headline_says_what_is_going_on(text: str, headline: str) -> None:
    shown = str(table(text))
    assert headline in shown.splitlines()[0]
    assert ("over" in headline or "stopped" in headline) == (">" not in shown)


def test_bounds_hold_for_enormous_totals() -> None:
    """An observation is 16 bits wide; totals beyond are shown as the greatest that fits."""
    game = table(f"episode round; totals 40000 -40000; board {BOARD}; board {BOARD}; discard 3; seat 0 turn")
    assert ObservationSpec(game.rules).view(game.observation()).totals.tolist() == [32767, -32767]
