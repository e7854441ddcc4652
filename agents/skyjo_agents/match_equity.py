"""Match equity: the chance of winning a game to the target, by how many points both seats are short of it.

It is that of players who play every round alike, as a policy does: then all that counts of the rounds to come is how
often a round brings which scores. A seat with no points left has ended the game, and whoever has most left has won
(8.2, 8.4).
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SURE = 1e-9  # the iteration ends when no equity changes by more


def equities(chances: Floats, lowest: int, left: range) -> Floats:
    """The chance to win of a seat with `left[i]` points left to the target against one with `left[j]`, [left, left].

    `chances[i, j]` is how likely a round brings the scores `lowest + i` and `lowest + j`. Scores may be negative, so
    games may go on forever, and the chances are the limit of those in more and more rounds. More points left than
    the last of `left`, or fewer than the first, count as that many.
    """
    own, other = np.meshgrid(left, left, indexing="ij")
    goes_on = (own > 0) & (other > 0)
    table = np.where(own > other, 1.0, np.where(own == other, 0.5, 0.0))
    change = 1.0
    while change > SURE:
        following = np.where(goes_on, expected_after(table, chances, lowest), table)
        change = float(np.abs(following - table).max())
        table = following
    return table


def expected_after(table: Floats, chances: Floats, lowest: int) -> Floats:
    """The mean of what a table of equities says after scores with these chances; its edges go on forever."""
    room = len(chances)
    padded = np.pad(table, room, mode="edge")
    spectrum = np.fft.rfft2(padded) * np.fft.rfft2(chances, padded.shape)
    first = room - lowest
    inner = slice(first, first + len(table))
    means: Floats = np.fft.irfft2(spectrum, padded.shape)[inner, inner]
    return means


def chances_of(scores: NDArray[np.int64], lowest: int, size: int) -> Floats:
    """How likely pairs of scores are, [size, size], by rounds [rounds, 2]; scores beyond the edges count as at them."""
    counts = np.zeros((size, size))
    np.add.at(counts, tuple(np.clip(scores - lowest, 0, size - 1).T), 1)
    return counts / len(scores)
