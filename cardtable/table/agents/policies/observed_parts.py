"""The named slices of observations, as networks read them."""

from functools import cache
from typing import Any

from torch import Tensor

from cardtable.table.game.card_game import find_game


class Parts:
    """The named slices of observations under these rules; their size tells how many sit at the table."""

    def __init__(self, rules: Any, observations: Tensor) -> None:
        self.players = _players(rules, observations.shape[1])
        self.observations = observations.int()  # ONNX knows few operations on 16 bits
        self.slices = _slices(rules, self.players)

    def __call__(self, name: str) -> Tensor:
        """The slice of this name, [N, its size]."""
        start, stop = self.slices[name]
        return self.observations[:, start:stop]


@cache
def _players(rules: Any, size: int) -> int:
    """The number of players at the table where an observation has this size."""
    spec_of = find_game(rules.game).spec_of
    two, three = (spec_of(rules.replace(players=players)).size for players in (2, 3))
    return int(2 + (size - two) // (three - two))


@cache
def _slices(rules: Any, players: int) -> dict[str, tuple[int, int]]:
    spec = find_game(rules.game).spec_of(rules.replace(players=players))
    return {part.name: (part.start, part.stop) for part in spec.slices}
