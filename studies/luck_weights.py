"""Fits how many points of margin each luck term explains: `skyjo_env.kernel.luck.WEIGHTS`.

By least squares over self-play and mixed tables of scripted agents, on deals of a seed that nothing else uses.
"""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.play.decisions import play_rounds
from cardtable.play.luck import advantage
from skyjo_env import make_agent
from skyjo_env.card_game import SKYJO
from skyjo_env.kernel.luck import TERMS
from skyjo_env.rules import OFFICIAL

SEED, DEALS = 999, 20_000
YARDSTICK = SKYJO.yardstick
TABLES = (("tempo",), (YARDSTICK,), ("tempo", YARDSTICK), ("expected", "tempo", YARDSTICK))


class WeightsRow(TypedDict):
    """The weights for one number of players: of cards turned up, of draws, and of cards given to the next seat."""

    players: int
    weights: list[float]
    variance_left: float


def weights_row(players: int, deals: int) -> WeightsRow:
    """The fit for this number of players, rounded."""
    weights, left = fit_weights(players, deals)
    return {"players": players, "weights": weights.round(3).tolist(), "variance_left": round(left, 3)}


def as_text(rows: Sequence[WeightsRow]) -> str:
    """The table as lines of text."""
    lines = ["players  turned up   drew  given   variance left"]
    for row in rows:
        turned_up, drew, given = row["weights"]
        lines.append(f"{row['players']:7}  {turned_up:9.3f} {drew:6.3f} {given:6.3f}   {row['variance_left']:13.3f}")
    return "\n".join(lines)


def fit_weights(players: int, deals: int = DEALS) -> tuple[NDArray[np.float64], float]:
    """The weights that fit best at tables of this many players, and the share of the variance left unexplained."""
    rules = OFFICIAL.replace(players=players)
    terms, margins = [], []
    for names in TABLES:
        agents = [make_agent(names[seat % len(names)], rules) for seat in range(players)]
        played = play_rounds(agents, Setup(rules, SEED, with_luck=True), range(deals))
        terms.append(advantage(played.luck).reshape(-1, TERMS))
        margins.append((played.margins - played.margins.mean(axis=0)).ravel())
    all_terms, all_margins = np.concatenate(terms), np.concatenate(margins)
    weights = np.linalg.lstsq(all_terms, all_margins, rcond=None)[0]
    return weights, float((all_margins - all_terms @ weights).var() / all_margins.var())
