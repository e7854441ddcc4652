"""Facts about every rank that follow from the observation: nothing here is learned.

For each rank that a building place may need: how many cards are missing from there up to the stock card, the own one
and the next player's; and from that how likely the own stock card can be played by the next turn (the reach), and the
next player's in theirs (the threat).
"""

import torch
from torch import Tensor, bitwise_left_shift, bitwise_right_shift, nn

from cardtable.table.agents.policies.observed_parts import Parts
from skipbo_agents.nearness import CHANCES
from skipbo_env.kernel.state import HAND, RANKS, UNSEEN, WILD

RANK_FACTS = 28  # facts about each rank
TURN_FACTS = 6  # facts about the turn as a whole
BITS = 3  # enough to count building places
RUN = 6  # how far a chain of plays is followed


def unseen(part: Parts) -> Tensor:
    """The cards that are not seen, by rank, [N, CARDS]."""
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

    def forward(self, part: Parts, laid: Tensor, follows: Tensor) -> tuple[Tensor, Tensor]:
        """`laid` are the uppermost cards of all discard piles, and `follows` marks those that can be played in turn."""
        held, tops = part("hand_counts")[:, :RANKS].float(), part("stock_tops").long()
        wilds_held = part("hand_counts")[:, WILD - 1 :]
        wilds = wilds_held + (laid[:, 0, :, 0] == WILD).sum(1, keepdim=True)
        needs = self._needs(part)
        is_held, is_there = (held > 0).float(), (needs > 0).float()
        mine, theirs = (self._given((laid * follows)[:, place]) for place in range(2))
        given = torch.maximum(is_held, mine)
        missing, way = self._missing(given, tops[:, :1])
        their_missing, their_way = self._missing(theirs, tops[:, 1:2])
        least = (missing + 2 * RANKS * (1 - is_there)).amin(1, keepdim=True)
        draws = (HAND + 1 - part("hand_sizes")[:, 0].long()).clamp(0, HAND)
        reach, threat = self._likely(draws, missing - wilds), self._likely(torch.full_like(draws, HAND), their_missing)
        threat = threat * (tops[:, 1:2] != UNSEEN)
        reach_now, reach_after = _best(is_there * reach, needs, reach)
        threat_now, threat_after = _best(is_there * threat, needs, threat)
        played, threat_left = _played_on(is_there, given, threat)
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
        """How many building places need each rank, [N, RANKS]."""
        packed = bitwise_left_shift(1, BITS * part("building").long()).sum(1, keepdim=True)
        return (bitwise_right_shift(packed, BITS * (self.ranks - 1)) & (1 << BITS) - 1).float()

    def _given(self, cards: Tensor) -> Tensor:
        """Which ranks are among these cards, [N, RANKS]; other cards are 0."""
        ranks = cards.flatten(1).long()
        given = torch.zeros_like(ranks[:, :1]).float().expand(-1, RANKS + 1)
        return given.scatter(1, ranks, 1.0)[:, 1:]

    def _likely(self, draws: Tensor, missing: Tensor) -> Tensor:
        """How likely this many draws [N] bring what is missing, [N, RANKS]."""
        return self.chances[draws].gather(1, missing.long().clamp(0, HAND + 1))

    def _missing(self, given: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """From every rank up to the target: how many ranks are not given, and how far it is, both [N, RANKS].

        Past the target the way leads on to 12 and from 1 again. To a wild or unseen card both are 0.
        """
        lacking = (1 - given).cumsum(1)
        before = nn.functional.pad(lacking, (1, 0))  # up to but not including each rank; last, all of them
        is_rank = ((target > 0) & (target < WILD)).float()
        goal = torch.where((target > 0) & (target < WILD), target, 1)
        is_beyond = (self.ranks > goal).float()
        missing = before.gather(1, goal - 1) - before[:, :RANKS] + is_beyond * lacking[:, -1:]
        way = goal - self.ranks + RANKS * is_beyond
        return missing * is_rank, way * is_rank


def _best(at_places: Tensor, needs: Tensor, likely: Tensor) -> tuple[Tensor, Tensor]:
    """The highest chance at any place [N, 1], and the same after a play on a place that needs each rank [N, RANKS]."""
    first, second = at_places.topk(2, dim=1).values.unbind(1)
    others = torch.where((at_places == first[:, None]) & (needs < 2), second[:, None], first[:, None])
    return first[:, None], torch.maximum(others, likely.roll(-1, 1))


def _played_on(is_there: Tensor, given: Tensor, threat: Tensor) -> tuple[Tensor, Tensor]:
    """Which ranks can be played this turn without wild cards, and the threat if all that can be played from each rank
    on is played, both [N, RANKS].
    """
    played, left = is_there * given, threat
    for _ in range(RUN):
        played = torch.maximum(played, played.roll(1, 1) * given)
        left = torch.where(given > 0, left.roll(-1, 1), threat)
    return played, left
