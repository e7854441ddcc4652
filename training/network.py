"""The network of the learned players: what it sees of a table, and what it makes of it.

It knows that columns may be permuted, and the cells of a column too: the cells of a column are added up, columns share
one network and are added up to a board, and one head gives the logits of every cell from the cell, its column and the
whole table. The value begins as the expected margin, visible cards and the mean of the unseen ones for the hidden, and
only what that misses is learned.
"""

import torch
from torch import Tensor, nn

from skyjo_env import EMPTY, HIDDEN, ObservationSpec, Rules
from skyjo_env.kernel.rewards import POINTS
from skyjo_env.kernel.state import PHASES

EXTRAS = ("discard_drawn", "clear_lines", "keep_lines")  # actions that only some rules have
COUNTS = 5  # what a column says of itself: hidden, empty, sum, equal to the hand, equal to the discard


class TableNetwork(nn.Module):
    """Logits and value of compact observations under given rules."""

    def __init__(self, rules: Rules, cell: int = 32, column: int = 64, table: int = 128) -> None:
        super().__init__()
        spec, kinds, others = ObservationSpec(rules), len(rules.values) + 2, rules.players - 1
        self.rules = rules
        self.slices = {part.name: (part.start, part.stop) for part in spec.slices}
        self.low, self.kinds = rules.values[0], kinds
        self.extras = sum(int(rules.params[0][name]) >= 0 for name in EXTRAS)
        self.in_cell, self.in_hand, self.on_discard = (nn.Embedding(kinds, cell) for _ in range(3))
        self.columns = nn.Sequential(
            nn.Linear(cell + COUNTS, column), nn.ReLU(inplace=True), nn.Linear(column, column), nn.ReLU(inplace=True)
        )
        self.boards = nn.Sequential(nn.Linear(column + 3 + others, column), nn.ReLU(inplace=True))
        facts = len(PHASES) + 2 * (rules.players + 1) + 2 * len(rules.values) + 5
        self.table = nn.Sequential(
            nn.Linear(2 * column + 3 + 2 * cell + facts, table),
            nn.ReLU(inplace=True),
            nn.Linear(table, table),
            nn.ReLU(inplace=True),
        )
        self.cell_of_cell, self.cell_of_column = nn.Embedding(kinds, column), nn.Linear(column, column)
        self.cell_of_table = nn.Linear(table, column)
        self.cell_logits, self.other_logits = nn.Linear(column, 2), nn.Linear(table, 2 + self.extras)
        self.beyond = nn.Sequential(nn.Linear(table, table), nn.ReLU(inplace=True), nn.Linear(table, 1))
        self._begin_small()

    def _begin_small(self) -> None:
        """All actions begin nearly equally likely, and the value as the expected margin."""
        for layer, scale in ((self.cell_logits, 0.01), (self.other_logits, 0.01), (self.beyond[2], 0.0)):
            assert isinstance(layer, nn.Linear)
            layer.weight.data.mul_(scale)
            layer.bias.data.zero_()

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [N, A] of all actions, legal or not, and values [N] in units of the reward."""
        table, own_cells, own_columns, margin = self._read(observations)
        around = self.cell_of_column(own_columns) + self.cell_of_table(table)[:, None]  # [N, columns, H]
        by_cell = self.cell_logits(self.cell_of_cell(own_cells).add_(around[:, :, None]).relu_())
        places, flips = (by_cell[..., kind].flatten(1) for kind in (0, 1))
        others = self.other_logits(table)
        logits = torch.cat([others[:, :2], places, flips, others[:, 2:]], dim=1)
        return logits, margin + self.beyond(table)[:, 0]

    def values(self, observations: Tensor) -> Tensor:
        """The values alone, [N]."""
        table, _, _, margin = self._read(observations)
        values: Tensor = margin + self.beyond(table)[:, 0]
        return values

    def _part(self, observations: Tensor, name: str) -> Tensor:
        start, stop = self.slices[name]
        return observations[:, start:stop]

    def _read(self, observations: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What the table comes to [N, H], the own cells, what their columns come to, and the expected margin."""
        rules, observations = self.rules, observations.long()
        shape = (-1, rules.players, rules.columns, rules.rows)
        cards = self._part(observations, "cells").reshape(shape)
        hand, discard = (self._part(observations, name)[:, 0] for name in ("hand", "discard_top"))
        pool = self._part(observations, "hidden_pool").float()
        mean = (pool * torch.arange(self.low, self.low + self.kinds - 2)).sum(1) / pool.sum(1).clamp(min=1)
        cells = self._kind(cards)
        columns = self._columns(cards, cells, hand, discard)
        hidden, open_sums = (self._part(observations, name).float() for name in ("hidden_left", "open_sums"))
        expected = open_sums + hidden * mean[:, None]  # [N, P]
        by_board = torch.stack([hidden / rules.cells, open_sums / 50, expected / 50], dim=2)
        boards = columns.sum(2)
        seen = [boards[:, 0], by_board[:, 0], self._others(boards, by_board)]
        seen += [self.in_hand(self._kind(hand)), self.on_discard(self._kind(discard)), self._facts(observations, mean)]
        own = expected[:, 0]
        margin = ((expected.sum(1) - own) / (rules.players - 1) - own) / POINTS
        return self.table(torch.cat(seen, dim=1)), cells[:, 0], columns[:, 0], margin

    def _kind(self, cards: Tensor) -> Tensor:
        """Cards as numbers from 0 on, hidden and empty last."""
        kinds: Tensor = torch.where(cards >= HIDDEN, cards - HIDDEN + self.kinds - 2, cards - self.low)
        return kinds

    def _columns(self, cards: Tensor, cells: Tensor, hand: Tensor, discard: Tensor) -> Tensor:
        """What every column comes to, [N, P, columns, H]."""
        is_hidden, is_empty = cards == HIDDEN, cards == EMPTY
        shown = cards.masked_fill(is_hidden | is_empty, 0)
        alike = [cards == card[:, None, None, None] for card in (hand, discard)]
        counts = torch.stack([is_hidden.sum(3), is_empty.sum(3), shown.sum(3), *(each.sum(3) for each in alike)], dim=3)
        scale = torch.tensor([1, 1, 0.1, 1, 1])
        columns: Tensor = self.columns(torch.cat([self.in_cell(cells).sum(3), counts * scale], dim=3))
        return columns

    def _others(self, boards: Tensor, by_board: Tensor) -> Tensor:
        """What the other boards come to: each with its place clockwise, and added up, [N, H]."""
        others = self.rules.players - 1
        places = torch.eye(others).expand(len(boards), -1, -1)
        each = self.boards(torch.cat([boards[:, 1:], by_board[:, 1:], places], dim=2))
        together: Tensor = each.sum(1) / others
        return together

    def _facts(self, observations: Tensor, mean: Tensor) -> Tensor:
        """Phase, lap and piles, [N, facts]."""
        rules = self.rules
        phase, ender, left, turns, pile, reshuffles, decider = (
            self._part(observations, name)[:, 0]
            for name in ("phase", "ender", "turns_left", "turns", "draw_pile_size", "reshuffles", "decider")
        )
        pools = [self._part(observations, name).float() for name in ("hidden_pool", "draw_pool")]
        numbers = torch.stack(
            [mean / 5, turns.clamp(max=200) / 20, pile / 50, reshuffles.clamp(max=3), (decider > 0).float()], dim=1
        )
        return torch.cat(
            [
                nn.functional.one_hot(phase, len(PHASES)).float(),
                nn.functional.one_hot(ender + 1, rules.players + 1).float(),
                nn.functional.one_hot(left, rules.players + 1).float(),
                *(pool / pool.sum(1, keepdim=True).clamp(min=1) for pool in pools),
                numbers,
            ],
            dim=1,
        )
