"""What a card game must offer to be played, stored, measured and reported; nothing else is known about it here.

A game is found by the name that its rules carry, among the entry points of the group `cardtable.games`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import AgentRegistry
from cardtable.checks import brief
from cardtable.errors import TableError
from cardtable.rounds import Rounds
from cardtable.table_game import TableGame

GROUP = "cardtable.games"


class GameRules(Protocol):
    """The rules of a game: a value that can be compared, written as text, and made for another number of players."""

    game: ClassVar[str]

    @property
    def players(self) -> int:
        """How many play."""

    def to_text(self) -> str:
        """Changes to the usual rules, as words `name=value` that `CardGame.rules` reads; "" if there are none.

        The number of players is the word `players=N`.
        """


@dataclass(frozen=True)
class Setup:
    """What is played: the rules, the seed, and what to note. The cards depend on rules and seed alone."""

    rules: GameRules
    seed: int = 0
    episode: str = "round"  # one round of every deal, or "game": all that follows from it
    with_luck: bool = False  # note the luck of the cards
    may_peek: bool = False  # show the hidden cards to agents that want to see them
    keep: bool = False  # keep every action, and the scores of every round
    luck_by: str = "cards"  # how luck is measured: by the game's own terms, or as named in `cardtable.play.luck`

    @property
    def game(self) -> "CardGame":
        """The game with these rules."""
        return find_game(self.rules.game)


class Trace(NamedTuple):
    """A number that a round leaves behind for every seat, such as the cells that it has cleared."""

    name: str
    counted: str  # what is counted, as lists of games head a column
    words: str  # the same in the units of reports, which head a column with the mean in a round
    unit: float  # what one counts for in reports
    is_rare: bool  # few enough in a round that none, one and more are told apart
    explained: str  # a sentence on what is counted
    of_table: bool = False  # 0 or 1 a round and the same for every seat: `counted` is a word for such rounds


class Luck(NamedTuple):
    """What a game records about the luck of the cards: terms by seat that are 0 on average whatever anybody does."""

    terms: tuple[str, ...]
    weights: NDArray[np.float64]  # the points of margin that one of each term is taken to bring
    explained: str  # a sentence on what is noted, for reports
    name: str = "cards"  # as setups and stored games call it
    # The terms of deals that have been played, [deals, players, terms], by their setup, numbers, lengths and actions;
    # None for terms that are noted while they are played.
    read: Callable[["Setup", range, NDArray[np.int64], NDArray[Any]], NDArray[np.float64]] | None = None


class Shown(NamedTuple):
    """What the seats that decide are shown, at n tables."""

    observations: NDArray[np.int16]  # [n, D]
    masks: NDArray[np.int8]  # [n, A]
    seats: NDArray[np.int8]  # [n]


class Tables(Protocol):
    """Tables of one game, each with a deal of its own. The methods are about the tables that still play.

    The random choices of agents follow from what they see (`cardtable.agents.chances_of`). So an observation should
    hold the seat and a counter, such as the turns: no seat should see the same observation twice in an episode.
    """

    @property
    def playing(self) -> NDArray[np.int64]:
        """The numbers of the tables where somebody decides, in order: n of them."""

    def show(self) -> Shown:
        """What the seats that decide see and may do."""

    def states(self) -> NDArray[Any]:
        """All that lies on the tables, [n], for agents that see hidden cards."""

    def refusal(self, actions: NDArray[np.int64]) -> tuple[int, str] | None:
        """The place in `playing` of the first table where an action is illegal and why, or None if all are legal."""

    def step(self, actions: NDArray[np.int64]) -> None:
        """Carry out a legal action at every table."""

    def rounds(self) -> Rounds:
        """The results of all deals; for those still in play, the luck and rounds so far."""


class Crew(Protocol):
    """How a table of agents of the same crew plays in compiled code."""

    sources: tuple[Path, ...]  # the folders with what is compiled

    def play(self, setup: Setup, agents: Sequence[Any], deals: range) -> Rounds:
        """The results of every deal, with the first agent in seat 0: the same as if every agent were asked."""


class CardGame(Protocol):
    """A card game."""

    name: str  # in stored games, among the entry points, and as a command
    title: str  # as people write it
    episodes: tuple[str, ...]  # what an episode may be, the usual one first
    lower_is_better: bool  # do the fewest points win?
    yardstick: str  # the agent against which others are measured
    agents: AgentRegistry
    luck: Luck | None
    action_type: np.dtype[Any]  # as which actions are stored
    sources: tuple[Path, ...]  # the folders on which the numbers depend: stored games carry their fingerprint

    def rules(self, text: str = "", players: int | None = None) -> Any:
        """The rules that a text describes, for this many players if a number is given."""

    def traces(self, rules: Any) -> tuple[Trace, ...]:
        """What a round leaves behind for every seat."""

    def stopped(self, rules: Any) -> str:
        """When a round is stopped, such as "after 1,000 turns"."""

    def deal(self, setup: Setup, deals: range) -> Tables:
        """Tables with these deals, ready for the first decision."""

    def replay(self, setup: Setup, deals: range, lengths: NDArray[np.int64], actions: NDArray[Any]) -> Rounds:
        """The results of stored actions: `lengths[k]` of them for deal k, one deal after the other, without luck.

        A deal has -1 decisions if one of its actions is illegal, or its game is not over with the last.
        """

    def record(self, setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
        """The written record of a game; IllegalActionError for an action that is not legal."""

    def events(self, record: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        """What happened in a recorded game, decision by decision, as the game's own events."""


class PlayableGame(CardGame, Protocol):
    """A card game that is also played by hand, one table at a time, as people do at a terminal."""

    def new_game(self, rules: Any, seed: int, deal: int, episode: str) -> TableGame[Any]:
        """A new game of this deal."""

    def read_game(self, text: str) -> TableGame[Any]:
        """The game that a record or position describes; TableError with the line and the reason if it is damaged."""

    def begin(self, record: dict[str, Any]) -> TableGame[Any]:
        """The game of a record, before its first action."""

    def format_record(self, record: dict[str, Any]) -> str:
        """A record as text, which begins with a line that all records of the game share."""

    def action_names(self, rules: Any) -> Sequence[str]:
        """The name of every action, by number."""


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def distribution_of(game: CardGame) -> str:
    """The distribution that a game comes with."""
    found = _installed()[game.name].dist
    return found.name if found is not None else "unknown"


@cache
def find_game(name: str) -> CardGame:
    """The game of this name; TableError lists those that are installed."""
    points = _installed()
    if name not in points:
        raise TableError(f"no game is called {brief(name)}; installed: {', '.join(sorted(points)) or 'none'}")
    game: CardGame = points[name].load()
    return game


def find_playable(name: str) -> PlayableGame:
    """The same for a game that is played by hand, too."""
    return cast(PlayableGame, find_game(name))
