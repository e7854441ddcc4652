"""The network of Skyjo Action's learned players: from an observation to the logits of all actions and a value.

Every card of a layout is read together with its column and its row; the order of columns and rows does not matter. An
action card is rated by its kind, wherever it lies. One network serves any number of players up to `seats`.
"""

import torch
from torch import Tensor, nn

from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.agents.policies.slice_network import Parts
from skyjo_action_env.kernel import CARDS, CELLS, COLUMNS, EMPTY, HIDDEN, KINDS, LOWEST, PHASES, ROWS, STAR
from skyjo_action_env.rules import Rules

SHOWN = EMPTY - LOWEST + 1  # what may lie on a cell; a hidden card that is known counts as SHOWN more than itself
TYPES = len(KINDS)
SEAT_FACTS = TYPES + 3  # action cards held, hidden cards, open points, claims
TABLE_FACTS = len(PHASES) + 3 * CARDS + 4 * TYPES + 9


class LayoutNetwork(PolicyNetwork):
    """Logits and value of compact observations under given rules, for tables of 2 to `seats` players."""

    def __init__(self, rules: Rules, seats: int | None = None, cell: int = 32, table: int = 160) -> None:
        super().__init__()
        self.rules, self.seats = rules, rules.players if seats is None else seats
        self.widths = {"seats": self.seats, "cell": cell, "table": table}
        self.card = nn.Embedding(2 * SHOWN, cell)
        self.chosen = nn.Parameter(torch.zeros(cell))
        self.in_lines = nn.Linear(3 * cell, cell)
        self.line = nn.Linear(cell, cell)
        self.other = nn.Linear(2 * cell + SEAT_FACTS + self.seats - 1, cell)
        seen = TABLE_FACTS + 4 * cell + (2 * cell + SEAT_FACTS) + cell
        self.table = nn.Sequential(nn.Linear(seen, table), nn.ReLU(), nn.Linear(table, table), nn.ReLU())
        self.around = nn.Linear(table, 4 * cell)  # what the table makes of own cells, others' cells, lines and cards
        self.by_cell, self.by_other_cell = nn.Linear(cell, 3), nn.Linear(cell, 1)
        self.by_line, self.by_card = nn.Linear(cell, 3), nn.Linear(cell, 1)
        self.by_kind = nn.Linear(table, 3 * TYPES)
        self.single = nn.Linear(table, 7)  # draw, take, the action pile, pass, none, defend, allow
        self.beyond = nn.Linear(table, 1)
        for layer in (self.by_cell, self.by_other_cell, self.by_line, self.by_card, self.by_kind, self.single):
            layer.weight.data.mul_(0.1)  # all actions begin nearly equally likely
        self.beyond.weight.data.zero_()

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [N, A] of all actions, legal or not, and values [N] in units of the reward."""
        part = Parts(self.rules, observations)
        cells, lines, hand, table = self._read(part)
        own, others, of_line, of_card = self.around(table)[:, None].chunk(4, dim=2)
        placed, flipped, chosen = self.by_cell((cells[:, 0] + own).relu()).unbind(2)
        elsewhere = self.by_other_cell((cells[:, 1:].flatten(1, 2) + others).relu())[:, :, 0]
        looked, cleared, kept = self.by_line((lines.flatten(1, 2) + of_line).relu()).unbind(2)
        named = self.by_card((hand + of_card).relu())[:, :, 0]
        taken, played, discarded = self.by_kind(table).chunk(3, dim=1)
        draw, take, pile, passed, none, defend, allow = self.single(table).split(1, dim=1)
        open_actions = taken.gather(1, part("open_actions").long().clamp(min=0))
        line = part("line").long().clamp(min=0)
        logits = [draw, take, placed, flipped, open_actions, pile, passed, played, discarded, chosen, elsewhere, looked]
        logits += [named, none, cleared.gather(1, line), kept.gather(1, line), defend, allow]
        return torch.cat(logits, dim=1), self._value(part, table)

    def values(self, observations: Tensor) -> Tensor:
        """Return the values alone, [N]."""
        part = Parts(self.rules, observations)
        return self._value(part, self._read(part)[3])

    def _value(self, part: Parts, table: Tensor) -> Tensor:
        """Return the margin if the round ended now, and what the network adds to it."""
        unseen = part("unseen").float()
        points = torch.arange(CARDS, device=unseen.device) + LOWEST
        points = torch.where(points == STAR, 0, points).float()
        mean = (unseen * points).sum(1, keepdim=True) / unseen.sum(1, keepdim=True).clamp(min=1)
        held = part("held").view(-1, part.players, TYPES).sum(2)
        scores = part("open_sums") + part("hidden_left") * mean + 10 * held + part("bonus")
        ahead: Tensor = (scores[:, 1:].mean(1) - scores[:, 0]) / 100
        beyond: Tensor = self.beyond(table)[:, 0]
        return ahead + beyond

    def _read(self, part: Parts) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return features of all cells [N, P, 12, H], of all lines [N, P, 7, H], of the cards in hand, and of the
        table.
        """
        cells, lines = self._layouts(part)
        layouts = torch.cat([cells.mean(2), lines.mean(2)], dim=2)
        seats = torch.cat([layouts, self._seat_facts(part)], dim=2)
        others = self.other(torch.cat([seats[:, 1:], self._places(part)], dim=2)).relu().mean(1)
        hand = self.card(part("hand").long() - LOWEST)
        top = self.card(part("discard_top").long() - LOWEST)
        table = torch.cat([self._table_facts(part), seats[:, 0], others, top[:, 0], hand.flatten(1)], dim=1)
        return cells, lines, hand, self.table(table)

    def _layouts(self, part: Parts) -> tuple[Tensor, Tensor]:
        """Return every card together with its column and its row; then the columns and rows."""
        shown, known = part("cells").long(), part("known").long()
        cards = self.card(torch.where((shown == HIDDEN) & (known != EMPTY), known + SHOWN, shown) - LOWEST)
        places = torch.arange(CELLS * part.players, device=shown.device)
        cards = cards + (places == part("chosen"))[:, :, None] * self.chosen
        grid = cards.view(-1, part.players, COLUMNS, ROWS, cards.shape[2])
        columns, rows = grid.mean(3, keepdim=True).expand_as(grid), grid.mean(2, keepdim=True).expand_as(grid)
        cells = self.in_lines(torch.cat([grid, columns, rows], dim=4)).relu()
        lines = self.line(torch.cat([cells.mean(3), cells.mean(2)], dim=2)).relu()
        return cells.flatten(2, 3), lines

    def _seat_facts(self, part: Parts) -> Tensor:
        held = part("held").view(-1, part.players, TYPES)
        counts = [part("hidden_left") / CELLS, part("open_sums") / 30, part("claims")]
        return torch.cat([held, torch.stack(counts, dim=2)], dim=2).float()

    def _places(self, part: Parts) -> Tensor:
        """Return the place of each other player, clockwise, as a one-hot vector."""
        places = torch.eye(self.seats - 1, device=part.observations.device)[: part.players - 1]
        return places.expand(part.observations.shape[0], -1, -1)

    def _table_facts(self, part: Parts) -> Tensor:
        """Phase, counts of cards and of action cards, and what is said of the table as a whole."""
        device = part.observations.device
        kinds = torch.arange(TYPES, device=device)
        is_open = (part("open_actions")[:, :, None] == kinds).sum(1)
        facts = [
            part("phase") == torch.arange(len(PHASES), device=device),
            *(part(name) / 10 for name in ("unseen", "known_draws", "discards")),
            *(is_open, part("action_discards"), part("action_top") == kinds, part("played") == kinds),
            *(part("ender") >= 0, part("ender") == 0, part("mover") == 0, part("turns_left") / part.players),
            *(part("extra_turns") / 2, part("turns").clamp(max=100) / 50, part("draw_pile_size") / 100),
            *(part("action_pile_size") / 20, torch.full_like(part("seat"), part.players) / 4),
        ]
        return torch.cat([fact.float() for fact in facts], dim=1)
