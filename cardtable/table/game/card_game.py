"""CardGame: a card game, declared once. Everything that plays, stores, measures, shows and learns it is made from this.

A game is found by the name that its rules carry, among the entry points of the group `cardtable.games`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardtable.table.checks import action_number, brief, check_given, named_action
from cardtable.table.compiling.compiler import compiler_of, source_of
from cardtable.table.errors import IllegalActionError, RulesError, TableError
from cardtable.table.game.deal_results import DealResults
from cardtable.table.game.events import TableEvent, new_log
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.slices import SliceSpec
from cardtable.table.game.table_batch import TableBatch
from cardtable.table.game.table_game import TableGame, copied
from cardtable.table.game.table_rules import TableRules
from cardtable.table.game.tables import Tables, replayed
from cardtable.table.kernel.game_kernel import EPISODES, MOST_KINDS, GameKernel
from cardtable.table.kernel.rounds import NotedRounds, noted_rounds, result_type
from cardtable.table.kernel.seats import SeatLoops, play_for_all, seat_loops
from cardtable.table.kernel.tables import ManyTables, OneTable, many_tables, one_table
from cardtable.table.render.scene import UNTOLD, Scene, Telling

GROUP = "cardtable.games"


@dataclass(frozen=True)
class Setup:
    """What is played: the rules, the seed, and what to note. The cards depend on rules and seed alone."""

    rules: TableRules
    seed: int = 0
    episode: str = "round"  # one round of every deal, or "game": all that follows from it
    with_luck: bool = False  # note the luck of the cards
    may_peek: bool = False  # show the hidden cards to agents that want to see them
    keep: bool = False  # keep every action, and the scores of every round
    luck_by: str = "cards"  # how luck is measured: by the game's own terms, or as named in `cardtable.arena.play.luck`

    def __post_init__(self) -> None:
        if not isinstance(self.rules, TableRules):
            raise RulesError(f"rules must be the Rules of a game, such as Rules(players=3), not {brief(self.rules)}")

    @property
    def game(self) -> "CardGame":
        """The game with these rules."""
        return find_game(self.rules.game)


class Fact(NamedTuple):
    """A number that a round leaves behind for every seat, such as the cells that it has cleared."""

    name: str
    counted: str  # what is counted, as lists of games head a column
    words: str  # the same in the units of reports, which head a column with the mean in a round
    unit: float  # what one counts for in reports
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
    read: Callable[["Setup", NDArray[np.int64], NDArray[np.int64], NDArray[Any]], NDArray[np.float64]] | None = None
    room: np.dtype[Any] = np.dtype((np.record, [("unused", "i8")]))  # what the kernel's `note_luck` writes to


NO_CARDS = np.zeros(0, np.int64)
ONE_BYTE: np.dtype[Any] = np.dtype(np.uint8)
NO_LUCK = Luck((), np.zeros(0), "")  # of games that do not measure it


def not_offered(*_: Any) -> Any:
    """What a game has instead of written positions, or of chance that can be chosen, if it has none."""
    raise TableError("this game offers neither written positions nor chosen cards")


def every_slice(rules: Any, observation: NDArray[Any], names: Sequence[str]) -> str:
    """What a seat sees, in the words of a game that has no others: every slice of the observation with its numbers."""
    del names
    view = vars(find_game(rules.game).spec_of(rules).view(observation))
    return "\n".join(f"{name}: {' '.join(map(str, part.ravel()))}" for name, part in view.items())


@dataclass(frozen=True, eq=False, kw_only=True)
class CardGame:
    """A card game. Its fields are all that a game's package provides; the rest follows from them."""

    name: str  # in stored games, among the entry points, and as a command
    title: str  # as people write it
    rules_type: type[Any]  # a `cardtable.table.game.table_rules.TableRules`
    table: type[TableGame[Any]]  # `Game` and `GameBatch` of the package
    batch: type[TableBatch[Any]]

    # The kernel: a record, and functions on it
    dtype: np.dtype[Any]
    kernel: GameKernel
    phases: tuple[str, ...]  # index = code; the last two are over and truncated
    spec_of: Callable[[Any], SliceSpec[Any]]  # the observations under these rules

    # Words
    named_actions: Callable[[Any], tuple[str, ...]]  # by number
    actions_in_words: Callable[[Any], str]  # all of them, for error messages
    example: str  # a turn in a record as text
    begins_turn: Callable[[Any], bool] = lambda _: True  # is the table at the beginning of a turn?
    stopped: Callable[[Any], str]  # when a round is stopped, such as "after 1,000 turns"
    text: Callable[..., str]  # (game, colour=) -> the table as text
    # (rules, observation, names of the seats) -> all that a seat sees as text, from its observation alone
    seat_text: Callable[[Any, NDArray[Any], Sequence[str]], str] = every_slice
    scene: Callable[..., Scene] | None = None  # (game, size, telling): what a picture of a table shows

    # Plug-ins that lie elsewhere, as "module:name": nothing of them is imported before it is asked for
    agents: str = ""  # a mapping of names to the "module:class" of every agent
    policies: str = ""  # a `cardtable.table.agents.policies.policy_kind.PolicyKind`
    learning: str = ""  # a `skyjo_training.learned_game.LearnedGame`
    luck_by: Mapping[str, str] = field(default_factory=dict)  # ways to measure luck, by name: (rules, version) -> Luck

    # Who is good at it, and what is measured
    yardstick: str = "random"  # the agent against which others are measured
    lower_is_better: bool  # do the fewest points win?
    facts: Callable[[Any], tuple[Fact, ...]] = lambda _: ()  # what a round leaves behind for every seat

    # Learning
    rewards: tuple[str, ...] = ("margin",)  # index = code, the usual one first
    penalty: Callable[[Any, str], float] = lambda *_: -1.0  # (rules, reward): for an illegal action
    shapings: tuple[str | None, ...] = (None,)  # index = code
    stops_too_soon: Callable[[Any], bool] = lambda _: False  # may `max_turns` stop a round before every seat decides?

    # Luck, and how actions are stored
    luck: Luck = NO_LUCK
    action_type: np.dtype[Any] = ONE_BYTE

    # Written positions, and chance
    format_position: Callable[[Any, Any], str] = not_offered
    parse_position: Callable[[str], tuple[Any, NDArray[Any]]] = not_offered
    check_states: Callable[[Any, NDArray[Any]], None] = not_offered  # PositionError unless these are tables
    invalid_tables: Callable[[Any, NDArray[Any]], Iterable[tuple[int, str]]] = not_offered  # rows, and what is wrong
    card_array: Callable[[Any, Sequence[int]], NDArray[np.int64]] = not_offered  # given cards, checked
    # (game, action, cards) -> what the next card may be, and how likely
    next_card: Callable[[TableGame[Any], int, Sequence[int]], dict[int, Fraction]] = not_offered
    event_type: type[TableEvent] = TableEvent  # the base of its events, in the order of their numbers in the kernel
    events_of: Callable[..., tuple[Any, ...]] = lambda *_: ()  # (rules, stages, action, cards): of a played decision

    episodes = EPISODES

    def __post_init__(self) -> None:
        self.table.kind = self.batch.kind = self

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles of what refers to a game find it by its name."""
        return find_game, (self.name,)

    # What follows from the kernel

    @property
    def over(self) -> int:
        """The phase over."""
        return self.kernel.over

    @property
    def truncated(self) -> int:
        """The phase truncated, the last one."""
        return self.kernel.over + 1

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        """The folders on which the numbers depend: stored games carry their fingerprint."""
        return (Path(self._source).parent,)

    @property
    def _source(self) -> str:
        return source_of(self.kernel.act)

    @cached_property
    def one(self) -> OneTable:
        """What Python calls for a single table."""
        return one_table(self.kernel, compiler_of(self._source, whole=True))

    @cached_property
    def many(self) -> ManyTables:
        """What Python calls for many tables."""
        return many_tables(self.kernel, compiler_of(self._source))

    @cached_property
    def self_play(self) -> ManyTables:
        """The same for many tables at which every seat learns."""
        compiled = compiler_of(self._source)
        return many_tables(self.kernel, compiled, play_for_all(self.kernel, compiled))

    @cached_property
    def seats(self) -> SeatLoops:
        """What Python calls for tables with a learner in one seat."""
        return seat_loops(self.kernel, compiler_of(self._source))

    @cached_property
    def noted(self) -> NotedRounds:
        """What Python calls for rounds that are measured."""
        return noted_rounds(self.kernel, compiler_of(self._source))

    @cached_property
    def result_type(self) -> np.dtype[Any]:
        """The record of what is noted of a deal."""
        return result_type(len(self.facts(self.official)), len(self.luck.terms))

    # Rules, actions and observations

    def winners(self, scores: Sequence[int]) -> tuple[int, ...]:
        """The seats that share the win with these scores; where the most points win, nobody wins without any."""
        best = min(scores) if self.lower_is_better else max(*scores, 1)
        return tuple(seat for seat, score in enumerate(scores) if score == best)

    @cached_property
    def official(self) -> Any:
        """The official rules."""
        return self.rules_type()

    def rules(self, text: str = "", players: int | None = None) -> Any:
        """The rules that a text describes, for this many players if a number is given."""
        rules = self.rules_type.from_text(text)
        return rules if players is None else rules.replace(players=players)

    def action_names(self, rules: Any) -> tuple[str, ...]:
        """The name of every action number, in order; rules may be given as their text.

        >>> from skyjo_env import action_names
        >>> action_names("")[:4], action_names("clear=confirm")[-1]
        (('draw', 'take', 'place 0', 'place 1'), 'keep')
        """
        return self.named_actions(self.rules_type.check(rules))

    def parse_action(self, rules: Any, name: str) -> int:
        """The number of a named action, such as `place 3`; rules may be given as their text."""
        checked = self.rules_type.check(rules)
        return named_action(name, self.named_actions(checked), self.actions_in_words(checked))

    def illegal_action(
        self, rules: Any, seat: int, phase: str, mask: NDArray[np.int8], action: Any, where: str = ""
    ) -> IllegalActionError:
        """The error for an action that is not legal: it names action, seat, phase and what is legal."""
        names, number = self.action_names(rules), action_number(action)
        name = f"{where}action {brief(action)}{f' ({names[number]})' if 0 <= number < len(names) else ''}"
        if phase in self.phases[self.over :]:
            return IllegalActionError(f"{name}: the game is {phase}; nothing to decide")
        legal = ", ".join(f"{number} ({names[number]})" for number in np.flatnonzero(mask).tolist())
        why = f" in phase {phase}" if self.over > 1 else ""
        if isinstance(action, str):
            why = f": actions are numbers, and this is {names.index(action) if action in names else 'the name of none'}"
        return IllegalActionError(f"{name} of seat {seat} is illegal{why}; legal: {legal}")

    def at(self, name: str) -> int:
        """Where an observation has a number that stands before everything whose place depends on the rules."""
        return next(part.start for part in self.spec_of(self.official).slices if part.name == name)

    # Playing and measuring

    def play_stages(
        self,
        rules: Any,
        games: NDArray[Any],
        action: int,
        cards: Sequence[int],
        counts: NDArray[np.int64] | None = None,
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Carry out a legal action that reveals these cards, on copies. Returns the table at four moments: before the
        action, after `act`, after `score_round` and after `go_on`; and the log of its events. TableError if a card
        cannot come; for `counts` see `GameKernel.act_with`.
        """
        stages, given, log = copied(games, 4), self.card_array(rules, cards) if cards else NO_CARDS, new_log()
        room = np.zeros(MOST_KINDS, np.int64) if counts is None else counts
        check_given(cards, self.one.play_stages(stages, rules.params, action, given, room, log))
        return stages, log

    def next_cards(self, game: TableGame[Any], action: int, cards: Sequence[int], lowest: int) -> dict[int, Fraction]:
        """What the next card may be that a legal action reveals after these; counts of cards start at `lowest`."""
        counts = np.zeros(MOST_KINDS, np.int64)
        self.play_stages(game.rules, game.state, action, cards, counts)
        total = int(counts.sum())
        return {lowest + k: Fraction(int(counts[k]), total) for k in np.flatnonzero(counts).tolist()}

    def deal(self, setup: Setup, deals: ArrayLike) -> Tables:
        """Tables with these deals, ready for the first decision."""
        return Tables(setup, deals)

    def replay(self, setup: Setup, deals: ArrayLike, lengths: NDArray[np.int64], actions: NDArray[Any]) -> DealResults:
        """The results of stored actions: `lengths[k]` of them for deal k, one deal after the other, without luck.

        A deal has -1 decisions if one of its actions is illegal, or its game is not over with the last.
        """
        return replayed(setup, deals, lengths, actions)

    # Pictures

    def scene_of(self, game: TableGame[Any], size: tuple[int, int], telling: Telling = UNTOLD) -> Scene:
        """What a picture of a table shows; TableError if the game has no pictures."""
        if self.scene is None:
            raise TableError(f"{self.title} has no pictures")
        return self.scene(game, size, telling)

    # Games and their records (docs/notation.md)

    @cached_property
    def records(self) -> RecordFormat:
        """How its records are written and read."""
        return RecordFormat(self)

    def new_game(self, rules: Any, seed: int, deal: int, episode: Any) -> TableGame[Any]:
        """A new game of this deal."""
        game: TableGame[Any] = self.table(rules, seed, deal, episode)
        return game

    def record(self, setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
        """The written record of a game; IllegalActionError for an action that is not legal."""
        game = self.new_game(setup.rules, setup.seed, deal, setup.episode)
        for number, action in enumerate(actions, 1):
            try:
                game.apply(action)
            except IllegalActionError as error:
                raise IllegalActionError(f"move {number}: {error}") from None
        return game.record()

    def events(self, record: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        """What happened in a recorded game, decision by decision (docs/events.md)."""
        game = self.records.begin(record)
        for action in record["actions"]:
            yield game.play(action)

    def read_game(self, text: str) -> TableGame[Any]:
        """The game that a record or position describes; TableError with the line and the reason if it is damaged."""
        if text.lstrip().startswith(f"{self.name}-position"):
            return self.table.from_position(text)
        game: TableGame[Any] = self.records.replay(text)
        return game


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def package_of(game: CardGame) -> Distribution | None:
    """The distribution that a game comes with, if it is installed."""
    found = _installed().get(game.name)
    return found.dist if found is not None else None


def distribution_of(game: CardGame) -> str:
    """The name of the distribution that a game comes with."""
    found = package_of(game)
    return found.name if found is not None else "unknown"


@cache
def find_game(name: str) -> CardGame:
    """The game of this name; TableError lists those that are installed."""
    points = _installed()
    if name not in points:
        raise TableError(f"no game is called {brief(name)}; installed: {', '.join(sorted(points)) or 'none'}")
    game: CardGame = points[name].load()
    return game
