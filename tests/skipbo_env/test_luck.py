"""The luck terms: against a plain computation from the same rounds, and without bias whoever plays and by any rules."""

from typing import Any

import numpy as np
import pytest

from cardtable.arena.play.rounds import play_rounds
from cardtable.table.agents.agents import choose
from cardtable.table.game.card_game import Setup
from skipbo_env import OFFICIAL, WILD, Game, Rules, make_agent
from skipbo_env.card_game import spec_of
from skipbo_env.kernel.measures import WEIGHTS


def with_luck(names: list[str], rules: Rules, seed: int, deals: int) -> Any:
    """What the rounds left, luck included."""
    agents = [make_agent(name, rules) for name in names]
    return play_rounds(agents, Setup(rules, seed, with_luck=True), range(deals))


class Luck:
    """The luck of one round, computed card by card from the table."""

    def __init__(self, names: list[str], rules: Rules, seed: int, deal: int) -> None:
        self.rules, self.game = rules, Game(rules, seed, deal, "round")
        self.terms = np.zeros((rules.players, 3))
        agents = [make_agent(name, rules) for name in names]
        while not self.game.is_over:
            seat, seen, mask = self.game.seat, self.game.observation()[None], self.game.mask()[None]
            self.move(int(choose(agents[seat], names[seat], spec_of(rules), seen, mask)[0]))

    def distance(self, card: int) -> int:
        """How many cards must be played on the nearest pile before this one."""
        return 0 if card == WILD else min((card - 1 - last) % 12 for last in self.game.building_piles())

    def stocks(self) -> list[int]:
        """The cards that lie face down in stock piles."""
        record, size = self.game.state[0], self.rules.stock_size
        return [
            card
            for seat in range(self.rules.players)
            for card in record["stocks"][seat * size : seat * size + max(record["stock_left"][seat] - 1, 0)].tolist()
        ]

    def draws(self) -> list[int]:
        """The cards of the draw pile, next card first."""
        record = self.game.state[0]
        cards: list[int] = record["piles"][len(record["piles"]) - record["draw_left"] :].tolist()
        return cards

    def move(self, action: int) -> None:
        """Play, and count every card that was revealed to somebody."""
        game, seat = self.game, self.game.seat
        stocks, draws, recycles = self.stocks(), self.draws(), game.recycles
        hands = [len(game.hand(each)) for each in range(self.rules.players)]
        game.apply(action)
        if game.is_over:
            return
        if action < 4:
            top = game.stock_top(seat)
            assert top is not None
            pool = [top, *self.stocks(), *(draws if recycles == 0 else [])]
            self.terms[seat, 0] += self.mean(pool) - self.distance(top)
            return
        drawer, mine = game.seat, list(game.hand(game.seat))
        is_refill = drawer == seat and 4 <= action < 56 and hands[seat] == 1
        drawn = mine if is_refill else mine[hands[drawer] :] if drawer != seat else []
        first = drawn[: len(draws)]
        rest = drawn[len(draws) :]
        self.note(drawer, first, draws + (stocks if recycles == 0 else []))
        self.note(drawer, rest, rest + self.draws())

    def note(self, seat: int, cards: list[int], pool: list[int]) -> None:
        """These cards were drawn from a pool."""
        for card in cards:
            self.terms[seat, 1] += self.mean(pool) - self.distance(card)
            self.terms[seat, 2] += (card == WILD) - pool.count(WILD) / len(pool)

    def mean(self, pool: list[int]) -> float:
        """The mean distance of the cards of a pool."""
        return sum(map(self.distance, pool)) / len(pool)


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        (["greedy:pile=smallest", "hpvp"], OFFICIAL),
        (["hpvp:gap=nearest,empty=first"] * 3, Rules(players=3, stock=12)),
        (["random", "hpvp"], Rules(stock=8)),
        (["greedy", "hpvp"], Rules(stock=25, recycle="when_empty")),
    ],
)
def test_the_luck_of_a_round_is_what_a_plain_computation_finds(names: list[str], rules: Rules) -> None:
    found = with_luck(names, rules, 5, 4)
    for deal in range(4):
        assert found.luck[deal] == pytest.approx(Luck(names, rules, 5, deal).terms)


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("names", "rules"),
    [
        (["greedy:pile=smallest", "hpvp:gap=nearest,empty=first"], OFFICIAL),
        (["greedy", "hpvp:gap=farthest,empty=as_zero"], OFFICIAL),
        (["hpvp"] * 3, Rules(players=3, stock=10)),
        (["hpvp", "greedy:pile=smallest"], Rules(stock=15, recycle="on_completion")),
    ],
)
def test_luck_is_zero_on_average_whoever_plays(names: list[str], rules: Rules) -> None:
    luck = with_luck(names, rules, 13, 6000).luck
    deviations = luck.mean(axis=0) / (luck.std(axis=0) / len(luck) ** 0.5)
    assert np.abs(deviations).max() < 4


@pytest.mark.statistical
def test_luck_explains_a_quarter_of_the_margin() -> None:
    played = with_luck(["greedy:pile=smallest", "hpvp:gap=nearest,empty=first"], OFFICIAL, 17, 4000)
    luck = (played.luck[:, 0] - played.luck[:, 1]) @ WEIGHTS
    left = (played.margins[:, 0] - luck).var() / played.margins[:, 0].var()
    assert 0.70 < left < 0.82
