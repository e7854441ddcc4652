"""Game and GameBatch: one table, and many stepped together."""

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.table_batch import TableBatch
from cardtable.table.game.table_game import LayoutGame
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_action_env.kernel.cards import discard_top
from skyjo_action_env.kernel.state import COLUMNS, EMPTY, KINDS, NO_KIND, ROWS
from skyjo_action_env.rules import Rules


class Game(LayoutGame[Rules]):
    """One game of Skyjo Action: the cards of a deal depend only on (rules, seed, deal).

    >>> import random
    >>> from skyjo_action_env import Game, Rules
    >>> game = Game(Rules(players=3), seed=7, episode="round")
    >>> game.seat, game.phase, game.open_actions
    (0, 'opening', ('steal', 'double', 'double', 'three'))
    >>> chance = random.Random(7)
    >>> while not game.is_over:
    ...     game.apply(chance.choice(game.legal_actions()[:12]))
    >>> game.winners
    (1,)
    """

    kind = SKYJO_ACTION

    @property
    def mover(self) -> int | None:
        """The seat whose turn it is, or None in the opening; `seat`, who decides, can be another one."""
        return self._seat_or_none("mover")

    @property
    def attacked(self) -> int | None:
        """The seat that an action card attacks, or None."""
        return self._seat_or_none("attacked")

    @property
    def extra_turns(self) -> int:
        """Extra turns that follow the current turn."""
        return int(self._games["extra_turns"][0])

    @property
    def hand(self) -> tuple[int, ...]:
        """The cards in hand, drawn or taken: only the seat that decides may know drawn ones."""
        return tuple(card for card in self._games["hand"][0].tolist() if card != EMPTY)

    @property
    def discard_top(self) -> int | None:
        """The card on top of the discard pile, HIDDEN for one that was removed unseen, or None."""
        card = int(discard_top(self._games[0]))
        return None if card == EMPTY else card

    @property
    def action_pile_size(self) -> int:
        """Cards left in the action pile."""
        return int(self._games["action_pile_left"][0])

    @property
    def action_discards(self) -> tuple[str, ...]:
        """The discarded action cards, bottom first."""
        size = int(self._games["action_discard_size"][0])
        return tuple(KINDS[kind] for kind in self._games["action_piles"][0, :size].tolist())

    @property
    def open_actions(self) -> tuple[str | None, ...]:
        """The open action cards by place; None where there is none."""
        return tuple(None if kind == NO_KIND else KINDS[kind] for kind in self._games["open_actions"][0].tolist())

    def held_actions(self, seat: int) -> dict[str, int]:
        """The action cards beside a seat's layout, and how many of each."""
        held = self._games["held"][0, self._check_seat(seat)].tolist()
        return {kind: count for kind, count in zip(KINDS, held, strict=True) if count}

    def board(self, seat: int) -> NDArray[np.int8]:
        """What everybody sees of a seat's layout, as rows × columns: cards, STAR, HIDDEN or EMPTY."""
        shown: NDArray[np.int8] = self._games["shown"][0, self._check_seat(seat)].astype(np.int8)
        return shown.reshape(COLUMNS, ROWS).T.copy()

    def known(self, seat: int) -> dict[tuple[int, int], int]:
        """The hidden cards that a seat knows, by (owner, cell): only that seat may be told."""
        knows = self._games["knowers"][0] >> self._check_seat(seat) & 1
        cards = self._games["cards"][0]
        return {(int(owner), int(cell)): int(cards[owner, cell]) for owner, cell in np.argwhere(knows)}


class GameBatch(TableBatch[Rules]):
    """Many games of Skyjo Action.

    >>> from skyjo_action_env import GameBatch
    >>> batch = GameBatch(n=3)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.tolist()
    ((3, 203), (3, 96), [0, 0, 0])
    """

    kind = SKYJO_ACTION
