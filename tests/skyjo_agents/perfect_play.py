"""Perfect play at tables of two, by trying everything: every choice with every card that may come, to the round's end.

Skyjo is a game of public information except for the card just drawn, which its holder then shows by playing it. So
only what a seat sees matters to it, and `Game.outcomes` has the chances. There is time for this only where little can
happen: on small boards with few cards and turns, and in the last turn of a round.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from skyjo_env.card_game import Game, spec_of


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
    known: dict[bytes, float] = field(default_factory=dict)

    def value(self, game: Game) -> float:
        """Return the margin that the seat to decide can expect, in points."""
        if game.is_over:
            return self.margin(game)
        seen = game.observation().tobytes()
        if seen not in self.known:
            self.known[seen] = max(self.worth(game, action) for action in game.legal_actions())
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
