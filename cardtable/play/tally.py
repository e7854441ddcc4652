"""The results of a match so far: means and spreads over deals, in memory that does not grow with them."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.play.pairing import Paired
from cardtable.statistics import MANY, Moments, is_varied

Floats = NDArray[np.float64]

MARGIN, WITHOUT_LUCK, SCORE, WINS = range(4)


@dataclass(frozen=True)
class Tally:
    """Of one table: numbers by deal, [margin, without luck, score, wins], for every agent."""

    deals: int
    mean: Floats  # [4, agents]
    squares: Floats  # [4, agents], sums of squared deviations from the mean
    stopped: float  # the share of games that were
    rounds: float  # in the mean of all games
    traces: Floats  # [traces], of a seat in a game, in the mean
    first: Floats  # margins without luck of the first agent, while they are few

    @classmethod
    def of(cls, played: Paired) -> Self:
        """Of some deals."""
        by_deal = np.stack([played.margins, played.without_luck, played.scores, played.wins])
        mean = by_deal.mean(axis=1)
        squares = ((by_deal - mean[:, None]) ** 2).sum(axis=1)
        stopped = float(played.is_stopped.mean())
        rounds, traces = float(played.rounds.mean()), played.traces.mean(axis=0)
        return cls(by_deal.shape[1], mean, squares, stopped, rounds, traces, played.without_luck[:MANY, 0].copy())

    def joined(self, later: "Tally") -> "Tally":
        """Of these deals and later ones (Chan, Golub and LeVeque 1983, Am. Stat. 37:242)."""
        deals = self.deals + later.deals
        share, gap = later.deals / deals, later.mean - self.mean
        return replace(
            self,
            deals=deals,
            mean=self.mean + share * gap,
            squares=self.squares + later.squares + self.deals * share * gap**2,
            stopped=self.stopped + share * (later.stopped - self.stopped),
            rounds=self.rounds + share * (later.rounds - self.rounds),
            traces=self.traces + share * (later.traces - self.traces),
            first=np.concatenate([self.first, later.first])[:MANY],
        )

    def shares(self, setup: Setup) -> dict[str, float]:
        """The share of all rounds that had each trace of the whole table, by its name."""
        return shares_of_rounds(setup, self.traces, self.rounds)

    def moments(self, what: int, agent: int) -> Moments:
        """Of the numbers of one agent, as `cardtable.statistics` takes them."""
        spread = float(self.squares[what, agent]) / self.deals
        return Moments(self.deals, float(self.mean[what, agent]), spread, is_varied(self.first))


def shares_of_rounds(setup: Setup, traces: Floats, rounds: float) -> dict[str, float]:
    """What is of the whole table among the traces of this many rounds, as shares of these, by its name."""
    named = setup.game.traces(setup.rules)
    return {trace.name: float(traces[k]) / rounds for k, trace in enumerate(named) if trace.of_table}
