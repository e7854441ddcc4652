"""The network of Skip-Bo's learned players: from an observation to the logits of all actions and a value.

It is blind to the order of the building places and of the discard piles. A building place counts as the rank that it
needs. A play is rated by that rank and by the source of its card, a discard by its card and by the pile below it.

Facts about every rank are computed from the observation, not learned: the number of cards missing from there up to the
own stock card and to the next player's. From these follow the probability that the own stock card can be played by the
next turn (the reach), and that the next player's can be played in theirs (the threat). The value starts as the
difference between the stock piles.

One network serves any number of players up to `seats`, which it reads from the size of the observation.
"""

import torch
from torch import Tensor, bitwise_left_shift, bitwise_right_shift, nn

from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.agents.policies.slice_network import Parts
from skipbo_agents.nearness import CHANCES
from skipbo_env.kernel import CARDS, HAND, PLACES, RANKS, UNSEEN, WILD
from skipbo_env.rules import Rules

RANK_FACTS = 28  # facts about each rank
TURN_FACTS = 6  # facts about the turn as a whole
BITS = 3  # enough to count building places
RUN = 6  # how far a chain of plays is followed


def unseen(part: Parts) -> Tensor:
    """Return the cards that are not seen, by rank, [N, CARDS]."""
    return (part("older") + part("newer") - part("doubtful")).float()


