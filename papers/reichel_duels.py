"""Threshold players against each other on deals played from both seats, and Reichel's variants of the game (5.2, 7)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.pairing import play_paired
from cardtable.arena.statistics import Estimate, estimate
from cardtable.table.agents.agents import Agent
from cardtable.table.game.card_game import Setup
from papers.paper import THREADS
from papers.paper_statistics import bound_of, standard_error
from skyjo_agents.scripted import ThresholdAgent
from skyjo_env.kernel.state import CONFIRM
from skyjo_env.kernel.view import AT_PHASE
from skyjo_env.rules import OFFICIAL, REICHEL, Rules

BASE = 2  # the threshold that the others are measured against
VARIED = tuple(range(-1, 7))  # the thresholds by other rules

LOW_DECK = {-2: 15, -1: 20, 0: 25, **dict.fromkeys(range(1, 7), 10), **dict.fromkeys(range(7, 13), 5)}
HIGH_DECK = {-2: 2, -1: 4, 0: 6, **dict.fromkeys(range(1, 7), 8), **dict.fromkeys(range(7, 13), 15)}
PLAYERS = {"as described": (OFFICIAL, False), "with columns": (OFFICIAL, True)}  # rules, and whether with columns
VARIANTS = {
    "3 × 4": (OFFICIAL, True),
    "3 × 5": (OFFICIAL.replace(columns=5), True),
    "3 × 6": (OFFICIAL.replace(columns=6), True),
    "4 × 4": (OFFICIAL.replace(rows=4), True),
    "4 × 6": (OFFICIAL.replace(rows=4, columns=6), True),
    "more low cards": (OFFICIAL.replace(deck=LOW_DECK), True),
    "more high cards": (OFFICIAL.replace(deck=HIGH_DECK), True),
}


@dataclass(frozen=True)
class Duels:
    """The margins of thresholds against the base, in points a round."""

    deals: int
    base: int
    thresholds: Sequence[int]
    bound: float  # standard errors that chance alone reaches in one table in twenty
    margins: Mapping[str, Sequence[Estimate]]  # by player or rules, for every threshold
    winning: Mapping[str, Sequence[int]]  # the thresholds that win by more than the bound


@dataclass(frozen=True)
class Refusal:
    """The value of the right to keep a complete column (section 5.2), in points a round."""

    rules: str
    threshold: int
    deals: int
    margin: Estimate
    differing: float  # share of the deals on which it matters


def margins_of(agents: Sequence[str | Agent], rules: Rules, seed: int, deals: int) -> NDArray[np.float64]:
    """Return the first agent's margin against the second on each deal, played from both seats."""
    return play_paired(agents, Setup(rules, seed), range(deals), THREADS).margins[:, 0]


def duels(players: Mapping[str, tuple[Rules, bool]], thresholds: Sequence[int], seed: int, deals: int) -> Duels:
    """Play every threshold against the base, by these rules, with columns or without."""
    bound = bound_of(len(players) * (len(thresholds) - 1))
    margins, winning = {}, {}
    for name, (rules, columns) in players.items():
        texts = [f"threshold:t={t},columns={str(columns).lower()}" for t in (*thresholds, BASE)]
        found = [estimate(margins_of([text, texts[-1]], rules, seed, deals)) for text in texts[:-1]]
        margins[name] = found
        wins = [each.mean > bound * standard_error(each.half) for each in found]
        winning[name] = [t for t, is_won in zip(thresholds, wins, strict=True) if is_won]
    return Duels(deals, BASE, thresholds, bound, margins, winning)


class AlwaysClears:
    """The threshold player with columns, but it clears every complete column that it is asked about."""

    def __init__(self, rules: Rules, t: float) -> None:
        self.usual = ThresholdAgent(rules, t, columns=True)
        self.clear = int(rules.params["clear_lines"][0])

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Play as usual, but always clear when asked."""
        actions = self.usual.act(observations, masks, chances)
        actions[observations[:, AT_PHASE] == CONFIRM] = self.clear
        return actions


def refusals(seed: int, deals: int) -> Iterator[Refusal]:
    """Play one that clears only what costs points against one that always clears, by both rules."""
    for (name, rules), t in product({"the paper's rules": REICHEL, "official rules": OFFICIAL}.items(), (0, BASE)):
        confirmed = rules.replace(clear="confirm")
        players = ThresholdAgent(confirmed, t, columns=True), AlwaysClears(confirmed, t)
        margins = margins_of(players, confirmed, seed, deals)
        yield Refusal(name, t, deals, estimate(margins), float((margins != 0).mean()))
