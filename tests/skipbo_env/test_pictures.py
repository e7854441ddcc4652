"""Pictures of a table of Skip-Bo: what is shown and where, and what is said."""

from itertools import chain
from typing import Any

import pytest

from skipbo_env import Game
from skipbo_env.kernel import DISCARD
from tests.helpers import play
from tests.pictures import marked_cards, shown_cards, written_words
from tests.skipbo_env.tables import NO_MOVE, closed, table

TABLE = """rules stock=4; building 3 0 5:2,5 11; completed 1 1 w; stock ? 5; stock ? ? w; hand 1 8 9 w; hand 2 3;
piles 4 | | 12 w | ; piles | 9 | | 1 2 3 4 5 6 7 8 9 10 11 12; draw 8 ...; seat 0 turn"""


def test_every_card_lies_in_its_place() -> None:
    shown = shown_cards(table(TABLE))
    assert shown[:6] == ["back", "back", "3", "empty", "5", "11"]
    assert shown[6:15] == ["5", "4", "empty", "12", "W", "empty", "1", "8", "9"]
    assert shown[16:] == ["W", "empty", "9", "empty", "9", "10", "11", "12", "back", "back"]
    assert "+8" in written_words(table(TABLE))


# What has moved, and what is said

PLAIN = "stock ? 9; stock ? 7; hand 5 5 5 6 12; hand 6; building 4 0 6 11; draw ..."


def marked_places(game: Game) -> list[Any]:
    """All that bears the mark of the last move: building places and (seat, discard pile), of at most one card each."""
    seats = [["stock", *((seat, pile) for pile in range(4)), *game.hand(seat)] for seat in range(game.rules.players)]
    return marked_cards(game, ("draw", "completed", *range(4), *chain.from_iterable(seats)))


def test_where_the_last_card_was_laid_is_marked() -> None:
    game = table(f"{PLAIN}; seat 0 turn")
    assert marked_places(game) == []
    assert marked_places(play(game, "hand 5 to 0")) == [0]
    assert marked_places(play(game, "hand 12 to 3")) == [3]  # the pile has left the table
    assert marked_places(play(game, "discard 6 on 2")) == [(0, 2)]
    action = next(action for action in game.legal_actions() if action >= DISCARD)
    game.apply(action)
    assert marked_places(game) == [(1, action % 4)]


SAID: list[tuple[str, tuple[str, ...], list[str]]] = [
    (f"{PLAIN}; totals 95 7; seat 1 turn", (),
     ["Seat 1 to move", "round 1, turn 1", "total 95", "total 7", "next 5", "next 1", "next 12", "completed 0", "2"]),
    (f"{PLAIN}; turns 8; seat 0 turn", ("hand 5 to 0",),
     ["round 1, turn 9", "next 6", "Last move: seat 0: hand 5 to 0"]),
    ("rules players=3; stock 7; stock 8 9; stock 1; building 6 0 0 0; episode round; draw ...; seat 0 turn",
     ("stock to 0",),
     ["Seat 0 wins the round", "round 40", "total 40", "round 0", "total 0", "0", "round 1, turn 1"]),
    ("rules max_turns=3; stock 7; stock 8; hand 4; hand; turns 2; draw ...; seat 0 turn", ("discard 4 on 0",),
     ["Stopped after too many turns", "total 0", "round 1, turn 3"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "moves", "said"), SAID)
def test_the_picture_says_what_is_going_on(text: str, moves: tuple[str, ...], said: list[str]) -> None:
    assert set(said) <= set(written_words(play(table(text), *moves)))


def test_a_blocked_round_is_won_by_nobody() -> None:
    """Clause 5.3."""
    game = play(closed(f"episode round; stock 3 2; stock 3 2; {NO_MOVE}"), "pass", "pass")
    assert {"Nobody wins the round", "round 1, turn 2, blocked"} <= set(written_words(game))
