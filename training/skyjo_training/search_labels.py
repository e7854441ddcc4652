"""What looking ahead teaches at many tables: the value of every action, and of every table to all seats.

Since an action is tried with every card that may come, a worth is free of the luck of the next card. Later worths in
the same round correct it, with less weight the later they come.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_agents.labels import label_tables
from skyjo_agents.policy import PackedNetwork

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Labels:
    """What looking ahead says of N tables, in units of the reward; places are counted from the seat that decides."""

    worths: Floats  # [N, A] of every legal action to the seat that decides; NaN for the others
    follows: Floats  # [N, P] of the action that was played, or else of the best one, to every seat
    values: Floats  # [N, P] of the table, as the network values it
    actions: NDArray[np.int64]  # [N] the best ones


def label(
    rules: Any,
    network: PackedNetwork,
    views: NDArray[np.int16],
    keys: NDArray[np.uint64],
    played: NDArray[np.int64],
    threads: int,
    is_alone: bool = False,
) -> Labels:
    """The labels of tables; every thread makes a part of them. Where `played` is not -1, it is the action that is
    followed; if it `is_alone`, no other has a worth.
    """
    n, players = len(views), rules.players
    worths, follows, values = (np.empty((n, width), np.float32) for width in (rules.actions, players, players))
    actions = np.empty(n, np.int64)
    bounds = np.linspace(0, n, threads + 1).astype(int)
    parts = [slice(first, last) for first, last in pairwise(bounds)]

    def work(part: slice) -> None:
        arrays = (each[part] for each in (keys, played, worths, follows, values, actions))
        label_tables(views[part], rules.params, network.weights, network.layout, is_alone, *arrays)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, parts))
    return Labels(worths, follows, values, actions)


def returns(
    follows: Floats, values: Floats, seats: NDArray[np.int64], goes_on: NDArray[np.bool_], decay: float
) -> Floats:
    """What every table is worth to all seats, corrected by what came later, [T, N, P] with places as in the labels.

    `follows` and `values` are those of T steps, `seats` [T, N] who decided; `goes_on` [T, N] says where the action that
    `follows` values was played and the round went on, so that the next step tells more.
    """
    steps, _, players = follows.shape
    places = (np.arange(players) - seats[..., None]) % players  # of every seat, seen from the one that decides
    gains = np.take_along_axis(follows - values, places, 2)  # by seat
    surprise = np.zeros_like(gains[0])
    found = np.empty_like(follows)
    for step in reversed(range(steps)):
        surprise = gains[step] + decay * goes_on[step][:, None] * surprise
        by_place = (np.arange(players) + seats[step][:, None]) % players
        found[step] = values[step] + np.take_along_axis(surprise, by_place, 1)
    return found
