"""The oracle's table with marks that tell the truth about what can only be guessed: which cards are older ones."""

from collections import Counter

from tests.skipbo_env.oracle import Table


class Older(int):
    """A card that carries a mark, seen by nobody: it is one of the older cards."""


class MarkedTable(Table):
    """A table whose older cards are marked at every recycling (8.4, 8.7)."""

    def count_recycling(self) -> None:
        super().count_recycling()
        self.hands = [[Older(card) for card in hand] for hand in self.hands]
        self.stocks = [[Older(card) for card in stock] for stock in self.stocks]
        self.draw_pile = [int(card) for card in self.draw_pile]

    def unseen(self, is_older: bool) -> Counter[int]:
        """The unseen cards that are older, or those that are newer."""
        cards = [*self.hidden_cards(), *self.draw_pile]
        return Counter(
            int(card) for card in cards if (isinstance(card, Older) or not self.has_newer_cards()) == is_older
        )
