"""The network of games without a separate one: it reads the named slices of an observation, whatever they mean.

Every card and every choice has separate learned numbers, and every other number counts as it is, scaled to about one.
They are added up, and two more layers lead to the logits of all actions and to a value. `Parts` gives other networks
the slices by name.
"""

from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.kernel.views import CARD, CHOICE, NUMBER


class Parts:
    """The named slices of observations under these rules; their size tells how many sit at the table."""

    def __init__(self, rules: Any, observations: Tensor) -> None:
        self.players = _players(rules, observations.shape[1])
        self.observations = observations.int()  # ONNX knows few operations on 16 bits
        self.slices = _slices(rules, self.players)

    def __call__(self, name: str) -> Tensor:
        """Return the slice of this name, [N, its size]."""
        start, stop = self.slices[name]
        return self.observations[:, start:stop]


@cache
def _players(rules: Any, size: int) -> int:
    """Return the number of players at the table where an observation has this size."""
    spec_of = find_game(rules.game).spec_of
    two, three = (spec_of(rules.replace(players=players)).size for players in (2, 3))
    return int(2 + (size - two) // (three - two))


@cache
def _slices(rules: Any, players: int) -> dict[str, tuple[int, int]]:
    spec = find_game(rules.game).spec_of(rules.replace(players=players))
    return {part.name: (part.start, part.stop) for part in spec.slices}


class SliceNetwork(PolicyNetwork):
    """Logits and value of compact observations, for tables of 2 to `seats` players.

    At a smaller table, what is seen of seats that are not there counts as its lowest number.
    """

    places: Tensor  # of cards in a one-hot vector, from the lowest card on
    lows: Tensor
    starts: Tensor
    scales: Tensor

    def __init__(self, rules: Any, seats: int | None = None, table: int = 128) -> None:
        super().__init__()
        self.rules, self.seats = rules, rules.players if seats is None else seats
        self.widths = {"seats": self.seats, "table": table}
        largest = rules.replace(players=self.seats)
        if largest.actions != rules.replace(players=2).actions:
            raise TableError(f"{rules.game} has other actions at larger tables, for which it needs a separate network")
        onehot = find_game(rules.game).spec_of(largest).onehot
        kinds = onehot.entries["kind"]
        self.cards, self.choices, self.numbers = (np.flatnonzero(kinds == kind) for kind in (CARD, CHOICE, NUMBER))
        buffers = {name: onehot.entries[name] for name in ("low", "start", "scale")} | {"place": onehot.places}
        for name, numbers in buffers.items():
            self.register_buffer(f"{name}s", torch.from_numpy(numbers.copy()), persistent=False)
        self.of_codes, self.of_numbers = nn.Embedding(onehot.size, table), nn.Linear(len(self.numbers), table)
        self.table = nn.Sequential(nn.ReLU(), nn.Linear(table, table), nn.ReLU())
        self.action_logits, self.beyond = nn.Linear(table, largest.actions), nn.Linear(table, 1)
        for layer, scale in ((self.action_logits, 0.01), (self.beyond, 0.0)):  # all actions begin nearly equally likely
            layer.weight.data.mul_(scale)
            layer.bias.data.zero_()

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [N, A] of all actions, legal or not, and values [N] in units of the reward."""
        table = self._read(observations)
        return self.action_logits(table), self.beyond(table)[:, 0]

    def values(self, observations: Tensor) -> Tensor:
        """Return the values alone, [N]."""
        values: Tensor = self.beyond(self._read(observations))[:, 0]
        return values

    def _read(self, observations: Tensor) -> Tensor:
        above = self._seen(observations).long() - self.lows
        cards = self.starts[self.cards] + self.places[above[:, self.cards]]
        choices = self.starts[self.choices] + above[:, self.choices]
        numbers = (above + self.lows)[:, self.numbers] / self.scales[self.numbers].float()
        table = self.of_codes(torch.cat([cards, choices], dim=1)).sum(1) + self.of_numbers(numbers)
        read: Tensor = self.table(table / len(self.lows) ** 0.5)
        return read

    def _seen(self, observations: Tensor) -> Tensor:
        """Return the observations as they would lie at the largest table."""
        if observations.shape[1] == len(self.lows):  # at the largest, or where all tables look alike
            return observations
        players = _players(self.rules, observations.shape[1])
        source = torch.from_numpy(_sources(self.rules, players, self.seats)).to(observations.device)
        return torch.where(source < 0, self.lows.to(observations.dtype), observations[:, source.clamp(min=0)])


@cache
def _sources(rules: Any, players: int, seats: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the index of every number of an observation at a table of `seats` in one at a table of fewer players, or
    -1.
    """
    spec_of = find_game(rules.game).spec_of
    small, large = (spec_of(rules.replace(players=number)) for number in (players, seats))
    sources = [np.full(part.shape, -1) for part in large.slices]
    for own, part, places in zip(small.slices, large.slices, sources, strict=True):
        assert len(own.shape) == len(part.shape)
        places[tuple(slice(0, length) for length in own.shape)] = np.arange(own.start, own.stop).reshape(own.shape)
    return np.concatenate([places.ravel() for places in sources])
