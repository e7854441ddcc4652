"""Players with a habit: each does what its description says, and where the habit is silent, what `threshold` does."""

import random
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from skyjo_env import HIDDEN, OFFICIAL, Game, Rules, make_agent
from tests.helpers import decide, legal, play
from tests.skyjo_agents.test_scripted import Seat, described
from tests.skyjo_env.lockstep import random_rules
from tests.skyjo_play import play_paired

T = 2.0
Habit = Callable[[Seat], set[str] | None]  # the actions that the habit allows, None where it is silent


def may_turn_up(seat: Seat) -> bool:
    """Is a card in hand that completes no column, while own cards are hidden?"""
    return seat.game.hand is not None and bool(seat.hidden) and not seat.completing(seat.game.hand)


def hurried(seat: Seat) -> set[str] | None:
    if not may_turn_up(seat):
        return None
    placed = {f"place {cell}" for cell in seat.hidden}
    assert seat.game.hand is not None
    if seat.game.phase == "taken" or seat.game.hand < seat.mean:
        return placed
    if seat.game.rules.flip_after_discard == "none":
        return {"discard"}
    return {f"flip {cell}" for cell in seat.hidden}


def pairing(seat: Seat, card: int) -> set[str]:
    """Where the card lies beside a single equal one, not in the place of a lower or equal card."""
    rows, columns = range(seat.rules.rows), range(seat.rules.columns)
    found = {}
    for row, column in product(rows, columns):
        cell = seat.cell(row, column)
        equal = [seat.open.get(seat.cell(other, column)) == card for other in rows]
        if sum(equal) == 1 and (cell in seat.hidden or seat.open.get(cell, card) > card):
            found[f"place {cell}"] = cell in seat.hidden
    hidden = {name for name, is_hidden in found.items() if is_hidden}
    return hidden or set(found)


def collector(seat: Seat) -> set[str] | None:
    game = seat.game
    if game.phase == "turn" and game.discard_top is not None and pairing(seat, game.discard_top):
        return {"take"}
    if game.hand is None or seat.completing(game.hand):
        return None
    return pairing(seat, game.hand) or None


def expected_sums(seat: Seat) -> list[float]:
    """What every board is expected to sum to, the own one first."""
    sums = []
    for other in range(seat.rules.players):
        board = seat.game.board((seat.game.seat + other) % seat.rules.players)
        hidden = int((board == HIDDEN).sum())
        sums.append(float(board[board < HIDDEN].sum() + hidden * seat.mean))
    return sums


def cautious(seat: Seat) -> set[str] | None:
    game = seat.game
    late = game.turns >= 20 * game.rules.players
    if game.hand is None or len(seat.hidden) != 1 or not seat.open or game.ender is not None or late:
        return None
    (last,), (own, *others) = seat.hidden, expected_sums(seat)
    turns_up = described(game, T, True) & {f"place {last}", f"flip {last}"}
    return {f"place {seat.worst()}"} if turns_up and own + 5 > min(others) else None


def copycat(seat: Seat) -> set[str] | None:
    others = [(seat.game.seat + other) % seat.rules.players for other in range(1, seat.rules.players)]
    fewest = min(int((seat.game.board(other) == HIDDEN).sum()) for other in others)
    return hurried(seat) if fewest < len(seat.hidden) else None


@pytest.mark.parametrize("habit", [hurried, collector, cautious, copycat], ids=lambda habit: habit.__name__)
@pytest.mark.parametrize("rules", [OFFICIAL, OFFICIAL.replace(players=4), None], ids=["two", "four", "random"])
def test_a_habit_decides_as_described(rules: Rules | None, habit: Habit) -> None:
    chance, seen = random.Random(1), 0
    for seed in range(6 if rules else 25):  # random rules seldom let a habit show
        chosen = rules or random_rules(random.Random(seed)).replace(max_rounds=2)
        agent = make_agent(f"{habit.__name__}:t={T}", chosen)
        game = Game(chosen, seed=seed)
        while not game.is_over:
            name = decide(agent, game, chance.getrandbits(64))
            wanted = habit(Seat(game)) if game.phase in ("turn", "drawn", "taken") else None
            seen += wanted is not None
            assert name in (wanted or described(game, T, True)), f"{game}\n{game.position()}"
            play(game, name if chance.random() < 0.9 else chance.choice(legal(game)))
    assert seen > 10


def test_rounds_between_players_with_habits_end() -> None:
    """Also between those who wait for each other."""
    for name in ("hurried", "collector", "cautious", "copycat"):
        played = play_paired([name, name], seed=1, deals=range(100))
        assert not np.any(played.is_stopped)
