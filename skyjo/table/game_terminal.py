"""What a game must offer to be played and shown in a terminal: each game draws, asks and describes in its own way."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

from cardtable.table_game import TableGame
from skyjo.programs import PROGRAMS, loaded


class DecisionWords(NamedTuple):
    """What a decision did, as everybody saw it."""

    words: str
    end: Any  # the event by which it ended a round, or None


class GameTerminal(Protocol):
    """How a game is shown and asked. In every method, `names` are what to call each seat."""

    advisers: tuple[str, ...]  # whom `hint` asks: the first that can play here, strongest first
    actions_help: str  # how actions are typed, line by line
    first_phases: tuple[str, ...]  # in which a turn begins, also if the same seat has decided before
    has_private_hands: bool  # does a seat hold cards that people who share a screen must not see?
    told_phases: tuple[str, ...]  # in which a player's turn goes on, and the question says all that is new

    def seat_of(self, rules: Any, observation: NDArray[Any]) -> int:
        """The seat whose observation this is."""

    def format_view(self, rules: Any, observation: NDArray[Any], names: Sequence[str], colour: bool) -> str:
        """The table as one seat sees it, from its observation alone."""

    def view_document(self, rules: Any, observation: NDArray[Any], is_own: bool) -> Mapping[str, Any]:
        """The table as one seat sees it, from its observation alone, ready for JSON; unless `is_own`, without what
        nobody else sees.
        """

    def seen_position(self, rules: Any, observation: NDArray[Any], episode: str, is_own: bool) -> str:
        """The same as a written position, with ? for every card that is not seen; empty if it cannot be written."""

    def question(self, rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """What has to be decided."""

    def read_action(self, rules: Any, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """The action that is meant; TableError if there is none, it is not clear which, or it is not legal."""

    def reason(self, rules: Any, observation: NDArray[Any], action: int) -> str:
        """The reason for a decision, in words that its seat can check; empty if there is nothing to say."""

    def tell(self, events: Sequence[Any]) -> DecisionWords:
        """What a decision did, from its events."""

    def format_end(self, rules: Any, end: Any, names: Sequence[str], colour: bool) -> str:
        """The end of a round, with scores and totals."""

    def mistakes(self, record: dict[str, Any], seat: int, number: int) -> Sequence[str]:
        """What a seat's decisions gave away in a round of a recorded game; empty if nobody can judge it."""

    def format_table(self, game: Any, colour: bool, all_cards: bool) -> str:
        """The public table; with `all_cards`, also what not everybody could see."""

    def table_document(self, game: Any) -> Mapping[str, Any]:
        """The public table, ready for JSON."""

    def open_document(self, game: Any) -> Mapping[str, Any]:
        """What nobody saw, or not everybody saw, ready for JSON."""

    def end_document(self, end: Any) -> Mapping[str, Any]:
        """The end of a round, ready for JSON."""


def terminal_of(game: TableGame[Any]) -> GameTerminal:
    """The terminal of the game that is played here."""
    return terminal_named(game.rules.game)


def terminal_named(name: str) -> GameTerminal:
    """The terminal of the game of this name."""
    terminal: GameTerminal = loaded(PROGRAMS[name].terminal)
    return terminal
