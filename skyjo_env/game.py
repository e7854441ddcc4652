"""Game and GameBatch: one table, and many stepped together."""

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.table_batch import TableBatch
from cardtable.table.game.table_game import LayoutGame
from skyjo_env.card_game import SKYJO
from skyjo_env.kernel.state import EMPTY
from skyjo_env.rules import Rules


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

    kind = SKYJO

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

    kind = SKYJO
