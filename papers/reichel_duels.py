"""Threshold players against each other on deals played from both seats, and Reichel's variants of the game (7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cardtable.arena.play.pairing import play_paired
from cardtable.arena.statistics import Estimate, estimate
from cardtable.table.game.card_game import Setup
from papers.paper import THREADS
from papers.paper_statistics import bound_of, standard_error
from skyjo_env.rules import OFFICIAL, Rules

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


def duels(players: Mapping[str, tuple[Rules, bool]], thresholds: Sequence[int], seed: int, deals: int) -> Duels:
    """Play every threshold against the base, by these rules, with columns or without."""
    bound = bound_of(len(players) * (len(thresholds) - 1))
    margins, winning = {}, {}
    for name, (rules, columns) in players.items():
        texts = [f"threshold:t={t},columns={str(columns).lower()}" for t in (*thresholds, BASE)]
        pairs = ((text, texts[-1]) for text in texts[:-1])
        played = [play_paired(pair, Setup(rules, seed), range(deals), THREADS) for pair in pairs]
        estimates = [estimate(result.margins[:, 0]) for result in played]
        margins[name] = estimates
        wins = [estimate.mean > bound * standard_error(estimate.half) for estimate in estimates]
        winning[name] = [t for t, is_won in zip(thresholds, wins, strict=True) if is_won]
    return Duels(deals, BASE, thresholds, bound, margins, winning)
