"""The tempo player: when it ends a round and when not, what it gives away, and that it wins."""

import numpy as np
import pytest

from cardtable.arena.statistics import estimate
from skyjo_env import OFFICIAL, Game, ObservationSpec, Rules, make_agent
from tests.helpers import decide, table
from tests.skyjo_play import play_paired, play_rounds

ALMOST = "0 1 0 | 2 1 0 | 1 0 2 | 0 1 ?"  # a good board with one hidden card
HIGH = "9 12 ? | 10 7 ? | ? 11 8 | ? ? 6"
LOW = "0 -1 -2 | 0 1 -2 | -1 0 2 | 0 1 ?"


def choice(text: str, agent: str = "tempo") -> str:
    return decide(agent, table(text))


@pytest.mark.parametrize(("other", "ends"), [(HIGH, True), (LOW, False)])
def test_it_ends_the_round_only_if_that_pays(other: str, ends: bool) -> None:
    """A 12 is of no use: to discard it turns up the last hidden card, else it must be placed on an open one."""
    assert (choice(f"board {ALMOST}; board {other}; discard 3; seat 0 drawn 12") == "flip 11") == ends


ENDED = "ender 1; turns_left 1; board 7 ? . | . . . | . . . | . . .; board 12 . . | . . . | . . . | . . ."


def test_in_the_final_lap_it_doubles_the_enders_score_if_it_can() -> None:
    """5 for the 7 leaves 10 points on average, but only 5 for the hidden card surely no more than the ender's 12."""
    assert choice(f"{ENDED}; discard 3; seat 0 drawn 5") == "place 1"


@pytest.mark.parametrize("rules", ["penalty_factor=1", "ender_penalty_mode=off"])
def test_where_nothing_is_doubled_only_points_count(rules: str) -> None:
    assert choice(f"rules {rules}; {ENDED}; discard 3; seat 0 drawn 5") == "place 0"
    assert choice(f"rules {rules}; board {ALMOST}; board {LOW}; discard 3; seat 0 drawn 12") == "flip 11"


def test_after_a_reshuffle_draws_and_hidden_cards_are_told_apart() -> None:
    """When all know that the draw pile holds zeros only, a 1 is not worth taking; else it is."""
    game = table("board 9 9 8 | ? ? ? | ? ? ? | 7 8 9; board 5 5 ? | ? ? ? | 6 ? ? | ? ? 7; discard 1; seat 0 turn")
    observation, chances = game.observation()[None], np.zeros(1, np.uint64)
    assert make_agent("tempo").act(observation, game.mask()[None], chances).tolist() == [1]
    pool = ObservationSpec(OFFICIAL).view(observation).draw_pool
    pool[:] = [[card == 0 for card in OFFICIAL.values]]
    assert make_agent("tempo").act(observation, game.mask()[None], chances).tolist() == [0]


def test_a_high_card_never_costs_less_than_a_low_one() -> None:
    other = "board ? ? ? | ? ? ? | ? ? ? | ? 5 3"
    assert choice(f"board 4 12 ? | ? ? ? | ? ? ? | ? ? ?; {other}; discard 3; seat 0 drawn 0") != "place 0"
    assert choice(f"board 12 4 ? | ? ? ? | ? ? ? | ? ? ?; {other}; discard 3; seat 0 drawn 0") != "place 1"


def test_at_the_very_end_only_the_expected_score_counts() -> None:
    """A pair hopes for nothing any more: 0 goes on the higher card of it, not on the 7."""
    ended = "ender 1; turns_left 1; board 8 8 ? | 7 . . | . . . | . . .; board 1 . . | . . . | . . . | . . ."
    assert choice(f"{ended}; discard 3; seat 0 drawn 0") in ("place 0", "place 1")


def test_it_keeps_a_pair_that_can_still_be_completed() -> None:
    early = "board 8 8 ? | 9 ? ? | ? ? ? | ? ? ?; board ? ? ? | ? ? ? | ? 1 ? | ? ? 2"
    assert choice(f"{early}; discard 3; seat 0 drawn 0") == "place 3"


def test_it_does_not_discard_what_the_next_player_needs() -> None:
    """A drawn 9 would complete a column of the other; a 9 on an open 10 would not be given away."""
    board = "board 9 9 ? | 1 ? ? | ? ? ? | ? ? ?"
    own = "board 10 1 ? | ? ? ? | ? ? ? | ? 2 ?"
    assert choice(f"{own}; {board}; discard 3; seat 0 drawn 9") == "place 0"
    assert choice(f"{own}; {board}; discard 3; seat 0 drawn 9", "tempo:gift=0").startswith("flip")


def test_two_of_them_do_not_wait_for_each_other() -> None:
    played = play_rounds([make_agent("tempo"), make_agent("tempo")], deals=range(2000))
    assert not played.is_stopped.any()
    assert played.turns.max() < 150


@pytest.mark.parametrize("players", [2, 3, 5])
def test_it_beats_the_yardstick(players: int) -> None:
    """By 4 points a round at least with two players, and clearly with more."""
    names = ["tempo"] + ["threshold:t=2,columns=true"] * (players - 1)
    found = estimate(play_paired(names, Rules(players=players), deals=range(2500 // players)).margins[:, 0])
    assert found.mean - found.half > (4 if players == 2 else 2)


def test_the_opening_is_random() -> None:
    game = Game(OFFICIAL)
    observations, masks = np.repeat(game.observation()[None], 500, 0), np.repeat(game.mask()[None], 500, 0)
    actions = make_agent("tempo").act(observations, masks, np.arange(500, dtype=np.uint64))
    assert len(set(actions.tolist())) == 12
