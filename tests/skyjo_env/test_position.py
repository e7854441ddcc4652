"""How positions of Skyjo are written and read, and records written; `tests/games` has what holds for every game."""

import pytest

from skyjo_env import HIDDEN, Game, PositionError, Rules, format_record
from tests.helpers import BOARD, line, play, table
from tests.skyjo_env.positions import LAST, SHORT, WRITTEN


def test_every_line_of_a_position_is_read() -> None:
    game = Game.from_position(WRITTEN)
    assert (game.rules, game.episode, game.round, game.turns) == (Rules(players=3), "round", 2, 7)
    assert (game.starter, game.ender, game.turns_left) == (1, 2, 2)
    assert (game.totals, game.round_scores) == ((12, -3, 0), (12, -3, 0))
    assert (game.seat, game.phase, game.hand, game.discard_top) == (0, "drawn", 11, 12)
    assert game.board(0)[:, 0].tolist() == [9, 9, -1]
    assert (game.board(1) == HIDDEN).all()
    assert line(game, "chance") == "00000000000000ff 0000000000000001"


def test_what_a_position_leaves_out_has_its_default() -> None:
    game = table(f"board {BOARD}; board {BOARD}; discard 3; seat 1 turn")
    assert (game.rules, game.episode, game.round, game.turns, game.turns_left) == (Rules(), "game", 1, 0, 0)
    assert (game.totals, game.round_scores, game.starter, game.ender, game.draw_pile_size) == (
        (0, 0),
        (0, 0),
        0,
        None,
        125,
    )
    assert (game.seed, game.deal) == (0, 0)


@pytest.mark.parametrize(("opened", "phase"), [("? ? ?", "opening"), ("1 ? ?", "opening"), ("1 2 ?", None)])
def test_in_the_opening_the_seat_has_a_card_left_to_open(opened: str, phase: str | None) -> None:
    """Clause 2.2."""
    text = SHORT.replace("board ? ? ?", f"board {opened}", 1).replace(LAST, "seat 0 opening")
    if phase is not None:
        assert Game.from_position(text).phase == phase
    else:
        with pytest.raises(PositionError, match="seat 0 has opened 2 cards, but 0 opens"):
            Game.from_position(text)


@pytest.mark.parametrize("cleared", ["to_discard", "out_of_play"])
def test_there_must_be_a_card_for_every_hidden_cell(cleared: str) -> None:
    rules = f"rules rows=2 columns=2 opening_flips=1 deck=0:10 cleared_cards={cleared}"
    with pytest.raises(PositionError, match=r"8 cards are written as \?, but 7 are left"):
        table(f"{rules}; board ? ? | ? ?; board ? ? | ? ?; discard 0 0 0; seat 0 turn")


def test_a_drawn_card_that_is_not_known_is_any_card() -> None:
    rules = "rules rows=2 columns=2 opening_flips=1 deck=0:5,1:4,7:1"
    game = table(f"{rules}; board ?0 1 | 1 0; board ?0 1 | 1 0; discard 0; draw; seat 0 drawn ?")
    assert game.hand == 7
    with pytest.raises(PositionError, match=r"1 cards are written as \?, but 0 are left"):
        table(f"{rules}; board ?0 1 | 1 0; board ?0 1 | 1 0; discard 0 7; draw; seat 0 drawn ?")


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
