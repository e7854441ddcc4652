"""Game and GameBatch: one table, and many stepped together."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import whole_number
from cardtable.table.game.layout_game import LayoutGame
from cardtable.table.game.table_batch import TableBatch
from cardtable.table.game.table_game import TableGame
from skyjo_env.kernel.state import EMPTY, HIGHEST, LOWEST
from skyjo_env.rules import Rules


def card_array(_: Rules, cards: Sequence[int]) -> NDArray[np.int64]:
    """Cards as the kernel takes them."""
    return np.array([whole_number("card", card, LOWEST, HIGHEST) for card in cards], np.int64)


def next_card(game: TableGame[Rules], action: int, cards: Sequence[int]) -> dict[int, Fraction]:
    """What the next card may be that a legal action reveals after these; empty if there is none."""
    return game.kind.next_cards(game, action, cards, LOWEST)


class Game(LayoutGame[Rules]):
    """One game of Skyjo: the cards of a deal depend only on (rules, seed, deal).

    >>> import random
    >>> from skyjo_env import Game, Rules
    >>> game = Game(Rules(players=3), seed=7, episode="round")
    >>> game.seat, game.phase, game.legal_actions()[:2]
    (0, 'opening', [14, 15])
    >>> chance = random.Random(7)
    >>> while not game.is_over:
    ...     game.apply(chance.choice(game.legal_actions()))
    >>> game.round_scores, game.winners
    ((62, 56, 89), (1,))
    """

    @property
    def hand(self) -> int | None:
        """The card in hand, drawn or taken, or None."""
        hand = int(self._games["hand"][0])
        return None if hand == EMPTY else hand

    @property
    def discard_top(self) -> int | None:
        """The card on top of the discard pile; None while the only discard has been taken."""
        size = int(self._games["discard_size"][0])
        return int(self._games["piles"][0, size - 1]) if size > 0 else None

    def board(self, seat: int) -> NDArray[np.int8]:
        """What everybody sees of a seat's board, as rows × columns: cards, HIDDEN or EMPTY."""
        shown = self._games["shown"][0, self._check_seat(seat), : self._rules.cells].astype(np.int8)
        return shown.reshape(self._rules.columns, self._rules.rows).T.copy()


class GameBatch(TableBatch[Rules]):
    """Many games of Skyjo.

    >>> from skyjo_env import GameBatch
    >>> batch = GameBatch(n=3)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.tolist()
    ((3, 88), (3, 26), [0, 0, 0])
    """
