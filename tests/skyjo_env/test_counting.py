"""Counts of distinct states and an exact game value on tiny decks: the kernel, the oracle and golden numbers agree."""

import copy
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from skyjo_env import Game, Rules
from tests.skyjo_env.expectimax import Expectimax, arrangements
from tests.skyjo_env.lockstep import expected_view, kernel_fields, oracle_fields
from tests.skyjo_env.oracle import Table

TINY = Rules(rows=2, columns=2, deck=((-1, 2), (0, 4), (3, 6)), opening_flips=1, max_turns=6)
CONFIRM = TINY.replace(clear="confirm", row_clear=True, flip_after_discard="none", opening_flips=3)
CROWD = TINY.replace(players=3, deck=((1, 7), (2, 8)), initial_flip="random", reshuffle="all_then_turn_up_new")

# Distinct states after 0, 1, 2, ... decisions from deal 0 of seed 0, as both implementations count them.
GOLDEN_COUNTS = {
    "tiny": (TINY, [1, 4, 16, 32, 117, 234, 900, 1800]),
    "confirm": (CONFIRM, [1, 4, 6, 4, 16, 24, 16, 32]),
    "crowd": (CROWD, [1, 2, 10, 20, 86, 172, 792, 1584]),
}

# The exact value for seat 0 of the position below, by the turns until the round is stopped and the unseen cards.
GOLDEN_VALUES = [
    (1, (-1, -1, 3, 5), Fraction(0)),
    (2, (-1, -1, 0, 3, 5), Fraction(5, 12)),
    (3, (-1, -1, 0, 0, 3, 5), Fraction(3, 4)),
]


def kernel_counts(rules: Rules, depth: int) -> list[int]:
    """Count distinct positions by depth with the kernel."""
    return count_states([Game(rules, episode="round")], depth, Game.legal_actions, Game.copy, Game.position)


def oracle_counts(rules: Rules, depth: int) -> list[int]:
    """The same with the oracle."""
    start = [Table(rules, episode="round")]
    return count_states(start, depth, Table.legal_actions, copy.deepcopy, lambda table: str(oracle_fields(table)))


def count_states(
    states: list[Any],
    depth: int,
    legal: Callable[[Any], list[int]],
    copied: Callable[[Any], Any],
    written: Callable[[Any], str],
) -> list[int]:
    counts = [len(states)]
    for _ in range(depth):
        reached = {}
        for state in states:
            for action in legal(state):
                after = copied(state)
                after.apply(action)
                reached[written(after)] = after
        states = list(reached.values())
        counts.append(len(states))
    return counts


@pytest.mark.parametrize("name", GOLDEN_COUNTS)
def test_the_number_of_distinct_states_by_depth(name: str) -> None:
    rules, golden = GOLDEN_COUNTS[name]
    depth = len(golden) - 1
    assert kernel_counts(rules, depth) == golden
    assert oracle_counts(rules, depth - 1) == golden[:-1]


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