class RankFacts(nn.Module):
    """Facts of all ranks [N, RANKS, RANK_FACTS], and of the turn [N, TURN_FACTS]."""

    ranks: Tensor
    chances: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("ranks", torch.arange(1, RANKS + 1), persistent=False)
        chances = nn.functional.pad(torch.from_numpy(CHANCES).float(), (0, 1))  # more than a hand never comes
        self.register_buffer("chances", chances, persistent=False)

    def forward(self, part: Parts, uppermost: Tensor, follows: Tensor) -> tuple[Tensor, Tensor]:
        """Return the facts of every rank from the cards on all discard piles (`uppermost`) and from marks of those that
        can be played in turn (`follows`).
        """
        held, tops = part("hand_counts")[:, :RANKS].float(), part("stock_tops").long()
        wilds_held = part("hand_counts")[:, WILD - 1 :]
        wilds = wilds_held + (uppermost[:, 0, :, 0] == WILD).sum(1, keepdim=True)
        needs = self._needs(part)
        is_held, is_there = (held > 0).float(), (needs > 0).float()
        mine, theirs = (self._given((uppermost * follows)[:, place]) for place in range(2))
        available = torch.maximum(is_held, mine)
        missing, way = self._missing(available, tops[:, :1])
        their_missing, their_way = self._missing(theirs, tops[:, 1:2])
        least = (missing + 2 * RANKS * (1 - is_there)).amin(1, keepdim=True)
        draws = (HAND + 1 - part("hand_sizes")[:, 0].long()).clamp(0, HAND)
        reach, threat = self._likely(draws, missing - wilds), self._likely(torch.full_like(draws, HAND), their_missing)
        threat = threat * (tops[:, 1:2] != UNSEEN)
        reach_now, reach_after = _best(is_there * reach, needs, reach)
        threat_now, threat_after = _best(is_there * threat, needs, threat)
        played, threat_left = _played_on(is_there, available, threat)
        facts = [
            played,
            played * is_held,
            threat_left,
            threat_left - threat_now,
            reach_after,
            reach_after - reach_now,
            threat_after,
            threat_after - threat_now,
            is_there,
            needs / 2,
            is_held,
            held / 2,
            mine,
            theirs,
            is_held.roll(-1, 1),
            is_there * (missing == least),
            is_there * (missing <= wilds),
            (missing == 0).float(),
            missing / 4,
            missing.roll(-1, 1) / 4,
            way / RANKS,
            (way == 0).float(),
            (their_missing == 0).float(),
            their_missing / 4,
            their_missing.roll(-1, 1) / 4,
            their_way / RANKS,
            (their_way == 0).float(),
            unseen(part)[:, :RANKS] / 10,
        ]
        rest = part("hand_sizes")[:, :1] - (played * is_held).sum(1, keepdim=True)  # hand cards that stay
        naturals = rest - wilds_held
        turn = [reach_now, threat_now, rest / HAND, (rest == 0).float(), naturals / HAND, (naturals <= 0).float()]
        return torch.stack(facts, dim=2), torch.cat(turn, dim=1)

    def _needs(self, part: Parts) -> Tensor:
        """Return the number of building places that need each rank, [N, RANKS]."""
        packed = bitwise_left_shift(1, BITS * part("building").long()).sum(1, keepdim=True)
        return (bitwise_right_shift(packed, BITS * (self.ranks - 1)) & (1 << BITS) - 1).float()

    def _given(self, cards: Tensor) -> Tensor:
        """Return 1 for each rank among these cards and 0 for all others, [N, RANKS]."""
        ranks = cards.flatten(1).long()
        marks = torch.zeros_like(ranks[:, :1]).float().expand(-1, RANKS + 1)
        return marks.scatter(1, ranks, 1.0)[:, 1:]

    def _likely(self, draws: Tensor, missing: Tensor) -> Tensor:
        """Return the probability that this many draws [N] bring the missing cards, [N, RANKS]."""
        return self.chances[draws].gather(1, missing.long().clamp(0, HAND + 1))

    def _missing(self, available: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """From every rank up to the target: how many ranks are not given, and how far it is, both [N, RANKS].

        Past the target the way leads on to 12 and from 1 again. To a wild or unseen card both are 0.
        """
        lacking = (1 - available).cumsum(1)
        before = nn.functional.pad(lacking, (1, 0))  # up to but not including each rank; last, all of them
        is_rank = ((target > 0) & (target < WILD)).float()
        goal = torch.where((target > 0) & (target < WILD), target, 1)
        is_beyond = (self.ranks > goal).float()
        missing = before.gather(1, goal - 1) - before[:, :RANKS] + is_beyond * lacking[:, -1:]
        way = goal - self.ranks + RANKS * is_beyond
        return missing * is_rank, way * is_rank


def _best(at_places: Tensor, needs: Tensor, likely: Tensor) -> tuple[Tensor, Tensor]:
    """Return the highest chance at any place [N, 1], and the same after a play on a place that needs each rank [N,
    RANKS].
    """
    first, second = at_places.topk(2, dim=1).values.unbind(1)
    others = torch.where((at_places == first[:, None]) & (needs < 2), second[:, None], first[:, None])
    return first[:, None], torch.maximum(others, likely.roll(-1, 1))


def _played_on(is_there: Tensor, available: Tensor, threat: Tensor) -> tuple[Tensor, Tensor]:
    """Return two tensors, [N, RANKS]: the ranks that can be played this turn without wild cards, and the threat that
    remains. The second assumes that every card that can follow a rank is played.
    """
    played, remaining = is_there * available, threat
    for _ in range(RUN):
        played = torch.maximum(played, played.roll(1, 1) * available)
        remaining = torch.where(available > 0, remaining.roll(-1, 1), threat)
    return played, remaining


DEPTH = 5  # cards of a discard pile that are looked at, from the top
KINDS = UNSEEN + 1  # what may lie somewhere: nothing, a rank, a wild card, a card that is not seen
NUMBERS = 7  # inputs for the table as a whole, in addition to counts, cards and facts of the turn
OTHER_NUMBERS = 2  # the sizes of another player's stock pile and hand
USUAL_STOCK = 30


class PileNetwork(PolicyNetwork):
    """Logits and value of compact observations under given rules, for tables of 2 to `seats` players."""

    places: Tensor
    depths: Tensor
    kinds: Tensor

    def __init__(
        self, rules: Rules, seats: int | None = None, pile: int = 24, rank: int = 48, table: int = 192
    ) -> None:
        super().__init__()
        self.rules, self.seats = rules, rules.players if seats is None else seats
        self.widths = {"seats": self.seats, "pile": pile, "rank": rank, "table": table}
        self._make_constants()
        self.facts = RankFacts()
        self.top = nn.Embedding(2 * KINDS, pile)  # of an own pile, of another's
        self.below = nn.Linear(3 * DEPTH, pile)
        self.piles = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(pile, pile), nn.ReLU(inplace=True))
        self.others = nn.Sequential(
            nn.Linear(KINDS + OTHER_NUMBERS + pile + self.seats - 1, pile), nn.ReLU(inplace=True)
        )
        facts = RANKS * RANK_FACTS + TURN_FACTS + 4 * CARDS + KINDS + NUMBERS
        self.table = nn.Sequential(
            nn.Linear(facts + 2 * pile, table), nn.ReLU(inplace=True), nn.Linear(table, table), nn.ReLU(inplace=True)
        )
        self.rank_of_table, self.rank_of_facts = nn.Linear(table, rank), nn.Linear(RANK_FACTS, rank)
        self.rank_itself = nn.Parameter(0.1 * torch.randn(RANKS, rank))
        self.by_rank = nn.Linear(rank, 5)  # plays: from stock, hand, a discard pile, of a wild card, of one on a pile
        self.pile_of_table, self.pile_itself = nn.Linear(table, rank), nn.Linear(pile, rank)
        self.by_pile = nn.Linear(rank, CARDS + 2)  # discards, and plays of the pile's top: a rank or a wild card
        self.by_card = nn.Linear(table, CARDS + 1)  # discards wherever they go, and the pass
        self.beyond = nn.Sequential(nn.Linear(table, table // 2), nn.ReLU(inplace=True), nn.Linear(table // 2, 1))
        self._begin_small()

    def _make_constants(self) -> None:
        """Buffers: they move to another device with the weights, but are not learned."""
        self.register_buffer("places", torch.eye(self.seats - 1), persistent=False)
        self.register_buffer("depths", torch.arange(DEPTH), persistent=False)
        self.register_buffer("kinds", torch.eye(KINDS), persistent=False)

    def _begin_small(self) -> None:
        """All actions begin nearly equally likely, and the value as the difference between the stock piles."""
        layers = (self.by_rank, 0.1), (self.by_pile, 0.1), (self.by_card, 0.1), (self.beyond[2], 0.0)
        for layer, scale in layers:
            assert isinstance(layer, nn.Linear)
            layer.weight.data.mul_(scale)
            layer.bias.data.zero_()

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [N, A] of all actions, legal or not, and values [N] in units of the reward."""
        part = Parts(self.rules, observations)
        table, by_rank, piles, ahead = self._read(part)
        around = self.rank_of_table(table)[:, None] + self.rank_itself
        ranks = self.by_rank((self.rank_of_facts(by_rank) + around).relu_())  # [N, RANKS, 5]
        own = self.by_pile((self.pile_itself(piles) + self.pile_of_table(table)[:, None]).relu_())  # [N, PLACES, ...]
        cards = self.by_card(table)
        built = part("building").long()[:, :, None].expand(-1, -1, 5)  # the rank that is needed, minus 1
        stock, _, pile, wild, wild_pile = ranks.gather(1, built).unbind(2)  # [N, PLACES] each
        tops = part("discard_tops")[:, :PLACES, None]
        natural, wildly = pile[:, None] + own[:, :, CARDS, None], wild_pile[:, None] + own[:, :, CARDS + 1, None]
        logits = [
            torch.where(part("stock_tops")[:, :1] == WILD, wild, stock),
            ranks[:, :, 1:2].expand(-1, -1, PLACES).flatten(1),
            wild,
            torch.where(tops == WILD, wildly, natural).flatten(1),
            (own[:, :, :CARDS].transpose(1, 2) + cards[:, :CARDS, None]).flatten(1),
            cards[:, CARDS:],
        ]
        return torch.cat(logits, dim=1), self._value(table, ahead)

    def values(self, observations: Tensor) -> Tensor:
        """Return the values alone, [N]."""
        table, *_, ahead = self._read(Parts(self.rules, observations))
        return self._value(table, ahead)

    def _value(self, table: Tensor, ahead: Tensor) -> Tensor:
        return torch.tanh(ahead + self.beyond(table)[:, 0])

    def _read(self, part: Parts) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return features of the table, of all ranks and of the own discard piles, and the lead in stock cards."""
        uppermost = self._top_cards(part)
        follows = self._runs(uppermost)
        piles = self._piles(uppermost, follows)
        stocks = part("stock_sizes").float() / USUAL_STOCK
        by_rank, turn = self.facts(part, uppermost, follows)
        own = piles[:, 0]
        seen = [by_rank.flatten(1), *self._counts(part), self._numbers(part, stocks), turn, own.sum(1)]
        seen.append(self._others(part, stocks, piles[:, 1:].sum(2)))
        return self.table(torch.cat(seen, dim=1)), by_rank, own, stocks[:, 1:].mean(1) - stocks[:, 0]

    def _top_cards(self, part: Parts) -> Tensor:
        """Return the cards on top of every discard pile, the top first, 0 below the bottom, [N, P, PLACES, DEPTH]."""
        sizes = part("discard_sizes").long()
        at = sizes.cumsum(1)[:, :, None] - 1 - self.depths
        cards = part("discards").gather(1, at.clamp(min=0).flatten(1)).view(at.shape)
        return cards.masked_fill(self.depths >= sizes[:, :, None], 0).view(-1, part.players, PLACES, DEPTH)

    def _runs(self, uppermost: Tensor) -> Tensor:
        """Return a mask of the cards that can be played one after another from the top, each one rank higher than the
        last.
        """
        follows = [(uppermost[..., 0] > 0) & (uppermost[..., 0] < WILD)]
        for k in range(1, DEPTH):
            follows.append(follows[-1] & (uppermost[..., k] == uppermost[..., k - 1] + 1) & (uppermost[..., k] < WILD))
        return torch.stack(follows, dim=-1)

    def _piles(self, uppermost: Tensor, follows: Tensor) -> Tensor:
        """Return the features of every discard pile, [N, P, PLACES, H]."""
        tops = torch.cat([uppermost[:, :1, :, 0], uppermost[:, 1:, :, 0] + KINDS], dim=1)
        below = torch.cat([uppermost / RANKS, (uppermost > 0).float(), follows.float()], dim=-1)
        piles: Tensor = self.piles(self.below(below).add_(self.top(tops)))
        return piles

    def _counts(self, part: Parts) -> list[Tensor]:
        """Return the own hand and stock card, unseen and completed cards."""
        hand = part("hand_counts").float()
        own = self.kinds[part("stock_tops")[:, 0].long()]
        return [hand / 2, hand.clamp(max=1), own, unseen(part) / 10, part("completed") / 10]

    def _numbers(self, part: Parts, stocks: Tensor) -> Tensor:
        """Return the sizes of piles and hands, and how long the round has been, [N, NUMBERS]."""
        numbers = [
            stocks[:, 0],
            (stocks[:, 0] * (USUAL_STOCK / 5)).clamp(max=1),
            part("hand_sizes")[:, 0] / HAND,
            part("draw_pile_size")[:, 0] / 100,
            part("turns")[:, 0].clamp(max=200) / 100,
            part("discard_sizes")[:, :PLACES].sum(1).clamp(max=80) / 20,
            torch.full_like(stocks[:, 0], part.players / 4),
        ]
        return torch.stack(numbers, dim=1)

    def _others(self, part: Parts, stocks: Tensor, piles: Tensor) -> Tensor:
        """Return the mean features of the other players, each read together with its place clockwise, [N, H]."""
        others = part.players - 1
        places = self.places[:others].expand(stocks.shape[0], -1, -1)  # not len: ONNX would fix the batch
        tops, hands = self.kinds[part("stock_tops")[:, 1:].long()], part("hand_sizes")[:, 1:, None] / HAND
        features = self.others(torch.cat([tops, stocks[:, 1:, None], hands, piles, places], dim=2))
        together: Tensor = features.sum(1) / others
        return together
