"""A table of Skip-Bo as text: what it says, that it fits, and its colours."""

import re

from skipbo_env import Game, Rules
from skipbo_env.render import CARD_CODES, format_table
from tests.helpers import play
from tests.skipbo_env.tables import NO_MOVE, closed, table

TABLE = """\
rules players=3 stock=4; round 2; turns 7; totals 12 3 0; building 3 0 5:2,4 0; completed 1 1 w;
stock ? 5; stock ? ? w; stock 2; hand 4 4 w; hand; hand 7 12; piles 1 2 | | 5 | w; piles | | |;
piles | 9 | | 12 11 10 12 11 10 12; draw 8 ...; last 2 discard 9 on 1; seat 0 turn"""
TEXT = """\
round 2, turn 8 | seat 0 to move
last move: seat 2: discard 9 on 1

building  3, next 4        empty, next 1    5, next 6        empty, next 1
          draw pile 128, completed 3

>seat 0   stock 5, 2 left      hand 4 4 w           total 12
          1 [2]            .                [5]              [w]

 seat 1   stock w, 3 left      hand empty           total 3
          .                .                .                .

 seat 2   stock 2, 1 left      hand 7 12            total 0
          .                [9]              .                (+4) 11 10 [12]
"""


def test_a_table_as_text() -> None:
    assert str(table(TABLE)) == TEXT


def test_hands_can_be_left_out() -> None:
    hidden = TEXT.replace("hand 4 4 w", "hand ? ? ?").replace("hand 7 12 ", "hand ? ?  ")
    assert format_table(table(TABLE), hands=False) == hidden


def test_every_card_and_the_seat_to_move_have_their_colour() -> None:
    painted = re.findall(r"\033\[([0-9;]*)m(.*?)\033\[0m", format_table(table(TABLE), colour=True))
    low, middle, high, wild = CARD_CODES
    codes = {"1": low, "4": low, "5": middle, "7": middle, "9": high, "12": high, "w": wild}
    assert {text: code for code, text in painted if text in codes} == codes
    assert [text for code, text in painted if code == "1"] == [">seat 0"]
    assert len({*CARD_CODES}) == 4


def test_the_text_tells_how_a_round_has_ended() -> None:
    """Clauses 5.1, 5.2 and 5.5."""
    won = play(
        table("stock ? 9; stock 7; hand 5 5; hand 6; building 0 0 6 0; episode round; draw ...; seat 1 turn"),
        "stock to 2",
    )
    assert "round 1, turn 1 | won by seat 1\n" in str(won)
    assert re.findall(r"round \d+, total \d+", str(won)) == ["round 0, total 0", "round 35, total 35"]
    assert "stock empty" in str(won)
    blocked = play(closed(f"episode round; stock 3 2; stock 3 2; {NO_MOVE}"), "pass", "pass")
    assert "turn 2, blocked | won by nobody\n" in str(blocked)
    stopped = Game(Rules(max_turns=1), seed=1)
    stopped.apply(stopped.legal_actions()[-1])
    assert "| stopped after too many turns\n" in str(stopped)
    assert "round 0, total" not in str(stopped)
