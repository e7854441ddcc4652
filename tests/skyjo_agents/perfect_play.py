"""Perfect play at tables of two, by trying everything: every choice with every card that may come, to the round's end.

Skyjo is a game of public information except for the card just drawn, which its holder then shows by playing it. So
only what a seat sees matters to it, and `Game.outcomes` has the chances. There is time for this only where little can
happen: on small boards with few cards and turns, and in the last turn of a round.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np

from skyjo_env.game import Game
from skyjo_env.kernel.state import FIRST_PLACE
from skyjo_env.kernel.view import AT_CELLS, AT_SEAT, AT_STARTER
from skyjo_env.observation import spec_of


def final_margin(game: Game) -> float:
    """Return the margin of the seat that decided last. In a stopped round a hidden card counts as the mean of all."""
    scores = np.array(game.round_scores, float)
    if game.is_truncated:
        view = spec_of(game.rules).view(game.observation(0))
        mean = view.hidden_pool @ np.array(game.rules.values) / max(view.hidden_pool.sum(), 1)
        scores = view.open_sums + mean * view.hidden_left
    return float(scores[1 - game.seat] - scores[game.seat])


@dataclass
class PerfectPlay:
    """The values of tables where both seats play perfectly to the end of the round.

    Values are remembered, so an object serves one choice of rules.
    """

    margin: Callable[[Game], float] = final_margin
    known: dict[Hashable, float] = field(default_factory=dict)

    def value(self, game: Game) -> float:
        """Return the margin that the seat to decide can expect, in points."""
        if game.is_over:
            return self.margin(game)
        seen = without_order(game)
        if seen not in self.known:
            self.known[seen] = max(self.worth(game, action) for action in distinct_actions(game))
        return self.known[seen]

    def worth(self, game: Game, action: int, *cards: int) -> float:
        """Return the expected margin of an action; `cards` are the first that it reveals."""
        options = game.outcomes(action, *cards)
        if options:
            return sum(float(chance) * self.worth(game, action, *cards, card) for card, chance in options.items())
        after = game.copy()
        after.apply(action, *cards)
        value = self.value(after)
        return value if after.seat == game.seat else -value


def without_order(game: Game) -> Hashable:
    """Return what the seat to decide sees, without what makes no difference: the order of a column's cells, that of a
    board's columns, and once the opening is over the seats' numbers and who began.
    """
    rules, seen = game.rules, game.observation().tolist()
    if game.phase != "opening" and rules.final_lap == "each_other_once":
        seen[AT_SEAT] = seen[AT_STARTER] = 0
    if rules.row_clear:
        return tuple(seen)
    end = AT_CELLS + rules.players * rules.cells
    columns = [tuple(sorted(seen[at : at + rules.rows])) for at in range(AT_CELLS, end, rules.rows)]
    boards = sorted(columns[: rules.columns]), sorted(columns[rules.columns :])
    return (*seen[:AT_CELLS], *boards[0], *boards[1], *seen[end:])


def distinct_actions(game: Game) -> list[int]:
    """Return the legal actions; of those that do the same to equal cards in equal columns only the first."""
    rules, seen = game.rules, game.observation().tolist()
    found: dict[Hashable, int] = {}
    for action in game.legal_actions():
        kind, cell = divmod(action - FIRST_PLACE, rules.cells)
        first = AT_CELLS + cell - cell % rules.rows
        column = sorted(seen[first : first + rules.rows])
        on_a_cell = 0 <= kind <= 1 and not rules.row_clear
        found.setdefault((kind, seen[AT_CELLS + cell], *column) if on_a_cell else action, action)
    return list(found.values())
