"""What the paper prints: its table 1 and the size of its sample."""

from typing import NamedTuple


class Row(NamedTuple):
    """One row of table 1."""

    threshold: int
    mean: float
    deviation: float


TABLE_1 = (Row(0, 3.08, 8.88), Row(1, 4.37, 8.52), Row(2, 7.02, 7.68))

# "3000 games, counting both players": 1500 games with two scores each, or 3000 games.
SAMPLES = {"3000 scores": 1500, "3000 games": 3000}
