"""Perfect play at tables of two, by trying every card: `lookahead` decides as it does in last turns."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from cardtable.table.agents.agents import rng_states_of
from skyjo_agents import LookaheadAgent
from skyjo_env import Game
from tests.helpers import table


def final_margin(game: Game) -> float:
    """Return the margin of the seat that decided last."""
    return float(game.round_scores[1 - game.seat] - game.round_scores[game.seat])


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


OFFICIAL_LAST_TURN = (
    "episode round; ender 1; turns_left 1; discard 3; "
    "board -1 0 1 | 2 2 ? | 7 7 . | . . .; board 1 2 3 | 4 5 . | . . . | . . ."
)


def test_look_is_perfect_with_a_card_in_hand_in_the_last_turn() -> None:
    """It counts the end of a round with up to two hidden cards."""
    look = LookaheadAgent()
    for hand in (-2, 2, 8):
        game = table(f"{OFFICIAL_LAST_TURN}; seat 0 drawn {hand}")
        perfect, seen, mask = PerfectPlay(), game.observation(), game.mask()
        action_values = {action: perfect.worth(game, action) for action in game.legal_actions()}
        assert look.values(seen, mask, 0) == pytest.approx(action_values, abs=1e-6)
        (action,) = look.act(seen[None], mask[None], rng_states_of(seen[None]))
        assert action_values[action] == pytest.approx(max(action_values.values()))
