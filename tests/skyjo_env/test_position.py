"""How positions of Skyjo are written and read, and records written; `tests/games` has what holds for every game."""

import pytest

from skyjo_env import HIDDEN, Game, PositionError, Rules, format_record
from tests.helpers import BOARD, REST, line, lines, play, table
from tests.skyjo_env.positions import LAST, SHORT, WRITTEN


def test_a_position_is_written_line_by_line() -> None:
    rules = "players=2 rows=2 columns=2 deck=-1:1,0:8,7:3 opening_flips=1"
    boards = "board ?0 7 | ?0 ?0; board 0 . | ?0 ."
    game = table(
        f"rules {rules}; turns 4; totals 5 -5; {boards}; discard 0 7; draw 7 0 -1; seat 1 taken 0; chance a 0b"
    )
    assert game.position().splitlines() == [
        "skyjo-position 1",
        "rules rows=2 columns=2 deck=-1:1,0:8,7:3 opening_flips=1",
        "episode game",
        "chance 000000000000000a 000000000000000b",
        "turns 4",
        "starter 0",
        "totals 5 -5",
        "scores 0 0",
        "board ?0 7 | ?0 ?0",
        "board 0 . | ?0 .",
        "discard 0 7",
        "draw 7 0 -1",
        "seat 1 taken 0",
    ]


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


def test_an_open_draw_pile_gives_each_part_its_share() -> None:
    """Clause 6.5."""
    game = table(f"rules draw_streams=true; board {BOARD}; board {BOARD}; discard 3; draw 9 8 | 7 ...; seat 0 turn")
    first, second = (part.split() for part in line(game, "draw").split(" | "))
    assert (first[:2], second[0], len(first), len(second)) == (["9", "8"], "7", 63, 62)


def test_cards_out_of_play_are_written_nowhere() -> None:
    """Clause 5.6."""
    text = f"rules cleared_cards=out_of_play; board {BOARD}; board . . . | {REST}; discard 3; draw 1 2 3; seat 0 turn"
    game = table(text)
    assert (line(game, "draw"), lines(game, "board")[1][:5]) == ("1 2 3", ". . .")
    assert play(game, "draw").hand == 1


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
