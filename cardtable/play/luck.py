"""Margins without luck: what the luck terms of a round explain is taken off, by weights that were fitted beforehand.

The terms have mean 0 whoever plays, so weights that fit other agents less well take off less, and never the wrong thing
on average.
"""

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import CardGame, Luck

Floats = NDArray[np.float64]


def luck_of(game: CardGame) -> Luck:
    """The luck terms of a game, none where it has none."""
    return Luck((), np.zeros(0), "") if game.luck is None else game.luck


def advantage(luck: Floats) -> Floats:
    """A seat's luck less the mean of the others', [deals, players, terms]."""
    others = luck.sum(axis=1, keepdims=True) - luck
    advantages: Floats = luck - others / (luck.shape[1] - 1)
    return advantages


def points_of_luck(game: CardGame, luck: Floats) -> Floats:
    """The points that luck is taken to have added to every score, [deals, players]."""
    points: Floats = luck @ luck_of(game).weights
    return -points if game.lower_is_better else points


def without_luck(game: CardGame, margins: Floats, luck: Floats) -> Floats:
    """Margins less what luck explains of them, [deals, players]; the mean stays what it is in the long run."""
    explained: Floats = advantage(luck) @ luck_of(game).weights
    return margins - explained
