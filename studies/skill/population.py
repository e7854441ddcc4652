"""How every pair of players did, on the same deals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cardtable.card_game import Setup
from cardtable.play.decisions import ThreadsOrPool
from cardtable.play.pairing import by_agent, play_rotation
from cardtable.ratings.results import Floats, Results

Report = Callable[[float], None]


@dataclass(frozen=True)
class RoundRobin:
    """The margins of all pairs, in the order of `combinations(players, 2)`, on the same deals from both seats.

    A margin is that of the pair's first player, and 0 where play was stopped, since nobody wins then.
    """

    players: tuple[str, ...]
    margins: Floats  # [deals, seatings, pairs]; the first player sits in seat 0 in the first seating

    @property
    def results(self) -> Results:
        """The margins as results that can be rated."""
        deals, seatings, pairs = self.margins.shape
        seated = np.broadcast_to(list(combinations(range(len(self.players)), 2)), (deals, seatings, pairs, 2))
        scores = np.stack([self.margins, np.zeros_like(self.margins)], axis=-1)
        numbers = np.repeat(np.arange(deals), seatings * pairs)
        rows = (seated.reshape(-1, 2), scores.reshape(-1, 2), numbers)
        return Results.of(self.players, *rows, lower_is_better=False)

    def among(self, players: Sequence[str]) -> "RoundRobin":
        """The margins of these players against each other; they keep their order."""
        kept = [k for k, pair in enumerate(combinations(self.players, 2)) if set(pair) <= set(players)]
        return RoundRobin(tuple(name for name in self.players if name in players), self.margins[:, :, kept])

    def against(self, opponent: str) -> Floats:
        """Everybody's margins against one of them, averaged over both seats, [deals, players]; 0 against itself."""
        means, at = self.margins.mean(axis=1), self.players.index(opponent)
        found = np.zeros((len(means), len(self.players)))
        for k, (one, other) in enumerate(combinations(range(len(self.players)), 2)):
            if other == at:
                found[:, one] = means[:, k]
            elif one == at:
                found[:, other] = -means[:, k]
        return found


def play_pair(pair: Sequence[str], deals: range, setup: Setup, threads: ThreadsOrPool) -> Floats:
    """The first player's margins from both seats, [deals, seatings]."""
    agents = [setup.game.agents.make(name, setup.rules) for name in pair]
    margins = []
    for rotation in range(2):
        played = play_rotation(agents, rotation, setup, deals, threads)
        margins.append(np.where(played.is_stopped, 0.0, by_agent(played, played.margins)[:, 0]))
    return np.stack(margins, axis=-1)


def play_round_robin(
    players: Sequence[str], deals: range, setup: Setup, threads: ThreadsOrPool, report: Report
) -> RoundRobin:
    """Every pair on the same deals; `report` is called with each pair's number of deals."""
    margins = []
    for pair in combinations(players, 2):
        margins.append(play_pair(pair, deals, setup, threads))
        report(len(deals))
    return RoundRobin(tuple(players), np.stack(margins, axis=-1))
