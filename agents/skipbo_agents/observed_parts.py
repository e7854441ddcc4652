"""The named slices of observations, as the network reads them."""

from functools import cache

from torch import Tensor

from skipbo_env.observation import spec_of
from skipbo_env.rules import Rules


class Parts:
    """The named slices of observations under these rules; their size tells how many sit at the table."""

    def __init__(self, rules: Rules, observations: Tensor) -> None:
        self.players = _players(rules, observations.shape[1])
        self.observations = observations.int()  # ONNX knows few operations on 16 bits
        self.slices = _slices(rules, self.players)
        self.unseen = (self("older") + self("newer") - self("doubtful")).float()

    def __call__(self, name: str) -> Tensor:
        """The slice of this name, [N, its size]."""
        start, stop = self.slices[name]
        return self.observations[:, start:stop]


@cache
def _players(rules: Rules, size: int) -> int:
    """The number of players at the table where an observation has this size."""
    two, three = (spec_of(rules.replace(players=players)).size for players in (2, 3))
    return 2 + (size - two) // (three - two)


@cache
def _slices(rules: Rules, players: int) -> dict[str, tuple[int, int]]:
    return {part.name: (part.start, part.stop) for part in spec_of(rules.replace(players=players)).slices}
