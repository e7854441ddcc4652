"""Margins without luck: the luck terms of a round are subtracted, with weights fitted beforehand.

The terms have mean 0 for any players. Weights that fit other agents less well remove less, but are never biased. Every
game has its terms, called "cards". It may offer other terms by name: a function that makes a `Luck` of the rules and of
the version that a stored game names.
"""

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import Luck, Setup, plugged_in

OWN = "cards"  # the terms that a game notes itself

Floats = NDArray[np.float64]


def luck_of(setup: Setup) -> Luck:
    """Return the luck measure of these games, without terms if the game has none; TableError for an unknown name."""
    if setup.luck_by == OWN:
        return setup.game.luck
    (name, _, version), offered = setup.luck_by.partition(":"), setup.game.luck_by
    if name not in offered:
        choices = " or ".join([OWN, *sorted(offered)])
        raise TableError(f"luck in {setup.game.title} is measured by {choices}, not by {brief(setup.luck_by)}")
    luck: Luck = plugged_in(offered[name])(setup.rules, version)
    return luck


def advantage(luck: Floats) -> Floats:
    """Return each seat's luck minus the mean of the others', [deals, players, terms]."""
    others = luck.sum(axis=1, keepdims=True) - luck
    advantages: Floats = luck - others / (luck.shape[1] - 1)
    return advantages


def points_of_luck(setup: Setup, luck: Floats) -> Floats:
    """Return the points that luck is taken to have added to every score, [deals, players]."""
    points: Floats = luck @ luck_of(setup).weights
    return -points if setup.game.lower_is_better else points


def without_luck(setup: Setup, margins: Floats, luck: Floats) -> Floats:
    """Return margins minus their luck, [deals, players]; in the long run the mean stays the same."""
    explained: Floats = advantage(luck) @ luck_of(setup).weights
    return margins - explained
