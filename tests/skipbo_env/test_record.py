"""How games of Skip-Bo are written; `tests/games` has what holds for the records of every game."""

from skipbo_env import Game, format_record
from tests.helpers import legal, play

# Seat 0 wins by its first card and starts the second round, in which it discards.
START = """\
skipbo-position 1
rules stock=1 next_starter=winner
stock w
stock 5
hand 4 w
hand 2
piles 9 | | |
piles | | |
draw 7 ...
seat 0 turn
"""


def test_a_record_is_written_turn_by_turn_and_round_by_round() -> None:
    game = play(Game.from_position(START), "hand w to 2", "stock to 2")
    assert game.round == 2
    (discard, *_) = legal(game, "discard")
    play(game, discard)
    *start, first, second, end = format_record(game.record()).splitlines()
    assert start[0] == "skipbo-record 1"
    assert all(line.startswith("start ") for line in start[1:])
    assert first == "seat 0: hand w to 2, stock to 2"
    assert second == f"seat 0: {discard}"
    assert end == f"end moves=3 check={game.record()['check']} totals 30 0"
