"""What boards cost (skyjo_agents.expected) against a plain transcription, with any costs and odds."""

import random
from typing import Any

import numpy as np
import pytest

from skyjo_agents.expected import best_changes, best_flip, best_places, read_board
from skyjo_agents.player import PLAYER_DTYPE
from skyjo_env import EMPTY, HIDDEN, OFFICIAL, Game, Rules
from skyjo_env.kernel.view import AT_CELLS
from tests.helpers import first_quick
from tests.skyjo_env.lockstep import random_rules


def any_player(rules: Rules, chance: random.Random) -> Any:
    """A player with numbers at random."""
    player = np.zeros(1, PLAYER_DTYPE)[0]
    values = len(rules.values)
    player["odds"][:values] = chance.choices(range(1, 9), k=values)
    player["odds"] /= player["odds"].sum()
    for name in ("costs", "completion_odds", "discard_costs"):
        player[name][:values] = [chance.uniform(-3, 9) if name == "costs" else chance.random() for _ in range(values)]
    player["hidden_cost"], player["hidden_discard_cost"] = chance.uniform(2, 6), chance.random()
    player["mean_cost"] = player["odds"][:values] @ player["costs"][:values]
    return player


class Board:
    """A board and what it costs, in the words of skyjo_agents.expected."""

    def __init__(self, rules: Rules, player: Any, cards: list[int]) -> None:
        self.rules, self.player, self.cards = rules, player, cards

    def column(self, cell: int) -> list[int]:
        first = cell - cell % self.rules.rows
        return self.cards[first : first + self.rules.rows]

    def of(self, name: str, card: int) -> float:
        return float(self.player[name][card - self.rules.values[0]])

    def costs(self, column: list[int]) -> float:
        """What a column costs; of two different cards in two rows the better hope counts."""
        points = 0.0
        for card in column:
            points += 0.0 if card == EMPTY else self.player["hidden_cost"] if card == HIDDEN else self.of("costs", card)
        opened = [card for card in column if card < HIDDEN]
        if EMPTY in column:
            return points
        if len(opened) == len(column) and len(set(opened)) == 1:
            return min(points, 0.0) if self.rules.clear == "confirm" else 0.0
        hoping = {card for card in opened if opened.count(card) == len(column) - 1}
        return min((points - self.of("completion_odds", card) * max(points, 0.0) for card in hoping), default=points)

    def change(self, cell: int, card: int) -> float:
        """How placing a card changes the cost, with what it costs to give the other away."""
        column = self.column(cell)
        after = column.copy()
        after[cell % self.rules.rows] = card
        gift = (
            self.player["hidden_discard_cost"]
            if self.cards[cell] == HIDDEN
            else self.of("discard_costs", self.cards[cell])
        )
        return self.costs(after) - self.costs(column) + float(gift)

    def cells(self, is_hidden: bool) -> list[int]:
        return [cell for cell, card in enumerate(self.cards) if card != EMPTY and (card == HIDDEN) == is_hidden]


@pytest.mark.parametrize("seed", first_quick(4, range(16)))
def test_every_change_of_cost_is_found(seed: int) -> None:
    chance = random.Random(seed)
    rules = OFFICIAL if seed % 2 else random_rules(chance)
    game = Game(rules, seed=seed)
    for _ in range(60):
        if game.is_over:
            break
        game.apply(chance.choice(game.legal_actions()))
        view = game.observation()
        check(rules, any_player(rules, chance), view, chance)


def check(rules: Rules, player: Any, view: Any, chance: random.Random) -> None:
    params, place = rules.params[0], chance.randrange(rules.players)
    at = AT_CELLS + place * rules.cells
    board = Board(rules, player, view[at : at + rules.cells].tolist())
    columns = (board.column(first) for first in range(0, rules.cells, rules.rows))
    assert read_board(view, params, player, at) == pytest.approx(sum(map(board.costs, columns)))
    card = chance.choice(rules.values)
    places = best_places(view, params, player, card)
    for is_hidden, cell, least in ((False, *places[:2]), (True, *places[2:])):
        changes = {cell: board.change(cell, card) for cell in board.cells(is_hidden)}
        assert least == pytest.approx(min(changes.values(), default=np.inf))
        assert cell == -1 if not changes else changes[cell] == pytest.approx(least)
    best_changes(view, params, player)
    for k, card in enumerate(rules.values):
        for is_hidden, found in ((False, player["by_open"][k]), (True, player["by_hidden"][k])):
            assert found == pytest.approx(
                min((board.change(cell, card) for cell in board.cells(is_hidden)), default=np.inf)
            )
    turned = {}
    for cell in board.cells(True):  # a card that is turned up is given to nobody
        drawn = zip(player["odds"], rules.values, strict=False)
        turned[cell] = sum(share * (board.change(cell, card) - player["hidden_discard_cost"]) for share, card in drawn)
    cell, least = best_flip(view, params, player)
    assert least == pytest.approx(min(turned.values(), default=np.inf))
    assert cell == -1 if not turned else turned[cell] == pytest.approx(least)
