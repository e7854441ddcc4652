"""The scripted agents against the players of Strittmatter's paper in plain Python, written from its text alone.

Each takes what its seat sees and names its decision. Cards are ranks, 13 is a wild card, 0 stands for an empty pile.
"""

import random
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from skipbo_env import make_agent
from skipbo_env.card_game import spec_of
from skipbo_env.kernel import DISCARD, PASS
from skipbo_env.rules import ACTION_NAMES, OFFICIAL, STRITTMATTER, Rules
from tests.skipbo_agents.test_rollout import positions
from tests.skipbo_env.tables import random_rules

WILD = 13
GREEDY = [
    f"greedy:pile={pile},hand_order={order}"
    for pile in ("leftmost", "smallest", "random")
    for order in ("drawn", "rank")
]
RANDOM = ["random", "random:plays_first=true", "random:over=slots", "random:plays_first=true,over=slots"]


class Seat(NamedTuple):
    """What the paper's agent observes (2.1), and how many cards lie on its discard piles."""

    building: list[int]
    hand: list[int]
    stock: int
    tops: list[int]
    sizes: list[int]


def seat_of(rules: Rules, observation: Any) -> Seat:
    """What stands in an observation."""
    view = spec_of(rules).view(observation)
    hand = [card for card in view.hand.tolist() if card > 0]
    tops, sizes = view.discard_tops[0].tolist(), view.discard_sizes[0].tolist()
    return Seat(view.building.tolist(), hand, int(view.stock_tops[0]), tops, sizes)


def targets(seat: Seat, card: int) -> list[int]:
    """The places on which a card may be played."""
    return [place for place, rank in enumerate(seat.building) if card == WILD or card == rank + 1]


def name_of(card: int) -> str:
    return "w" if card == WILD else str(card)


def greedy(seat: Seat, pile: str, hand_order: str) -> set[str]:
    """The first available legal move in a fixed ordering of sources (5.1): every action that the parameters allow."""
    hand = sorted(seat.hand) if hand_order == "rank" else seat.hand
    moves = [f"stock to {place}" for place in targets(seat, seat.stock)]
    moves += [f"hand {name_of(card)} to {place}" for card in hand for place in targets(seat, card)]
    moves += [f"pile {d} to {place}" for d, card in enumerate(seat.tops) if card > 0 for place in targets(seat, card)]
    if len(moves) > 0:
        return {moves[0]}
    if len(hand) == 0:
        return {"pass"}
    piles = {"leftmost": [0], "smallest": [seat.sizes.index(min(seat.sizes))], "random": [0, 1, 2, 3]}[pile]
    return {f"discard {name_of(hand[0])} on {d}" for d in piles}


def hpvp(seat: Seat, gap: str, empty: str, wild_use: str, tie: str) -> set[str]:
    """Algorithm 1."""
    played = stock_play(seat) or hand_play(seat, wild_use, tie) or discard_pile_play(seat)
    return {played or positional_discard(seat, gap, empty)}


def highest(seat: Seat, card: int) -> int:
    """Of the places that take the card, the one whose top rank is highest; the leftmost of several."""
    return max(targets(seat, card), key=lambda place: (seat.building[place], -place))


def stock_play(seat: Seat) -> str | None:
    """Priority 1."""
    return f"stock to {highest(seat, seat.stock)}" if targets(seat, seat.stock) else None


def hand_play(seat: Seat, wild_use: str, tie: str) -> str | None:
    """Priority 2: extend rather than start, then the smallest gap between the new top rank and 12."""
    plays = [(card, place) for card in seat.hand for place in targets(seat, card)]
    naturals = [play for play in plays if play[0] != WILD]
    if wild_use == "last" and len(naturals) > 0:
        plays = naturals
    if len(plays) == 0:
        return None

    def preference(play: tuple[int, int]) -> Any:
        card, place = play
        starts, new_gap = seat.building[place] == 0, 12 - (seat.building[place] + 1)
        return starts, new_gap, (card == WILD) != (tie == "wild"), place

    card, place = min(plays, key=preference)
    return f"hand {name_of(card)} to {place}"


