"""The network of the learned players: from an observation to the logits of all actions and a value.

It is blind to the order of the columns and of the cells in a column. The cells of a column are added up; columns share
one network and are added up to a board. One head gives the logits of every cell from the cell, the gain of a card
there, its column and the whole table. The value starts as the expected margin, which counts hidden cards as the mean of
the unseen ones, and the network learns the rest.

One network serves any number of players up to `seats`, which it reads from the size of the observation.

With a `value_network`, a second network of the same kind gives the values. In a shared network, features that rank
actions and features that value a table exactly get in each other's way.
"""

from functools import cache

import torch
from torch import Tensor, nn

from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.kernel.scoring import POINTS
from skyjo_agents.network_shapes import BOARD_NUMBERS, COUNTS, GAINS, extras_of, facts_of
from skyjo_env import EMPTY, HIDDEN, ObservationSpec, Rules
from skyjo_env.kernel.state import PHASES

Read = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]  # what a network has read of observations

USUAL_CARD, SPREAD = 5.0, 6.0  # cards as the first layers take them: about 0, about 1 apart


class TableNetwork(PolicyNetwork):
    """Logits and value of compact observations under given rules, for tables of 2 to `seats` players."""

    card_values: Tensor
    scale_of_counts: Tensor
    places: Tensor

    def __init__(
        self,
        rules: Rules,
        seats: int | None = None,
        cell: int = 32,
        column: int = 64,
        table: int = 128,
        value_network: int = 0,
    ) -> None:
        super().__init__()
        self.rules, self.seats = rules, rules.players if seats is None else seats
        self.widths = {
            "seats": self.seats,
            "cell": cell,
            "column": column,
            "table": table,
            "value_network": value_network,
        }
        self.low, self.kinds = rules.values[0], len(rules.values) + 2
        self.extras = extras_of(rules)
        self.is_countable = (rules.rows + 1) ** (self.kinds + 2) < 2**63  # see _distinct
        self._make_constants()
        self.in_cell, self.in_hand, self.on_discard = (nn.Embedding(self.kinds, cell) for _ in range(3))
        self.columns = nn.Sequential(
            nn.Linear(cell + COUNTS, column), nn.ReLU(inplace=True), nn.Linear(column, column), nn.ReLU(inplace=True)
        )
        self.boards = nn.Sequential(nn.Linear(column + BOARD_NUMBERS + self.seats - 1, column), nn.ReLU(inplace=True))
        self.table = nn.Sequential(
            nn.Linear(2 * column + BOARD_NUMBERS + 2 * cell + facts_of(rules, self.seats), table),
            nn.ReLU(inplace=True),
            nn.Linear(table, table),
            nn.ReLU(inplace=True),
        )
        self.cell_of_cell, self.cell_of_column = nn.Embedding(self.kinds, column), nn.Linear(column, column)
        self.cell_of_gains, self.cell_of_table = nn.Linear(GAINS, column), nn.Linear(table, column)
        self.cell_logits, self.other_logits = nn.Linear(column, 2), nn.Linear(table, 2 + self.extras)
        self.beyond = nn.Sequential(nn.Linear(table, table), nn.ReLU(inplace=True), nn.Linear(table, 1))
        self._begin_small()
        self._begin_with_cards_in_order()
        if self.seats > 2:
            self.rivals = nn.Sequential(nn.Linear(column + table, column), nn.ReLU(inplace=True), nn.Linear(column, 1))
            _silence(self.rivals[2], 0.0)
        self.value_network = TableNetwork(rules, self.seats, cell, column, table) if value_network else None

    def _make_constants(self) -> None:
        """Buffers: they move to another device with the weights, but are not learned."""
        values = torch.arange(self.low, self.low + self.kinds - 2)
        self.register_buffer("card_values", values.float(), persistent=False)
        self.register_buffer("scale_of_counts", torch.tensor([1, 1, 0.1, 1, 1]), persistent=False)
        self.register_buffer("places", torch.eye(self.seats - 1), persistent=False)

    def _begin_small(self) -> None:
        """All actions begin nearly equally likely, and the value as the expected margin."""
        for layer, scale in ((self.cell_logits, 0.01), (self.other_logits, 0.01), (self.beyond[2], 0.0)):
            _silence(layer, scale)

    def _begin_with_cards_in_order(self) -> None:
        """Cards begin as smooth functions of their value, so that what is learned of a 7 holds nearly for an 8."""
        height = (self.card_values - USUAL_CARD) / SPREAD
        basis = torch.zeros(self.kinds, 5)
        basis[:-2, 0], basis[:-2, 1], basis[:-2, 2] = 1, height, height**2 - 1
        basis[-2, 3], basis[-1, 4] = 1, 1  # hidden and empty are like no card
        for embedding in (self.in_cell, self.in_hand, self.on_discard, self.cell_of_cell):
            smooth = basis @ torch.randn(5, embedding.embedding_dim)
            embedding.weight.data.mul_(0.4).add_(0.7 * smooth)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [N, A] of all actions, legal or not, and values [N] in units of the reward."""
        read = self._read(observations)
        return self._logits(read), self._own_values(read) if self.value_network is None else self.seat_values(
            observations
        )[:, 0]

    def logits(self, observations: Tensor) -> Tensor:
        """Return the logits alone, [N, A]."""
        return self._logits(self._read(observations))

    def _logits(self, read: Read) -> Tensor:
        table, cells, gains, columns, _, _ = read
        around = self.cell_of_column(columns) + self.cell_of_table(table)[:, None]  # [N, columns, H]
        alone = self.cell_of_cell(cells).add_(self.cell_of_gains(gains))
        by_cell = self.cell_logits(alone.add_(around[:, :, None]).relu_())
        places, flips = (by_cell[..., kind].flatten(1) for kind in (0, 1))
        others = self.other_logits(table)
        return torch.cat([others[:, :2], places, flips, others[:, 2:]], dim=1)

    def values(self, observations: Tensor) -> Tensor:
        """Return the values alone, [N]."""
        return (
            self._own_values(self._read(observations))
            if self.value_network is None
            else self.seat_values(observations)[:, 0]
        )

    def _own_values(self, read: Read) -> Tensor:
        table, *_, margins = read
        values: Tensor = margins[:, 0] + self.beyond(table)[:, 0]
        return values

    def seat_values(self, observations: Tensor) -> Tensor:
        """Return the values of the round for all seats, [N, P], the observer's first, then clockwise. They add up to 0,
        as margins do.
        """
        if self.value_network is not None:
            return self.value_network.seat_values(observations)
        table, *_, others, margins = self._read(observations)
        own = margins[:, :1] + self.beyond(table)
        if margins.shape[1] == 2:
            return torch.cat([own, -own], dim=1)
        around = table[:, None].expand(-1, others.shape[1], -1)
        rivals = margins[:, 1:] + self.rivals(torch.cat([others, around], dim=2))[..., 0]
        values = torch.cat([own, rivals], dim=1)
        return values - values.mean(1, keepdim=True)  # margins add up to 0

    def _read(self, observations: Tensor) -> Read:
        """Return features of the table, the own cells, what a card gains there, the own columns and the other boards;
        and the expected margins of all seats.
        """
        rules, observations = self.rules, observations.long()
        players, part = _players(rules, observations.shape[1]), _Parts(rules, observations)
        cards = part("cells").reshape(-1, players, rules.columns, rules.rows)
        hand, discard = part("hand")[:, 0], part("discard_top")[:, 0]
        pool = part("hidden_pool").float()
        mean = (pool * self.card_values).sum(1) / pool.sum(1).clamp(min=1)
        cells = self._kind(cards)
        columns = self._columns(cards, cells, hand, discard)
        hidden, open_sums = part("hidden_left").float(), part("open_sums").float()
        expected = open_sums + hidden * mean[:, None]  # [N, P]
        by_board = torch.stack([hidden / rules.cells, open_sums / 50, expected / 50], dim=2)
        boards = columns.sum(2)
        others = self._others(boards, by_board)
        seen = [boards[:, 0], by_board[:, 0], others.sum(1) / (players - 1)]
        seen += [self.in_hand(self._kind(hand)), self.on_discard(self._kind(discard)), self._facts(part, mean, players)]
        margins = ((expected.sum(1, keepdim=True) - expected) / (players - 1) - expected) / POINTS
        gains = self._gains(cards[:, 0], torch.where(hand < HIDDEN, hand, discard), mean)
        return self.table(torch.cat(seen, dim=1)), cells[:, 0], gains, columns[:, 0], others, margins

    def _kind(self, cards: Tensor) -> Tensor:
        """Cards as numbers from 0 on, hidden and empty last."""
        kinds: Tensor = torch.where(cards >= HIDDEN, cards - HIDDEN + self.kinds - 2, cards - self.low)
        return kinds

    def _columns(self, cards: Tensor, cells: Tensor, hand: Tensor, discard: Tensor) -> Tensor:
        """Return the features of every column, [N, P, columns, H]."""
        alike = torch.stack([(cards == card[:, None, None, None]).sum(3) for card in (hand, discard)], dim=3)
        if not self.training or not self.is_countable:
            return self._read_columns(cards, cells, alike)
        some, places = self._distinct(cells.flatten(0, 2), alike.flatten(0, 2))
        features = self._read_columns(*(part.flatten(0, 2)[some] for part in (cards, cells, alike)))
        return nn.functional.embedding(places.view(cards.shape[:3]), features)

    def _distinct(self, cells: Tensor, alike: Tensor) -> tuple[Tensor, Tensor]:
        """Return the columns that differ in more than the order of their cells, and the index of each column among
        these.

        A batch has most columns many times. Reading each of them once saves a quarter of the time of learning.
        """
        base = self.rules.rows + 1  # more than any of the counts, which are the digits of a number
        counted = (base**cells).sum(1) * base**2 + alike[:, 0] * base + alike[:, 1]
        distinct, places = counted.unique(return_inverse=True)
        order = torch.arange(len(places), device=places.device)
        return places.new_zeros(len(distinct)).scatter(0, places, order), places

    def _read_columns(self, cards: Tensor, cells: Tensor, alike: Tensor) -> Tensor:
        """Return features of columns, [..., H], from their cards as numbers from 0 and their counts of equals."""
        is_hidden, is_empty = cards == HIDDEN, cards == EMPTY
        shown = cards.masked_fill(is_hidden | is_empty, 0)
        own = torch.stack([is_hidden.sum(-1), is_empty.sum(-1), shown.sum(-1)], dim=-1)
        counts = torch.cat([own, alike], dim=-1) * self.scale_of_counts
        columns: Tensor = self.columns(torch.cat([self.in_cell(cells).sum(-2), counts], dim=-1))
        return columns

    def _gains(self, cards: Tensor, card: Tensor, mean: Tensor) -> Tensor:
        """Return the gains of the card in hand, or on the discard pile, in every own cell, [N, columns, rows, GAINS].

        The gains are the points, the points or 0 if negative, the number of equal cards in the column, and the column's
        points if the card completes it.
        """
        card = torch.where(card < HIDDEN, card, card.new_tensor(int(USUAL_CARD)))[:, None, None]
        values = torch.where(cards == HIDDEN, mean[:, None, None], cards.masked_fill(cards == EMPTY, 0).float())
        points, equal = (values - card) / SPREAD, (cards == card).float()
        beside = equal.sum(2, keepdim=True) - equal
        saved = (beside == self.rules.rows - 1) * values.sum(2, keepdim=True) / SPREAD
        return torch.stack([points, points.clamp(min=0), beside, saved], dim=3)

    def _others(self, boards: Tensor, by_board: Tensor) -> Tensor:
        """Return the features of the other boards, each read together with its place clockwise, [N, P - 1, H]."""
        others = boards.shape[1] - 1
        places = self.places[:others].expand(boards.shape[0], -1, -1)  # not len: ONNX would fix the batch
        features: Tensor = self.boards(torch.cat([boards[:, 1:], by_board[:, 1:], places], dim=2))
        return features

    def _facts(self, part: "_Parts", mean: Tensor, players: int) -> Tensor:
        """Phase, lap and piles, [N, facts]."""
        phase, ender, left, turns, pile, reshuffles = (
            part(name)[:, 0] for name in ("phase", "ender", "turns_left", "turns", "draw_pile_size", "reshuffles")
        )
        pools = [part(name).float() for name in ("hidden_pool", "draw_pool")]
        at_table = torch.full_like(mean, players / 8)
        numbers = torch.stack(
            [mean / 5, turns.clamp(max=200) / 20, pile / 50, reshuffles.clamp(max=3).float(), at_table], dim=1
        )
        return torch.cat(
            [
                nn.functional.one_hot(phase, len(PHASES)).float(),
                nn.functional.one_hot(ender + 1, self.seats + 1).float(),
                nn.functional.one_hot(left, self.seats + 1).float(),
                *(pool / pool.sum(1, keepdim=True).clamp(min=1) for pool in pools),
                numbers,
            ],
            dim=1,
        )


def _silence(layer: nn.Module, scale: float) -> None:
    """Make a layer say little or nothing at first."""
    assert isinstance(layer, nn.Linear)
    layer.weight.data.mul_(scale)
    layer.bias.data.zero_()


class _Parts:
    """The named slices of observations."""

    def __init__(self, rules: Rules, observations: Tensor) -> None:
        self.slices, self.observations = _slices(rules, _players(rules, observations.shape[1])), observations

    def __call__(self, name: str) -> Tensor:
        start, stop = self.slices[name]
        return self.observations[:, start:stop]


@cache
def _players(rules: Rules, size: int) -> int:
    """Return the number of players at the table where an observation has this size."""
    seat_size = rules.cells + 3  # cells, and what is counted by seat
    return rules.players + (size - ObservationSpec(rules).size) // seat_size


@cache
def _slices(rules: Rules, players: int) -> dict[str, tuple[int, int]]:
    return {part.name: (part.start, part.stop) for part in ObservationSpec(rules.replace(players=players)).slices}
