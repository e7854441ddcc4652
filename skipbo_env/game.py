"""Game and GameBatch: one table, and many stepped together."""

from cardtable.table.checks import whole_number
from cardtable.table.game.table_batch import TableBatch
from cardtable.table.game.table_game import TableGame
from skipbo_env.card_game import SKIPBO
from skipbo_env.kernel import ENDINGS, NONE, PLACES
from skipbo_env.kernel.cards import completed_size, stock_top
from skipbo_env.rules import Rules


class Game(TableGame[Rules]):
    """One game of Skip-Bo: the cards of a deal depend only on (rules, seed, deal).

    >>> import random
    >>> from skipbo_env import Game, Rules
    >>> game = Game(Rules(players=3, stock=5), seed=7, episode="round")
    >>> game.seat, game.hand(0), game.stock_top(0)
    (0, (13, 7, 9, 9, 9), 11)
    >>> chance = random.Random(7)
    >>> while not game.is_over:
    ...     plays = [action for action in game.legal_actions() if action < 72]
    ...     game.apply(chance.choice(plays or game.legal_actions()))
    >>> game.ending, game.round_scores, game.winners
    ('won', (0, 0, 60), (2,))
    """

    kind = SKIPBO

    # What lies on the table

    @property
    def starter(self) -> int:
        """The seat that started this round."""
        return int(self._games["starter"][0])

    @property
    def ending(self) -> str | None:
        """How the last round ended: "won", "blocked" (5.2), "no_cards" (4.5) or "stopped" (5.5); None before that."""
        return ENDINGS[int(self._games["ending"][0])]

    @property
    def draw_pile_size(self) -> int:
        """Cards left in the draw pile."""
        return int(self._games["draw_left"][0])

    @property
    def completed_size(self) -> int:
        """Completed cards, which will become a draw pile."""
        return int(completed_size(self._games[0]))

    @property
    def recycles(self) -> int:
        """The number of recyclings in this round."""
        return int(self._games["recycles"][0])

    def building_piles(self) -> tuple[int, ...]:
        """The last rank of every building pile, 0 for an empty place."""
        return tuple(self._games["heights"][0].tolist())

    def stock_size(self, seat: int) -> int:
        """Cards in a seat's stock pile."""
        return int(self._games["stock_left"][0, self._check_seat(seat)])

    def stock_top(self, seat: int) -> int | None:
        """The top card of a seat's stock pile; None if the pile is empty."""
        card = int(stock_top(self._games[0], self._params[0], self._check_seat(seat)))
        return None if card == NONE else card

    def discard_pile(self, seat: int, pile: int) -> tuple[int, ...]:
        """The cards of a discard pile, bottom card first."""
        number = PLACES * self._check_seat(seat) + whole_number("pile", pile, 0, PLACES - 1)
        sizes = self._games["sizes"][0].ravel()
        end = int(sizes[: number + 1].sum())
        return tuple(self._games["piles"][0, end - int(sizes[number]) : end].tolist())

    def hand(self, seat: int) -> tuple[int, ...]:
        """A seat's hand cards, first drawn first: only that seat may know them."""
        size = self._games["hand_size"][0, self._check_seat(seat)]
        return tuple(self._games["hands"][0, seat, :size].tolist())


class GameBatch(TableBatch[Rules]):
    """Many games of Skip-Bo.

    >>> from skipbo_env import GameBatch
    >>> batch = GameBatch(n=3)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.tolist()
    ((3, 283), (3, 125), [0, 0, 0])
    """

    kind = SKIPBO
