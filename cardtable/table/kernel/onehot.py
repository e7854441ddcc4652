"""Observations for plain networks: cards and choices as one-hot vectors, numbers scaled to about one."""

import numpy as np

from cardtable.table.compiling.compiler import kernel

KINDS = ("card", "choice", "number")  # index = code
CARD, CHOICE, NUMBER = range(3)

ENTRY_DTYPE = np.dtype(
    (
        np.record,
        [
            ("kind", "i8"),
            ("start", "i8"),  # where its numbers begin in the encoded vector
            ("low", "i8"),  # the value of its first number
            ("width", "i8"),  # how many numbers
            ("scale", "f8"),  # what a number is divided by
        ],
    ),
    align=True,
)


@kernel
def encode(observations, entries, cards, encoded):
    """Write the encoding of every observation [N, D] to `encoded` [N, E]; `entries` has one record for each of D.

    `cards` tells which number of its vector stands for each card, from the lowest.
    """
    for row in range(len(observations)):
        encoded[row, :] = 0
        for k in range(len(entries)):
            entry, value = entries[k], observations[row, k]
            if entry.kind == NUMBER:
                encoded[row, entry.start] = value / entry.scale
            elif entry.kind == CARD:
                encoded[row, entry.start + cards[value - entry.low]] = 1
            else:
                encoded[row, entry.start + value - entry.low] = 1
