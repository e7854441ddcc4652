"""The luck terms of Skip-Bo, computed plainly."""

import numpy as np

from skipbo_env import WILD, Game


class Luck:
    """The luck of one round, computed card by card from the table."""

    def __init__(self, game: Game) -> None:
        self.game, self.rules = game, game.rules
        self.terms = np.zeros((game.rules.players, 3))

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
