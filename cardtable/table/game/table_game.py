"""One table of any game, easy to use from Python: the base of `Game` in every game's package.

A game's own class adds what its table shows; a game without one has a class made for it (`game_class`).
"""

from _thread import RLock
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import action_number, check_given, check_int, choice_index, read_records, seed_number
from cardtable.table.errors import PositionError, TableError
from cardtable.table.game.card_game import CardGame, plugged_in
from cardtable.table.game.events import Log, events_in, new_log
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel.game_kernel import EPISODES, MAX_KINDS
from cardtable.table.kernel.tables import REFUSED, SCORED
from cardtable.table.render.seating import USUAL_SIZE
from cardtable.table.render.svg import html_image, svg_picture

RECORD_VERSION = 1
NOTEBOOK_SIZE = 640, 420  # of a picture in a notebook, which is scaled to the page
NO_CARDS = np.zeros(0, np.int64)


Rules = TypeVar("Rules", bound=TableRules)
Episode = Literal["round", "game"]  # EPISODES


def copied(games: NDArray[Any], times: int = 1) -> NDArray[Any]:
    """Return a copy of game records, each as one value: field by field, as numpy does it, takes eight times as long."""
    return games.view(f"V{games.itemsize}").repeat(times).view(games.dtype)


class OwnLock(RLock):  # type: ignore[misc]  # typeshed calls it final, and it is not
    """A lock whose copies and pickles are new, free locks."""

    def __reduce__(self) -> tuple[Any, ...]:
        return OwnLock, ()


