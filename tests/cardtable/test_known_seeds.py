"""A cheat that knows which seeds and deals are possible, and tabulates the chances that it would be handed in each."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.agents import chances_of
from cardtable.card_game import Setup
from cardtable.kernel.chance import player_chance
from cardtable.play.decisions import play_rounds
from skyjo_env import HIDDEN, OFFICIAL, Game, ObservationSpec, make_agent
from skyjo_env.kernel.state import FIRST_PLACE

SEEDS, DEALS = range(3), range(100)
PLAYED = range(40)  # deals of the last seed
MEAN = 5  # of the cards, nearly
FIRST_FLIP = FIRST_PLACE + OFFICIAL.cells

SPEC = ObservationSpec(OFFICIAL)

Handing = Callable[[Game], int]  # what seat 0 is handed at its first decision


def as_now(game: Game) -> int:
    return int(chances_of(game.observation()[None])[0])


def by_key(game: Game) -> int:
    """What must not be handed: it follows from seed, deal and seat, even though it cannot be inverted."""
    return int(player_chance(game.state["key"][0], 0))


class Tabulator:
    """Replaces its highest card by the drawn one. If what it is handed first belongs to a single deal in its table, it
    knows its hidden cards; otherwise it assumes MEAN for each.
    """

    def __init__(self, handing: Handing) -> None:
        self.table: dict[int, list[Game]] = {}
        for game in (Game(OFFICIAL, seed, deal) for seed in SEEDS for deal in DEALS):
            self.table.setdefault(handing(game), []).append(game)
        self.cards: Any = MEAN
        self.found = 0

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[np.int64]:
        assert len(masks) == 1  # one round after the other
        view, mask = SPEC.view(observations[0]), masks[0]
        if view.phase == 0 and (view.cells[0] == HIDDEN).all():
            games = self.table.get(int(chances[0]), [])
            self.found += len(games) == 1
            self.cards = games[0].state["cards"][0, 0, : OFFICIAL.cells] if len(games) == 1 else MEAN
        return np.array([self.choice(view, mask)])

    def choice(self, view: Any, mask: NDArray[Any]) -> int:
        if mask[0]:
            return 0
        own = view.cells[0]
        cards = np.where(own == HIDDEN, self.cards, np.where(own > HIDDEN, -100, own))
        highest = int(cards.argmax())
        if mask[FIRST_PLACE + highest] and cards[highest] > view.hand:
            return FIRST_PLACE + highest
        return FIRST_FLIP + int(np.where(mask[FIRST_FLIP:], -cards, -100).argmax())


class Handed:
    """Hands an agent the same number at every decision, whatever it would be handed otherwise."""

    def __init__(self, agent: Tabulator, chance: int) -> None:
        self.agent, self.chance = agent, chance

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[np.int64]:
        return self.agent.act(observations, masks, np.full_like(chances, self.chance))


def margins(agent: Tabulator, handing: Handing | None = None) -> list[int]:
    """Its margins against `tempo`; it is handed what the product hands it, or something else."""
    found = []
    for deal in PLAYED:
        game = Game(OFFICIAL, SEEDS[-1], deal)
        seated = agent if handing is None else Handed(agent, handing(game))
        rounds = play_rounds([seated, make_agent("tempo")], Setup(OFFICIAL, SEEDS[-1]), range(deal, deal + 1))
        found.append(int(rounds.scores[0, 1] - rounds.scores[0, 0]))
    return found


def test_tabulating_the_chances_of_all_deals_gains_nothing() -> None:
    random = np.random.default_rng(1)
    now, deaf = Tabulator(as_now), Tabulator(as_now)
    assert margins(now) == margins(deaf, lambda _: int(random.integers(2**63)))
    assert now.found == deaf.found == 0
    assert len(now.table) <= 15  # the card on the discard pile is all that is seen by then


@pytest.mark.slow
def test_the_same_cheat_would_gain_by_chances_that_follow_from_seed_and_deal() -> None:
    """Otherwise the test above would show nothing."""
    then, deaf = Tabulator(by_key), Tabulator(by_key)
    gained = np.subtract(margins(then, by_key), margins(deaf))
    assert then.found == len(PLAYED)
    assert gained.mean() > 5
