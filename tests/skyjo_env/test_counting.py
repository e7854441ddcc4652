"""An exact value on a tiny deck: the kernel, the oracle and golden numbers agree."""

import copy
from fractions import Fraction
from typing import Any

import pytest

from skyjo_env import Game
from tests.skyjo_env.expectimax import Expectimax, arrangements
from tests.skyjo_env.lockstep import expected_view, kernel_fields
from tests.skyjo_env.oracle import Table

# The exact value for seat 0 of the position below, by the turns until the round is stopped and the unseen cards.
GOLDEN_VALUES = [
    (1, (-1, -1, 3, 5), Fraction(0)),
    (2, (-1, -1, 0, 3, 5), Fraction(5, 12)),
    (3, (-1, -1, 0, 0, 3, 5), Fraction(3, 4)),
]


def position(turns: int, unseen: tuple[int, ...]) -> str:
    """Each seat has one hidden card left and a pair in a column of two would clear."""
    first, second, *pile = unseen
    return f"""skyjo-position 1
    rules rows=2 columns=2 opening_flips=3 deck=-1:2,0:{1 + turns},3:4,5:3 max_turns={turns}
    episode round
    board 3 0 | 3 ?{first}
    board 5 0 | ?{second} 5
    discard 3
    draw {" ".join(map(str, pile))}
    seat 0 turn"""


def margin(table: Any) -> int:
    """Seat 0's margin; a stopped round counts for nothing."""
    stopped = table.phase == "truncated"
    return 0 if stopped else int(table.round_scores[1] - table.round_scores[0])


def oracle_table(game: Game) -> Table:
    """The oracle's table in the same state."""
    table = Table(game.rules, episode=game.episode)
    for name, value in kernel_fields(game).items():
        if name not in ("legal", "winners"):
            setattr(table, name, value)
    return table


@pytest.mark.parametrize(("turns", "unseen", "golden"), GOLDEN_VALUES)
@pytest.mark.slow
def test_the_exact_value_of_a_tiny_position(turns: int, unseen: tuple[int, ...], golden: Fraction) -> None:
    games = [Game.from_position(position(turns, order)) for order in arrangements(unseen)]
    kernel = Expectimax(Game.copy, Game.legal_actions, lambda game: game.observation().tobytes(), margin)
    assert kernel.value(games) == golden


@pytest.mark.parametrize(("turns", "unseen", "golden"), GOLDEN_VALUES[:2])
def test_the_oracle_finds_the_same_value(turns: int, unseen: tuple[int, ...], golden: Fraction) -> None:
    tables = [oracle_table(Game.from_position(position(turns, order))) for order in arrangements(unseen)]
    oracle = Expectimax(copy.deepcopy, Table.legal_actions, lambda table: str(expected_view(table, table.seat)), margin)
    assert oracle.value(tables) == golden
