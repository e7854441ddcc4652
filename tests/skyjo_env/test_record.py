"""How games of Skyjo are written; `tests/games` has what holds for the records of every game."""

from skyjo_env import Game, Rules, format_record
from tests.helpers import play


def test_a_record_is_written_turn_by_turn() -> None:
    """Seat 1 opens last and also has the first turn: these are two lines."""
    game = Game(Rules(rows=2, columns=2, opening_flips=1, max_rounds=2), seed=0)
    names = ["flip 0", "flip 0", "take", "place 0", "draw", "flip 2", "draw"]
    play(game, *names)
    assert (game.starter, game.seat) == (1, 1)
    *body, end = format_record(game.record()).splitlines()
    assert body == [
        "skyjo-record 1",
        "rules rows=2 columns=2 opening_flips=1 max_rounds=2",
        "seed 0",
        "deal 0",
        "episode game",
        "seat 0: flip 0",
        "seat 1: flip 0",
        "seat 1: take, place 0",
        "seat 0: draw, flip 2",
        "seat 1: draw",
    ]
    assert end == f"end moves=7 check={game.record()['check']} totals 0 0"