class TableGame(Generic[Rules]):
    """One game at one table: the cards of a deal depend only on (rules, seed, deal). `has_scored` says whether the last
    decision ended a round that was scored.

    Several threads may use one game: a lock makes decisions, copies, positions and records wait for each other.
    """

    card_game: ClassVar[CardGame]

    def __init__(self, rules: Rules | str = "", seed: int = 0, deal: int = 0, episode: str = "game") -> None:
        """Begin a whole game or one "round", by the official rules unless others are given, as such or as text."""
        self.rules: Rules = self.card_game.rules_type.check(rules)
        self.seed = seed_number("seed", seed)
        self.deal = seed_number("deal", deal)
        self._games = np.zeros(1, self.card_game.dtype)
        self._games["episode"] = choice_index("episode", episode, EPISODES)
        self._begin(start=None)

    def _begin(self, start: NDArray[Any] | None) -> None:
        """Deal, or take the record as it stands if the game starts from one; `start` is a copy of that."""
        self._start = start
        self._alone = OwnLock()
        self.has_scored = False
        self._actions: list[int] = []
        self._params = self.rules.params
        self._mask = np.zeros(self.rules.actions, np.int8)
        self._observation = np.zeros(self.card_game.spec_of(self.rules).size, np.int16)
        self._show(is_dealt=start is not None)

    def _show(self, is_dealt: bool) -> None:
        """Deal unless that is done, and write what the seat that decides sees and may do."""
        seed, deal = np.uint64(self.seed), np.uint64(self.deal)
        self.card_game.single_table.start_one(
            self._games, self._params, seed, deal, is_dealt, self._mask, self._observation
        )

    # State

    @property
    def seat(self) -> int:
        """The seat that decides; once the game is over, the one that decided last."""
        return int(self._games["seat"][0])

    @property
    def phase(self) -> str:
        """The kind of decision that is due; or over, truncated."""
        return self.card_game.phases[int(self._games["phase"][0])]

    @property
    def episode(self) -> str:
        """The length of the episode: "game" or "round"."""
        return EPISODES[int(self._games["episode"][0])]

    @property
    def is_over(self) -> bool:
        """True if the game is over or was stopped."""
        return bool(self._games["phase"][0] >= self.card_game.over)

    @property
    def is_truncated(self) -> bool:
        """True if the game was stopped because a round took too many turns."""
        return bool(self._games["phase"][0] == self.card_game.truncated)

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self._games["round_number"][0])

    @property
    def turns(self) -> int:
        """Turns completed in this round."""
        return int(self._games["turns"][0])

    @property
    def last_move(self) -> tuple[int, int] | None:
        """The seat that decided last, and its action; None before the first decision."""
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
        """The seats that share the win; empty before the end, and if no seat has won."""
        if self._games["phase"][0] != self.card_game.over:
            return ()
        return self.card_game.winners(self.totals if self.episode == "game" else self.round_scores)

    @property
    def state(self) -> NDArray[Any]:
        """The kernel's own record of the game, hidden cards included, as an array of one; for compiled code."""
        return self._games

    def mask(self) -> NDArray[np.int8]:
        """Return 1 for every action that is legal now, 0 for the others."""
        return self._mask.copy()

    def legal_actions(self) -> list[int]:
        """Return the numbers of all actions that are legal now, increasing; empty when the game is over."""
        actions: list[int] = np.flatnonzero(self._mask).tolist()
        return actions

    def observation(self, seat: int | None = None) -> NDArray[np.int16]:
        """Return the view of a seat (by default the seat that decides); `ObservationSpec(rules)` names its slices."""
        if seat is None:
            return self._observation.copy()
        observation = np.zeros_like(self._observation)
        with self._alone:
            self.card_game.kernel.write_observation(
                self._games[0], self._params[0], self._check_seat(seat), observation
            )
        return observation

    # Decisions

    def apply(self, action: int, *cards: int) -> None:
        """Apply a decision of `seat`. An illegal one raises IllegalActionError and leaves the table unchanged.

        `cards` are revealed in turn, as `outcomes` lists them. A card that cannot come raises TableError and changes
        nothing. The game is then no longer that of its deal but a possible one: its record begins after this decision.
        """
        number = action_number(action)
        with self._alone:
            if cards:
                self.play(action, *cards)
                return
            try:
                outcome = self.card_game.single_table.play_one(
                    self._games, self._params, number, self._mask, self._observation
                )
                if outcome != REFUSED:
                    self.has_scored = outcome == SCORED
                    self._actions.append(number)
            except BaseException:
                self._replay()
                raise
            if outcome == REFUSED:
                raise self._illegal(action)

    def _replay(self) -> None:
        """Bring the table to where its record is, after an interrupt such as Ctrl-C came between the two."""
        make, rules, start = game_class(self.card_game), self.rules, self._start
        twin = make.standing(rules, start) if start is not None else make(rules, self.seed, self.deal, self.episode)
        for action in self._actions:
            twin.apply(action)
        self.has_scored = twin.has_scored
        self._games.view(np.uint8)[:] = twin.state.view(np.uint8)
        self._show(is_dealt=True)

    def play(self, action: int, *cards: int) -> tuple[Any, ...]:
        """Apply a decision as `apply` does, and return its events (docs/reference/events.md).

        >>> from skyjo_env import Game
        >>> Game(seed=7).play(14)
        (CardTurnedUp(seat=0, cell=0, card=8),)
        """
        with self._alone:
            number = self._check_legal(action)
            games, is_scored, log = self._played(number, cards)
            self._take_over(games, is_scored, number, cards)
        return events_in(log, self.card_game.event_type)

    def _played(
        self, action: int, cards: Sequence[int], counts: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[Any], bool, Log]:
        """Return the record after a legal action that reveals these cards, whether it ended a round, and the log of its
        events. TableError if a card cannot come; for `counts` see `GameKernel.act_with`.
        """
        chosen = self.card_game.chosen_cards(self.rules, cards) if cards else NO_CARDS
        after, log = copied(self._games), new_log()
        scratch = np.zeros(MAX_KINDS, np.int64) if counts is None else counts
        revealed, is_scored = self.card_game.single_table.play_given(after, self._params, action, chosen, scratch, log)
        check_given(cards, revealed)
        return after, is_scored, log

    def outcomes(self, action: int, *cards: int) -> dict[int, Fraction]:
        """Return the cards that a decision may reveal next, after `cards`, with their probabilities.

        Empty if it reveals no further card. The probabilities are those of the seat that decides, and sum to 1.

        >>> from skyjo_env import Game
        >>> game = Game(seed=7)
        >>> game.outcomes(14)[5]
        Fraction(10, 149)
        >>> game.apply(14, 5)
        >>> game.outcomes(15)[5]
        Fraction(9, 148)
        """
        with self._alone:
            number, lowest, counts = (
                self._check_legal(action),
                self.card_game.cards.start,
                np.zeros(MAX_KINDS, np.int64),
            )
            if self.card_game.next_card is not None:
                return self.card_game.next_card(self, number, cards)
            self.card_game.chosen_cards(self.rules, cards)  # refused where none are given, too
            self._played(number, cards, counts)
        return {lowest + k: Fraction(int(counts[k]), int(counts.sum())) for k in np.flatnonzero(counts).tolist()}

    def _check_legal(self, action: int) -> int:
        """Return the action as a number, if it is legal; IllegalActionError otherwise."""
        number = action_number(action)
        if not (0 <= number < len(self._mask) and self._mask[number]):
            raise self._illegal(action)
        return number

    def _illegal(self, action: Any) -> Exception:
        return self.card_game.illegal_action(self.rules, self.seat, self.phase, self._mask, action)

    def _take_over(self, games: NDArray[Any], is_scored: bool, action: int, cards: tuple[int, ...]) -> None:
        """Continue with the table after a decision."""
        start, actions = self._start, self._actions
        try:
            self.has_scored = is_scored
            self._games.view(np.uint8)[:] = games.view(np.uint8)
            self._show(is_dealt=True)
            if cards:
                self._start = copied(games)
                self._actions = []
            else:
                actions.append(action)
        except BaseException:
            if self._actions is actions:  # the decision has not been noted, or has no cards
                self._start = start
                self._replay()
            raise

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same table under the same rules, hidden cards and future draws included."""
        if not isinstance(other, TableGame):
            return NotImplemented
        if self.rules != other.rules:
            return False
        if self._games.tobytes() == other._games.tobytes():
            return True
        try:
            return self.position() == other.position()  # records of the same table may differ where no card lies
        except TableError:  # the game has no written positions
            return False

    __hash__: ClassVar[None]  # type: ignore[assignment]  # it changes with every decision

    def copy(self) -> Self:
        """Return an independent copy, its future draws included; the attributes of a subclass are the same in both."""
        twin = object.__new__(type(self))
        with self._alone:
            vars(twin).update(vars(self))
            twin._games, twin._actions = copied(self._games), self._actions.copy()
            twin._mask, twin._observation = self._mask.copy(), self._observation.copy()
        twin._alone = OwnLock()
        return twin

    def __getstate__(self) -> Any:
        """Return the state of a copy, for pickles and deep copies: another thread may change this game meanwhile."""
        return vars(self.copy())

    __copy__ = copy

    # Notation

    def position(self) -> str:
        """Return the state as text, hidden cards and draw order included; `from_position` reads it back."""
        with self._alone:
            return self.card_game.format_position(self.rules, self._games[0])

    @classmethod
    def from_position(cls, text: str) -> Self:
        """Return the game that a written position describes. Raises PositionError with the line and the reason."""
        return cls.standing(*cls.card_game.parse_position(text))

    @classmethod
    def from_state(cls, rules: Rules | str, state: NDArray[Any], seed: int = 0, deal: int = 0) -> Self:
        """Return an independent game from the result of `state`; seed and deal are kept as its origin.

        Raises PositionError if it is not a table under these rules.
        """
        if np.shape(state) != (1,):
            raise PositionError(f"a state is an array of one record, not of shape {np.shape(state)}")
        games = read_records({"state": state}, "state", np.empty(1, cls.card_game.dtype))
        checked = cls.card_game.rules_type.check(rules)
        cls.card_game.checks.check_states(checked, games)
        return cls.standing(checked, games, seed_number("seed", seed), seed_number("deal", deal))

    @classmethod
    def standing(cls, rules: Rules, state: NDArray[Any], seed: int = 0, deal: int = 0) -> Self:
        """Return the same for a state that is known to be a table: nothing is checked."""
        game = cls.__new__(cls)
        game.rules, game._games = rules, state.copy()
        game.seed, game.deal = seed, deal
        game._begin(start=game._games.copy())
        return game

    def record(self) -> dict[str, Any]:
        """Return the whole game so far, ready for JSON: `replay` plays it again, `format_record` writes it as text."""
        with self._alone:
            rules, start = self.rules, self._start
            return {
                f"{self.card_game.name}_record": RECORD_VERSION,
                "rules": rules.to_text(),
                "seed": self.seed if start is None else 0,  # a start says all about how the game began
                "deal": self.deal if start is None else 0,
                "episode": self.episode,
                "start": None if start is None else self.card_game.format_position(rules, start[0]),
                "actions": self._actions.copy(),
                "totals": list(self.totals),
                "check": blake2b(f"{self._actions} {self.position()}".encode(), digest_size=4).hexdigest(),
            }

    def svg(self, size: tuple[int, int] = USUAL_SIZE) -> str:
        """Return a picture of the public table, and the hand of the seat to move, as an SVG document in light and dark.

        Size is width and height. Raises TableError for one in which nothing can be read, and for a game without
        pictures.
        """
        with self._alone:
            return svg_picture(self.card_game.scene_of(self, size))

    def _repr_html_(self) -> str | None:
        """Return the picture, for notebooks."""
        with self._alone:
            return (
                html_image(self.card_game.scene_of(self, NOTEBOOK_SIZE)) if self.card_game.scene is not None else None
            )

    def __str__(self) -> str:
        return self.card_game.text_of(self)

    def __repr__(self) -> str:
        return f"<Game seed={self.seed} deal={self.deal} round={self.round} seat={self.seat} phase={self.phase}>"

    def _check_seat(self, seat: int) -> int:
        return check_int("seat", seat, 0, self.rules.players - 1)

    def _seat_or_none(self, field: str) -> int | None:
        """Return a seat of the record, or None where it has -1."""
        seat = int(self._games[field][0])
        return None if seat < 0 else seat

    def _by_seat(self, field: str) -> tuple[int, ...]:
        return tuple(self._games[field][0, : self.rules.players].tolist())


class LayoutGame(TableGame[Rules]):
    """A table of Skyjo and its variants: piles, and at every seat a layout of open and hidden cards."""

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
        """Turns left after the round was ended, the current one included; 0 before."""
        return int(self._games["turns_left"][0])

    @property
    def discard_pile_size(self) -> int:
        """Cards in the discard pile."""
        return int(self._games["discard_size"][0])

    @property
    def draw_pile_size(self) -> int:
        """Cards left in the draw pile."""
        return int(self._games["pile_left"][0])


@cache
def game_class(card_game: CardGame) -> type[TableGame[Any]]:
    """Return the class of a game's tables."""
    table: type[TableGame[Any]] = plugged_in(card_game.table) or plain_class("Game", TableGame, game_class, card_game)
    return table


def plain_class(name: str, base: type[Any], class_of: Any, card_game: CardGame) -> Any:
    """Return the class of a game that declares none, which pickles find by `class_of`: it cannot be found by name."""
    return type(
        name,
        (base,),
        {"card_game": card_game, "__reduce__": lambda it: (_bare, (class_of, card_game), it.__getstate__())},
    )


def _bare(class_of: Any, card_game: CardGame) -> Any:
    return object.__new__(class_of(card_game))
