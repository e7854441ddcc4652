"""How positions of Skip-Bo are read, and records written; `tests/games` has what holds for every game."""

import numpy as np
import pytest

from skipbo_env import Game, PositionError, Rules, format_record
from skipbo_env.kernel import CERTAIN, NOBODY, WILD
from tests.helpers import legal, play
from tests.skipbo_env.positions import SHORT, WRITTEN
from tests.skipbo_env.tables import table


def test_every_line_of_a_position_is_read() -> None:
    read = Game.from_position(WRITTEN)
    game = read.state[0]
    assert read.rules == Rules(players=3, stock=4)
    assert (game.episode, game.round_number, game.turns, game.recycles, game.starter, game.ending) == (0, 2, 7, 1, 1, 2)
    assert (game.totals[:3].tolist(), game.round_scores[:3].tolist()) == ([12, 3, 0], [12, 3, 0])
    assert (game.wilds_discarded[:3].tolist(), game.completed_piles[:3].tolist()) == ([0, 1, 0], [2, 0, 0])
    assert (game.heights.tolist(), game.wild_ranks.tolist()) == ([3, 0, 5, 0], [0, 0, 0b1010, 0])
    assert game.completed.tolist() == [2, *[0] * 11, 1]
    assert (game.stock_left[:3].tolist(), game.hand_size[:3].tolist()) == ([2, 3, 1], [3, 0, 2])
    assert (game.stocks[1], game.stocks[6], game.stocks[8]) == (5, WILD, 2)
    assert (game.hands[0, :3].tolist(), game.hands[2, 0]) == ([4, 4, WILD], 7)
    assert game.sizes[:3].tolist() == [[2, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 0]]
    assert game.piles[:5].tolist() == [1, 2, 5, WILD, 9]
    assert (game.last_seat, game.last_action) == (2, 72 + 4 * 8 + 1)
    assert (game.seat, game.phase, game.key, game.chance) == (0, 0, 255, 1)


def test_what_a_position_leaves_out_has_its_default() -> None:
    read = table("stock ? 5; stock 5; seat 1 turn")
    game = read.state[0]
    assert (read.rules, game.episode, game.round_number, game.starter, game.ending) == (Rules(), 1, 1, 0, 0)
    assert (game.last_seat, game.last_action, game.draw_left, game.laid) == (NOBODY, NOBODY, 159, 0)
    assert (game.key, game.chance, game.turns, game.recycles, game.still_turns) == (0, 0, 0, 0, 0)
    assert not game.totals.any() | game.round_scores.any() | game.heights.any() | game.hand_size.any()


@pytest.mark.parametrize(("recycled", "is_even"), [("as_played", True), ("wild", False)])
def test_a_wild_card_may_have_become_the_rank_it_was_played_as_4_4(recycled: str, is_even: bool) -> None:
    text = f"rules recycled_wild={recycled}; stock {'3 ' * 14}; stock 5; draw ...; seat 0 turn"
    if not is_even:
        with pytest.raises(PositionError, match="-2 of card 3"):
            table(text)
        return
    assert np.count_nonzero(table(text).state["piles"] == WILD) == 16


# Knowledge (8.4 to 8.7)


def test_after_a_recycling_the_draw_pile_is_newer_and_hands_are_older_8_5() -> None:
    game = Game.from_position(SHORT + "recycles 1").state[0]
    assert game.newer.tolist() == np.bincount(game.piles[162 - game.draw_left :], minlength=14)[1:].tolist()
    assert (game.older.sum(), game.older_held) == (1 + 2 + 2, 2)
    assert (game.older_odds[0].tolist(), game.older_odds[1].tolist()) == ([0, CERTAIN, 0, 0, 0], [0] * 5)


def test_knowledge_is_read_and_what_is_older_follows_from_it_8_4_8_6() -> None:
    text = "\n".join(
        [
            "rules stock=3; recycles 1",
            "stock 1 5; stock 1 2 w; hand 4 w; hand; piles 6 | | |; piles | | |",
            "draw 7; completed " + " ".join(f"{card} " * 12 for card in (8, 9, 10, 11, 12)),
            "newer 0 0 0 0 0 1 1 0 0 0 0 0 1; doubtful 0 0 0 0 0 1 0 0 0 0 0 0 0",
            "odds 20000 10000 0 0 0; odds 0 0 0 0 0; seat 0 turn",
        ]
    )
    rest = "1 " * 10 + "2 " * 11 + "3 " * 12 + "4 " * 11 + "5 " * 11 + "6 " * 11 + "7 " * 11 + "w " * 16
    game = table(text.replace("; completed", f"; completed {rest}")).state[0]
    assert game.older.tolist() == [2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert (game.older_held, game.older_odds[0].tolist()) == (1, [20000, 10000, 0, 0, 0])


def test_there_must_be_a_card_for_every_question_mark() -> None:
    known = " ".join(f"{card} " * 12 for card in range(1, 12))
    text = f"stock {'w ' * 18}; stock ? ?; completed {known}; building 11 0 0 0; seat 0 turn"
    with pytest.raises(PositionError, match="the cards do not add up to the deck"):
        table(text)


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
