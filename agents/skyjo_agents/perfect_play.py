"""Perfect play at tables of two, by trying everything: every choice with every card that may come, to the round's end.

Skyjo is a game of public information except for the card just drawn, which its holder then shows by playing it. So
what a seat sees is all that matters to it, and `Game.outcomes` has the chances. There is time for this only where
little can happen: on small boards with few cards and turns, and in the last turn of a round.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

import numpy as np

from cardtable.agents import Agent, choose
from skyjo_env.game import Game
from skyjo_env.kernel.state import FIRST_PLACE
from skyjo_env.kernel.view import AT_CELLS, AT_SEAT, AT_STARTER
from skyjo_env.observation import spec_of
from skyjo_env.rules import Rules


@dataclass
class PerfectPlay:
    """What rounds are worth if every seat without an agent plays perfectly, knowing what the agents do.

    The agents take no random numbers. Worths are remembered, so one of these serves one choice of rules; the episode of
    its tables must be the round.
    """

    agents: tuple[Agent | None, Agent | None] = (None, None)
    known: dict[Hashable, float] = field(default_factory=dict)

    def value(self, game: Game) -> float:
        """The margin that the seat to decide can expect, in points."""
        if game.is_over:
            return final_margin(game)
        seen = without_order(game) if self.agents == (None, None) else game.observation().tobytes()
        if seen not in self.known:
            self.known[seen] = max(self.worth(game, action) for action in self._tried(game))
        return self.known[seen]

    def _tried(self, game: Game) -> list[int]:
        """What the seat to decide may do, or all that its agent does."""
        agent = self.agents[game.seat]
        return distinct_actions(game) if agent is None else [decision(agent, game)]

    def worth(self, game: Game, action: int, *cards: int) -> float:
        """The expected margin of an action; `cards` are the first that it reveals."""
        options = game.outcomes(action, *cards)
        if options:
            return sum(float(chance) * self.worth(game, action, *cards, card) for card, chance in options.items())
        after = game.copy()
        after.apply(action, *cards)
        value = self.value(after)
        return value if after.seat == game.seat else -value

    def round_value(self, rules: Rules) -> float:
        """The margin that seat 0 can expect of a round, before the first discard is turned up."""
        return sum(chance * self._for_seat_0(game) for game, chance in dealt(rules))

    def _for_seat_0(self, game: Game) -> float:
        return self.value(game) if game.seat == 0 else -self.value(game)


def final_margin(game: Game) -> float:
    """The margin of the seat that decided last. A stopped round counts as its cards lie, hidden ones as their mean."""
    scores = np.array(game.round_scores, float)
    if game.is_truncated:
        view = spec_of(game.rules).view(game.observation(0))
        mean = view.hidden_pool @ np.array(game.rules.values) / max(view.hidden_pool.sum(), 1)
        scores = view.open_sums + mean * view.hidden_left
    return float(scores[1 - game.seat] - scores[game.seat])


def decision(agent: Agent, game: Game) -> int:
    """What an agent does at a table."""
    return int(choose(agent, type(agent).__name__, spec_of(game.rules), game.observation()[None], game.mask()[None])[0])


def dealt(rules: Rules) -> Iterator[tuple[Game, float]]:
    """A round that has just been dealt, with each first discard, and how likely that is."""
    board = "board " + " | ".join([" ".join("?" * rules.rows)] * rules.columns)
    start = f"skyjo-position 1; rules {rules.to_text()}; episode round; {board}; {board}; seat 0 opening"
    for card, count in rules.deck:
        yield Game.from_position(f"{start}; discard {card}"), count / rules.deck_size


def without_order(game: Game) -> Hashable:
    """What the seat to decide sees, but for what makes no difference: the order of a column's cells, that of a board's
    columns, and once the opening is over the seats' numbers and who began.
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
    """The legal actions; of those that do the same to equal cards in equal columns only the first."""
    rules, seen = game.rules, game.observation().tolist()
    found: dict[Hashable, int] = {}
    for action in game.legal_actions():
        kind, cell = divmod(action - FIRST_PLACE, rules.cells)
        first = AT_CELLS + cell - cell % rules.rows
        column = sorted(seen[first : first + rules.rows])
        on_a_cell = 0 <= kind <= 1 and not rules.row_clear
        found.setdefault((kind, seen[AT_CELLS + cell], *column) if on_a_cell else action, action)
    return list(found.values())
