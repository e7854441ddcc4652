"""Game: one table, easy to use from Python."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cardtable.table_game import GameParts, TableGame
from skyjo_env.actions import illegal_action
from skyjo_env.events import Event, lowest, play_events
from skyjo_env.kernel.single import observe_one, play_one, start_one
from skyjo_env.kernel.state import EMPTY, EPISODES, GAME_DTYPE, OVER, PHASES, TRUNCATED
from skyjo_env.observation import spec_of
from skyjo_env.outcomes import next_card, play_cards
from skyjo_env.position import format_position, parse_position
from skyjo_env.render.text import format_table
from skyjo_env.rules import OFFICIAL, Rules
from skyjo_env.valid_tables import check_states


class Game(TableGame[Rules]):
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

    parts = GameParts(
        name="skyjo",
        dtype=GAME_DTYPE,
        episodes=EPISODES,
        phases=PHASES,
        over=OVER,
        truncated=TRUNCATED,
        check_rules=Rules.check,
        spec_of=spec_of,
        illegal_action=illegal_action,
        start_one=start_one,
        observe_one=observe_one,
        play_one=play_one,
        format_position=format_position,
        parse_position=parse_position,
        check_states=check_states,
        play_cards=play_cards,
        next_card=next_card,
        play_events=play_events,
    )

    def __init__(self, rules: Rules | str = OFFICIAL, seed: int = 0, deal: int = 0, episode: str = "game") -> None:
        super().__init__(rules, seed, deal, episode)

    @property
    def starter(self) -> int | None:
        """The seat that starts this round, or None while the opening decides."""
        return self._seat_or_none("starter")

    @property
    def ender(self) -> int | None:
        """The seat that ended this round, or None."""
        return self._seat_or_none("ender")

    @property
    def turns_left(self) -> int:
        """Turns left in the final lap, the current one included; 0 before it."""
        return int(self._games["turns_left"][0])

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

    @property
    def discard_pile_size(self) -> int:
        """Cards in the discard pile."""
        return int(self._games["discard_size"][0])

    @property
    def draw_pile_size(self) -> int:
        """Cards left in the draw pile."""
        return int(self._games["pile_left"][0])

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the win; empty before the end and for a truncated game."""
        if self._games["phase"][0] != OVER:
            return ()
        return lowest(self.totals if self.episode == "game" else self.round_scores)

    def board(self, seat: int) -> NDArray[np.int8]:
        """What everybody sees of a seat's board, as rows × columns: cards, HIDDEN or EMPTY."""
        shown = self._games["shown"][0, self._check_seat(seat), : self._rules.cells].astype(np.int8)
        return shown.reshape(self._rules.columns, self._rules.rows).T.copy()

    def play(self, action: int, *cards: int) -> tuple[Event, ...]:
        """Apply a decision as `apply` does, and return its events (docs/events.md).

        >>> Game(seed=7).play(14)
        (CardTurnedUp(seat=0, cell=0, card=8),)
        """
        return super().play(action, *cards)

    def outcomes(self, action: int, *cards: int) -> dict[int, Fraction]:
        """The cards that a decision may reveal next, after `cards`, with their probabilities.

        Empty if it reveals no further card. A decision that ends the round reveals every hidden card, one after the
        other. The probabilities are those of the seat that decides, and sum to 1.

        >>> game = Game(seed=7)
        >>> game.outcomes(14)[5]
        Fraction(10, 149)
        >>> game.apply(14, 5)
        >>> game.outcomes(15)[5]
        Fraction(9, 148)
        """
        return super().outcomes(action, *cards)

    def __str__(self) -> str:
        return format_table(self)
