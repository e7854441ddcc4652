"""Margins without luck: what the luck terms of a round explain is subtracted, with weights fitted beforehand.

The terms have mean 0 whoever plays, so weights that fit other agents less well remove less, but are never biased. A
game has terms of its own, called "cards", and may offer others by name: a function that makes a `Luck` of the rules and
of the version that a stored game names.
"""

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import Luck, Setup, plugged_in

OWN = "cards"  # the terms that a game notes itself

Floats = NDArray[np.float64]


def luck_of(setup: Setup) -> Luck:
    """How luck is measured in these games; no terms if the game has none. TableError for a name that nobody offers."""
    if setup.luck_by == OWN:
        return setup.game.luck
    (name, _, version), offered = setup.luck_by.partition(":"), setup.game.luck_by
    if name not in offered:
        choices = " or ".join([OWN, *sorted(offered)])
        raise TableError(f"luck in {setup.game.title} is measured by {choices}, not by {brief(setup.luck_by)}")
    luck: Luck = plugged_in(offered[name])(setup.rules, version)
    return luck


def advantage(luck: Floats) -> Floats:
    """A seat's luck less the mean of the others', [deals, players, terms]."""
    others = luck.sum(axis=1, keepdims=True) - luck
    advantages: Floats = luck - others / (luck.shape[1] - 1)
    return advantages


def points_of_luck(setup: Setup, luck: Floats) -> Floats:
    """The points that luck is taken to have added to every score, [deals, players]."""
    points: Floats = luck @ luck_of(setup).weights
    return -points if setup.game.lower_is_better else points


def without_luck(setup: Setup, margins: Floats, luck: Floats) -> Floats:
    """Margins less what luck explains, [deals, players]; in the long run the mean stays the same."""
    explained: Floats = advantage(luck) @ luck_of(setup).weights
    return margins - explained
