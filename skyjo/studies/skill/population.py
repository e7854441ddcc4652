"""Who is compared: the players that come with the package, every one of them against every other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cardtable.card_game import Setup
from cardtable.play.pairing import by_agent, play_rotation
from cardtable.ratings.results import Floats, Results
from skyjo_env.agents import make_agent
from skyjo_env.card_game import SKYJO
from skyjo_env.rules import OFFICIAL

THINKING = ("threshold:t=0", "threshold:t=2", "threshold:t=4", SKYJO.yardstick, "expected", "tempo")
ALL = ("random", "naive", *THINKING)
POPULATIONS = {"all eight": ALL, "six that look at cards": THINKING}

Report = Callable[[float], None]


@dataclass(frozen=True)
class RoundRobin:
    """The margins of all pairs, in the order of `combinations(players, 2)`, on the same deals from both seats.

    A margin is that of the pair's first player, and 0 where play was stopped (7.8): nobody wins what was stopped.
    """

    players: tuple[str, ...]
    margins: Floats  # [deals, seatings, pairs]; the first player sits in seat 0 in the first seating

    @property
    def results(self) -> Results:
        """The same as results to be rated."""
        deals, seatings, pairs = self.margins.shape
        seated = np.broadcast_to(list(combinations(range(len(self.players)), 2)), (deals, seatings, pairs, 2))
        scores = np.stack([self.margins, np.zeros_like(self.margins)], axis=-1)
        numbers = np.repeat(np.arange(deals), seatings * pairs)
        rows = (seated.reshape(-1, 2), scores.reshape(-1, 2), numbers)
        return Results.of(self.players, *rows, lower_is_better=False)

    def among(self, players: Sequence[str]) -> "RoundRobin":
        """What these players, in their order here, did against each other."""
        kept = [k for k, pair in enumerate(combinations(self.players, 2)) if set(pair) <= set(players)]
        return RoundRobin(tuple(name for name in self.players if name in players), self.margins[:, :, kept])

    def against(self, opponent: str) -> Floats:
        """Everybody's margins against one of them, meaned over both seats, [deals, players]; 0 against itself."""
        means, at = self.margins.mean(axis=1), self.players.index(opponent)
        found = np.zeros((len(means), len(self.players)))
        for k, (one, other) in enumerate(combinations(range(len(self.players)), 2)):
            if other == at:
                found[:, one] = means[:, k]
            elif one == at:
                found[:, other] = -means[:, k]
        return found


def play_pair(
    pair: Sequence[str], seed: int, deals: range, episode: str, threads: int, may_peek: bool = False
) -> Floats:
    """The first player's margins from both seats, [deals, seatings]."""
    agents = [make_agent(name, OFFICIAL) for name in pair]
    setup = Setup(OFFICIAL, seed, episode, may_peek=may_peek)
    margins = []
    for rotation in range(2):
        played = play_rotation(agents, rotation, setup, deals, threads)
        margins.append(np.where(played.is_stopped, 0.0, by_agent(played, played.margins)[:, 0]))
    return np.stack(margins, axis=-1)


def play_round_robin(
    players: Sequence[str], seed: int, deals: range, episode: str, threads: int, report: Report
) -> RoundRobin:
    """Every pair; `report` is told of each pair's deals."""
    margins = []
    for pair in combinations(players, 2):
        margins.append(play_pair(pair, seed, deals, episode, threads))
        report(len(deals))
    return RoundRobin(tuple(players), np.stack(margins, axis=-1))