def discard_pile_play(seat: Seat) -> str | None:
    """Priority 3."""
    for pile, card in enumerate(seat.tops):
        if card > 0 and targets(seat, card):
            return f"pile {pile} to {highest(seat, card)}"
    return None


def positional_discard(seat: Seat, gap: str, empty: str) -> str:
    """Priority 4: on the pile whose top is maximally less than 12; on the leftmost if all are 12 or empty."""
    if len(seat.hand) == 0:
        return "pass"
    card = name_of(max(seat.hand))
    empties = [pile for pile, top in enumerate(seat.tops) if top == 0]
    if empty == "first" and len(empties) > 0:
        return f"discard {card} on {empties[0]}"
    ranks = {pile: top for pile, top in enumerate(seat.tops) if top < 12 and (top > 0 or empty == "as_zero")}
    choose: Callable[..., int] = max if gap == "nearest" else min
    pile = choose(ranks, key=lambda each: (ranks[each], each if gap == "farthest" else -each)) if ranks else 0
    return f"discard {card} on {pile}"


READINGS = [
    f"hpvp:gap={gap},empty={empty},wild_use={use},tie={tie}"
    for gap, empty, use, tie in product(
        ("nearest", "farthest"), ("ignored", "as_zero", "first"), ("literal", "last"), ("natural", "wild")
    )
]


def words(text: str) -> dict[str, str]:
    """The parameters of an agent's text."""
    return dict(part.split("=") for part in text.partition(":")[2].split(",") if part)


# As the paper describes them


@pytest.mark.parametrize("text", [*READINGS, *GREEDY])
def test_every_decision_is_as_described(text: str) -> None:
    described = hpvp if text in READINGS else greedy
    for seed, rules in enumerate((OFFICIAL, STRITTMATTER, random_rules(random.Random(text)))):
        for observations, masks, actions in positions(text, rules, seed, tables=16, steps=60):
            for observation, mask, action in zip(observations, masks, actions, strict=True):
                seat = seat_of(rules, observation)
                legal = {ACTION_NAMES[number] for number in np.flatnonzero(mask)}
                assert ACTION_NAMES[action] in described(seat, **words(text)) & legal, seat


def test_a_random_pile_is_each_equally_likely() -> None:
    found = Counter(
        action % 4
        for _, _, actions in positions("greedy:pile=random", OFFICIAL, 1, 200, 200, exploring=0)
        for action in actions[actions >= DISCARD]
    )
    assert max(found.values()) / min(found.values()) < 1.1


@pytest.mark.parametrize("rules", [OFFICIAL, Rules(compulsory=True), Rules(discard_wild=False, symmetric="lowest")])
@pytest.mark.parametrize("text", RANDOM)
def test_random_does_everything_legal_equally_often(text: str, rules: Rules) -> None:
    """At one table with 10,000 generators: of the plays alone with `plays_first`, by hand cards with `slots`."""
    parameters, agent = words(text), make_agent(text, rules)
    for seed in range(6):
        *_, (observations, masks, _) = positions(text, rules, seed, tables=1, steps=7 + 3 * seed, exploring=0)
        hand, copies = seat_of(rules, observations[0]).hand, 10_000
        legal = np.flatnonzero(masks[0])
        if parameters.get("plays_first") and legal[0] < DISCARD:
            legal = legal[legal < DISCARD]
        weights = [hand.count(card_of(action)) if "over" in parameters and card_of(action) else 1 for action in legal]
        rng_states = np.random.default_rng(seed).integers(0, 2**63, copies).astype(np.uint64)
        actions = agent.act(np.repeat(observations, copies, 0), np.repeat(masks, copies, 0), rng_states)
        found = np.bincount(actions, minlength=125)[legal]
        assert found.sum() == copies
        np.testing.assert_allclose(found / copies, np.array(weights) / sum(weights), atol=0.02)


def card_of(action: Any) -> Any:
    """The hand card of an action, 0 for any other action."""
    if DISCARD <= action < PASS:
        return (action - DISCARD) // 4 + 1
    return (action - 4) // 4 + 1 if 4 <= action < 56 else 0
