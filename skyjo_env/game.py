"""Game: one table, pleasant to use from Python."""

from fractions import Fraction
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import action_number, code_of, seed_number, whole_number
from skyjo_env.actions import illegal_action
from skyjo_env.events import Event, EventPlayer, lowest
from skyjo_env.kernel.single import REFUSED, SCORED, observe_one, play_one, start_one
from skyjo_env.kernel.state import EMPTY, EPISODES, GAME_DTYPE, NOBODY, OVER, PHASES, TRUNCATED
from skyjo_env.observation import spec_of
from skyjo_env.outcomes import card_array, check_cards, copied, next_card, play_cards
from skyjo_env.position import format_position, parse_position
from skyjo_env.render.text import format_table
from skyjo_env.rules import OFFICIAL, Rules, check_rules

RECORD_VERSION = 1


class Game:
    """One game of Skyjo: the cards of a deal depend on nothing but (rules, seed, deal).

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

    def __init__(self, rules: Rules = OFFICIAL, seed: int = 0, deal: int = 0, episode: str = "game") -> None:
        self._rules = check_rules(rules)
        self.seed = seed_number("seed", seed)
        self.deal = seed_number("deal", deal)
        self._games = np.zeros(1, GAME_DTYPE)
        self._games["episode"] = code_of("episode", episode, EPISODES)
        self._begin(start=None)

    def _begin(self, start: NDArray[Any] | None) -> None:
        """Deal, or take the record as it stands if the game starts from one; `start` is a copy of that."""
        self._start = start
        self._has_scored = False
        self._actions: list[int] = []
        self._mask = np.zeros(self._rules.actions, np.int8)
        self._observation = np.zeros(spec_of(self._rules).size, np.int16)
        self._show(is_dealt=start is not None)

    def _show(self, is_dealt: bool) -> None:
        """Deal unless that is done, and write what the seat that decides sees and may do."""
        seed, deal = np.uint64(self.seed), np.uint64(self.deal)
        start_one(self._games, self._rules.params, seed, deal, is_dealt, self._mask, self._observation)

    # State

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._rules

    @property
    def seat(self) -> int:
        """The seat that decides; once the game is over, the one that decided last."""
        return int(self._games["seat"][0])

    @property
    def phase(self) -> str:
        """What is decided (9.4): opening, turn, drawn, taken, confirm; or over, truncated."""
        return PHASES[self._games["phase"][0]]

    @property
    def episode(self) -> str:
        """What the game lasts: "game" or "round" (8.5)."""
        return EPISODES[self._games["episode"][0]]

    @property
    def is_over(self) -> bool:
        """Does nobody decide any more, because the game is over or because it was stopped?"""
        return bool(self._games["phase"][0] >= OVER)

    @property
    def is_truncated(self) -> bool:
        """Was the game stopped because a round took too many turns (7.8)?"""
        return bool(self._games["phase"][0] == TRUNCATED)

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self._games["round_number"][0])

    @property
    def turns(self) -> int:
        """Turns completed in this round."""
        return int(self._games["turns"][0])

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
    def last_move(self) -> tuple[int, int] | None:
        """Who decided last, and what: (seat, action); None before the first decision."""
        seat = self._seat_or_none("last_seat")
        return None if seat is None else (seat, int(self._games["last_action"][0]))

    @property
    def round_scores(self) -> tuple[int, ...]:
        """Every seat's score in the last round that was scored or stopped; zeros before."""
        return self._by_seat("round_scores")

    @property
    def totals(self) -> tuple[int, ...]:
        """Every seat's total of all rounds scored."""
        return self._by_seat("totals")

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the win; empty before the end and for a truncated game."""
        if self._games["phase"][0] != OVER:
            return ()
        return lowest(self.totals if self.episode == "game" else self.round_scores)

    @property
    def state(self) -> NDArray[Any]:
        """The kernel's own record of the game, hidden cards included, as an array of one; for compiled code."""
        return self._games

    @property
    def has_scored(self) -> bool:
        """Did the last decision end a round that was scored?"""
        return self._has_scored

    def board(self, seat: int) -> NDArray[np.int8]:
        """What everybody sees of a seat's board, as rows × columns: cards, HIDDEN or EMPTY."""
        shown = self._games["shown"][0, self._check_seat(seat), : self._rules.cells].astype(np.int8)
        return shown.reshape(self._rules.columns, self._rules.rows).T.copy()

    def mask(self) -> NDArray[np.int8]:
        """1 for every action that is legal now, 0 for the others."""
        return self._mask.copy()

    def legal_actions(self) -> list[int]:
        """The numbers of all actions that are legal now, increasing; empty when the game is over."""
        actions: list[int] = np.flatnonzero(self._mask).tolist()
        return actions

    def observation(self, seat: int | None = None) -> NDArray[np.int16]:
        """What a seat may see (by default the seat that decides); `ObservationSpec(rules)` tells what stands where."""
        if seat is None:
            return self._observation.copy()
        observation = np.zeros_like(self._observation)
        observe_one(self._games, self._rules.params, self._check_seat(seat), observation)
        return observation

    # Decisions

    def apply(self, action: int, *cards: int) -> None:
        """Carry out a decision of `seat`. An illegal one raises IllegalActionError and changes nothing.

        `cards` come to light in turn, as `outcomes` lists them. A card that cannot come raises TableError and changes
        nothing. The game is then one that might be, no longer that of its deal: its record begins after this decision.
        """
        number = action_number(action)
        if cards:
            self._check_legal(action)
            games = copied(self._games)
            play_cards(self._rules, games, number, cards)
            self._take_over(games, number, cards)
            return
        outcome = play_one(self._games, self._rules.params, number, self._mask, self._observation)
        if outcome == REFUSED:
            raise illegal_action(self._rules, self.seat, self.phase, self._mask, action)
        self._has_scored = outcome == SCORED
        self._actions.append(number)

    def play(self, action: int, *cards: int) -> tuple[Event, ...]:
        """Carry out a decision as `apply` does, and return what came of it (docs/events.md).

        >>> Game(seed=7).play(14)
        (CardTurnedUp(seat=0, cell=0, card=8),)
        """
        number = self._check_legal(action)
        games = copied(self._games)
        player = EventPlayer(self._rules, games, number, card_array(cards))
        check_cards(cards, player.brought)
        self._take_over(games, number, cards)
        return tuple(player.events)

    def outcomes(self, action: int, *cards: int) -> dict[int, Fraction]:
        """The cards that a decision may bring to light next, after `cards`, with their probabilities.

        Empty if it brings no further card to light. A decision that ends the round brings every hidden card to light,
        one after the other. The probabilities are those of the seat that decides, and sum to 1.

        >>> game = Game(seed=7)
        >>> game.outcomes(14)[5]
        Fraction(10, 149)
        >>> game.apply(14, 5)
        >>> game.outcomes(15)[5]
        Fraction(9, 148)
        """
        return next_card(self._rules, self._games, self._check_legal(action), cards)

    def _check_legal(self, action: int) -> int:
        """The action as a number, if it is legal; IllegalActionError otherwise."""
        number = action_number(action)
        if not (0 <= number < len(self._mask) and self._mask[number]):
            raise illegal_action(self._rules, self.seat, self.phase, self._mask, action)
        return number

    def _take_over(self, games: NDArray[Any], action: int, cards: tuple[int, ...]) -> None:
        """Go on from a record in which a decision has been carried out."""
        before, after = self._games[0], games[0]
        self._has_scored = bool(after["round_number"] != before["round_number"] or after["phase"] == OVER)
        self._games.view(np.uint8)[:] = games.view(np.uint8)
        self._show(is_dealt=True)
        self._actions.append(action)
        if cards:
            self._start, self._actions = games, []

    def copy(self) -> "Game":
        """An independent copy, its future draws included."""
        twin = Game.__new__(Game)
        twin._rules, twin.seed, twin.deal, twin._start = self._rules, self.seed, self.deal, self._start
        twin._games, twin._mask, twin._observation = copied(self._games), self._mask.copy(), self._observation.copy()
        twin._actions, twin._has_scored = self._actions.copy(), self._has_scored
        return twin

    __copy__ = copy

    # Notation

    def position(self) -> str:
        """The state as text, hidden cards and draw order included; `from_position` reads it back."""
        return format_position(self._rules, self._games[0])

    @classmethod
    def from_position(cls, text: str) -> "Game":
        """The game that a written position describes. Raises PositionError with the line and the reason."""
        return cls.from_state(*parse_position(text))

    @classmethod
    def from_state(cls, rules: Rules, state: NDArray[Any], seed: int = 0, deal: int = 0) -> "Game":
        """An independent game from what `state` gives; seed and deal are kept as its origin."""
        game = cls.__new__(cls)
        game._rules, game._games = rules, state.copy()
        game.seed, game.deal = seed, deal
        game._begin(start=game._games.copy())
        return game

    def record(self) -> dict[str, Any]:
        """The whole game so far, ready for JSON: `replay` plays it again, `format_record` writes it as text."""
        return {
            "skyjo_record": RECORD_VERSION,
            "rules": self._rules.to_text(),
            "seed": self.seed if self._start is None else 0,  # a start says all about how the game began
            "deal": self.deal if self._start is None else 0,
            "episode": self.episode,
            "start": None if self._start is None else format_position(self._rules, self._start[0]),
            "actions": self._actions.copy(),
            "totals": list(self.totals),
            "check": blake2b(f"{self._actions} {self.position()}".encode(), digest_size=4).hexdigest(),
        }

    def __str__(self) -> str:
        return format_table(self)

    def __repr__(self) -> str:
        return f"<Game seed={self.seed} deal={self.deal} round={self.round} seat={self.seat} phase={self.phase}>"

    def _check_seat(self, seat: int) -> int:
        return whole_number("seat", seat, 0, self._rules.players - 1)

    def _seat_or_none(self, field: str) -> int | None:
        seat = int(self._games[field][0])
        return None if seat == NOBODY else seat

    def _by_seat(self, field: str) -> tuple[int, ...]:
        return tuple(self._games[field][0, : self._rules.players].tolist())
