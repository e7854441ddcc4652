"""CardGame: a card game, declared once. Play, storage, measurements, pictures and learning are all made from this.

A game is found by the name that its rules carry, among the entry points of the group `cardtable.games`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import action_number, brief, check_int
from cardtable.table.compiling.compiler import compiler_of, source_of
from cardtable.table.errors import IllegalActionError, RulesError, TableError
from cardtable.table.game.events import TableEvent
from cardtable.table.game.positions import NO_CHECKS, TableChecks, format_fields, not_checked
from cardtable.table.game.slices import NO_CARDS, Cards, SliceSpec, sources_of
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel.game_kernel import EPISODES, Compiled, GameKernel
from cardtable.table.kernel.rounds import RoundRecorder, result_type, round_recorder
from cardtable.table.kernel.scoring import REWARDS
from cardtable.table.kernel.seats import line_loop
from cardtable.table.kernel.tables import ManyTables, OneTable, many_tables, one_table
from cardtable.table.kernel.usual import completed
from cardtable.table.render.scene import Shown, scene_of
from cardtable.table.render.svg import Scene
from cardtable.table.render.text import UNTOLD, Telling, named_action

GROUP = "cardtable.games"


@dataclass(frozen=True)
class Setup:
    """The rules, the seed, and the options of recording. The cards depend on rules and seed alone."""

    rules: TableRules
    seed: int = 0
    episode: str = "round"  # one round of every deal, or "game": all that follows from it
    with_luck: bool = False  # note the luck of the cards
    reveal_hidden: bool = False  # show the hidden cards to agents that want to see them
    record_actions: bool = False  # keep every action, and the scores of every round
    luck_by: str = "cards"  # how luck is measured: by the game's own terms, or as named in `cardtable.arena.play.luck`

    def __post_init__(self) -> None:
        if not isinstance(self.rules, TableRules):
            raise RulesError(f"rules must be the Rules of a game, such as Rules(players=3), not {brief(self.rules)}")

    @property
    def game(self) -> "CardGame":
        """The game with these rules."""
        return find_game(self.rules.game)


class RoundStat(NamedTuple):
    """A number that a round leaves behind for every seat, such as the cells that it has cleared."""

    name: str
    counted: str  # what is counted, as lists of games head a column
    words: str  # the same in the units of reports, which head a column with the mean in a round
    unit: float  # what one counts for in reports
    explained: str  # a sentence on what is counted
    of_table: bool = False  # 0 or 1 a round and the same for every seat: `counted` is a word for such rounds


class Luck(NamedTuple):
    """A game's measure of the luck of the cards: terms by seat that are 0 on average for any play."""

    terms: tuple[str, ...]
    weights: NDArray[np.float64]  # the points of margin that one of each term is taken to bring
    explained: str  # a sentence on what is noted, for reports
    name: str = "cards"  # as setups and stored games call it
    # The terms of deals that have been played, [deals, players, terms], by their setup, numbers, lengths and actions;
    # None for terms that are noted while they are played.
    read: Callable[[Setup, NDArray[np.int64], NDArray[np.int64], NDArray[Any]], NDArray[np.float64]] | None = None
    scratch: np.dtype[Any] = np.dtype((np.record, [("unused", "i8")]))  # what the kernel's `note_luck` writes to


PlugIn = Any  # an object, or the text "module:name"
ONE_BYTE: np.dtype[Any] = np.dtype(np.uint8)
NO_LUCK = Luck((), np.zeros(0), "")  # of games that do not measure it


def plugged_in(what: PlugIn) -> Any:
    """Return a plug-in, imported if only its place is named."""
    return resolve_name(what) if isinstance(what, str) else what


def is_at_turn(game: Any) -> bool:
    """Return whether a turn is to begin: the phase "turn", in which the only decisions of many games fall."""
    return bool(game.phase == "turn")


def stopped_by_turns(rules: Any) -> str:
    """Return the usual limit of turns after which a round is stopped, in words: "after 100 turns", or "never"."""
    return f"after {rules.max_turns:,} turns" if hasattr(rules, "max_turns") else "never"


def few_turns(rules: Any) -> bool:
    """Return whether there are fewer turns than seats."""
    return hasattr(rules, "max_turns") and bool(rules.max_turns < rules.players)


@dataclass(frozen=True, eq=False, kw_only=True)
class CardGame:
    """A card game, declared. Only the first five fields are required. A field that a game leaves out has a usual value,
    or is refused where it is asked for.
    """

    rules_type: type[Any]  # a `cardtable.table.game.table_rules.TableRules`
    dtype: np.dtype[Any]  # the record of a game (`cardtable.table.kernel.usual.game_dtype`)
    kernel: GameKernel  # compiled functions on it
    named_actions: Callable[[Any], Sequence[str]]  # by number
    view: type[Any]  # all that a seat sees, a `TableView`
    shown: Cards = NO_CARDS  # the cards that a seat may see
    spec_of: Any = None  # how to read observations under these rules, a `SliceSpec` that is made once

    name: str = ""  # in stored games, among the entry points, and as a command: that of the rules
    title: str = ""  # as people write it
    phases: tuple[str, ...] = ("turn", "over", "truncated")  # index = code; the last two are over and truncated
    lower_is_better: bool = True  # do the fewest points win?

    # Words
    example: str = ""  # a turn in a record as text
    begins_turn: Callable[[Any], bool] = is_at_turn  # is the table at the beginning of a turn?
    stopped: Callable[[Any], str] = stopped_by_turns  # when a round is stopped, such as "after 1,000 turns"

    # Plug-ins: objects, or where they lie as "module:name", from where they are imported when they are asked for
    table: PlugIn = None  # `Game` and `GameBatch` of the package, if its tables show more than any game's
    batch: PlugIn = None
    text: PlugIn = None  # (game, colour) -> the table as text
    seat_text: PlugIn = None  # (rules, observation, names of the seats) -> all that a seat sees as text
    scene: PlugIn = None  # (game, telling) -> what a picture of a table shows (`cardtable.table.render.scene.Shown`)
    agents: PlugIn = None  # a mapping of names to the "module:class" of every agent
    policies: PlugIn = None  # a `cardtable.table.agents.policies.model_card.PolicyKind`
    learning: PlugIn = None  # a `skyjo_training.learned_game.LearnedGame`
    luck_by: Mapping[str, PlugIn] = field(default_factory=dict)  # ways to measure luck: (rules, version) -> Luck

    # Who is good at it, and what is measured
    reference_agent: str = "random"  # the agent against which others are measured
    round_stats: Callable[[Any], tuple[RoundStat, ...]] = lambda _: ()  # what a round leaves behind for every seat

    # Learning
    rewards: tuple[str, ...] = REWARDS  # index = code, the usual one first
    penalty: Callable[[Any, str], float] = lambda *_: -1.0  # (rules, reward): for an illegal action
    shapings: tuple[str | None, ...] = (None,)  # index = code
    stops_too_soon: Callable[[Any], bool] = few_turns  # may `max_turns` stop a round before every seat decides?

    # Luck, and how actions are stored
    luck: Luck = NO_LUCK
    action_type: np.dtype[Any] = ONE_BYTE

    # Written positions, and chance
    format_position: Callable[[Any, Any], str] = format_fields
    parse_position: Callable[[str], tuple[Any, NDArray[Any]]] = not_checked
    checks: TableChecks = NO_CHECKS  # which records are tables
    cards: range = range(0)  # the numbers of those that can be chosen when they come to light
    card_array: Callable[[Any, Sequence[int]], NDArray[np.int64]] | None = None  # (rules, cards): checked further
    # (game, action, cards) -> what the next card may be, and how likely; unless the kernel's `act_with` counts that
    next_card: Callable[[Any, int, Sequence[int]], dict[int, Fraction]] | None = None
    event_type: type[TableEvent] = TableEvent  # the base of its events, in the order of their numbers in the kernel

    episodes = EPISODES

    def __post_init__(self) -> None:
        """Take the usual name and title, and the usual functions of the kernel, where there are none."""
        name, fields, kernel = self.name or self.rules_type.game, self.official.params.dtype.names or (), self.kernel
        if not (kernel.deal_round or (kernel.new_game and kernel.start_next_round)):
            raise TableError(f"the game {name} must declare its deal_round")
        over, compiled = len(self.phases) - 2, compiler_of(self._source)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "title", self.title or name.replace("_", " ").title())
        seen = sources_of(self.view)
        lost = {entry.source for entry in seen if isinstance(entry.source, str)} - {*(self.dtype.names or ())}
        if lost and kernel.write_observation is None:
            raise TableError(f"the view of {name} names {min(lost)}, which its record does not have")
        object.__setattr__(self, "kernel", completed(kernel, over, self.lower_is_better, fields, seen, compiled))
        if self.spec_of is None:
            object.__setattr__(
                self, "spec_of", lru_cache(maxsize=64)(lambda rules: SliceSpec(self.view, rules, self.shown))
            )

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the name of the game, by which copies and pickles find it."""
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
    def single_table(self) -> OneTable:
        """Compiled functions for a single table."""
        return one_table(self.kernel, compiler_of(self._source, whole=True))

    @cached_property
    def batch_loops(self) -> ManyTables:
        """Compiled loops over many tables."""
        return many_tables(self.kernel, compiler_of(self._source))

    @cached_property
    def play_line(self) -> Compiled:
        """Compiled loop over tables with a learner in one seat, and opponents without scripts."""
        return line_loop(self.kernel, compiler_of(self._source))

    @cached_property
    def measured_rounds(self) -> RoundRecorder:
        """Compiled loops over rounds that are measured."""
        return round_recorder(self.kernel, compiler_of(self._source))

    @cached_property
    def result_type(self) -> np.dtype[Any]:
        """The record of the results of a deal."""
        return result_type(len(self.round_stats(self.official)), len(self.luck.terms))

    # Rules, actions and observations

    def winners(self, scores: Sequence[int]) -> tuple[int, ...]:
        """Return the seats that share the win with these scores; where the most points win, no seat wins without
        points.
        """
        best = min(scores) if self.lower_is_better else max(*scores, 1)
        return tuple(seat for seat, score in enumerate(scores) if score == best)

    @cached_property
    def official(self) -> Any:
        """The official rules."""
        return self.rules_type()

    def rules(self, text: str = "", players: int | None = None) -> Any:
        """Return the rules that a text describes, for this many players if a number is given."""
        rules = self.rules_type.from_text(text)
        return rules if players is None else rules.replace(players=players)

    def action_names(self, rules: Any) -> tuple[str, ...]:
        """Return the name of every action number, in order; rules may be given as their text.

        >>> from skyjo_env import action_names
        >>> action_names("")[:4], action_names("clear=confirm")[-1]
        (('draw', 'take', 'place 0', 'place 1'), 'keep')
        """
        return tuple(self.named_actions(self.rules_type.check(rules)))

    def parse_action(self, rules: Any, name: str) -> int:
        """Return the number of a named action, such as `place 3`; rules may be given as their text."""
        return named_action(name, self.action_names(rules))

    def illegal_action(
        self, rules: Any, seat: int, phase: str, mask: NDArray[np.int8], action: Any, where: str = ""
    ) -> IllegalActionError:
        """Return the error for an illegal action: it names action, seat, phase and the legal actions."""
        names, number = self.action_names(rules), action_number(action)
        name = f"{where}action {brief(action)}{f' ({names[number]})' if 0 <= number < len(names) else ''}"
        if phase in self.phases[self.over :]:
            return IllegalActionError(f"{name}: the game is {phase}; nothing to decide")
        legal = ", ".join(f"{number} ({names[number]})" for number in np.flatnonzero(mask).tolist())
        why = f" in phase {phase}" if self.over > 1 else ""
        return IllegalActionError(f"{name} of seat {seat} is illegal{why}; legal: {legal}")

    def at(self, name: str) -> int:
        """Return where a slice of the observation begins under all rules; TableError if that depends on the rules."""
        some_rules = [self.official.replace(players=players) for players in self.rules_type.ranges["players"]]
        starts: set[int] = {
            part.start for rules in some_rules for part in self.spec_of(rules).slices if part.name == name
        }
        if len(starts) != 1:
            raise TableError(f"observations of {self.title} must have {name} at the same place under all rules")
        return starts.pop()

    def chosen_cards(self, rules: Any, cards: Sequence[int]) -> NDArray[np.int64]:
        """Return cards as the kernel takes them; TableError if they cannot be chosen."""
        if self.card_array is not None:
            return self.card_array(rules, cards)
        if len(self.cards) == 0:
            raise TableError(f"the cards of {self.title} cannot be chosen")
        return np.array([check_int("card", card, self.cards[0], self.cards[-1]) for card in cards], np.int64)

    # Tables to look at

    def text_of(self, game: Any, colour: bool = False) -> str:
        """Return the table as text; the observation of the seat that decides, if the game has no words for it."""
        if self.text is None:
            return self.seat_text_of(
                game.rules, game.observation(), [f"seat {seat}" for seat in range(game.rules.players)]
            )
        text: str = plugged_in(self.text)(game, colour)
        return text

    def seat_text_of(self, rules: Any, observation: NDArray[Any], names: Sequence[str]) -> str:
        """Return the view of a seat, from its observation alone; every slice with its numbers, if the game has no
        words.
        """
        if self.seat_text is None:
            view = vars(self.spec_of(rules).view(observation))
            return "\n".join(f"{name}: {self._written(name, part)}" for name, part in view.items())
        text: str = plugged_in(self.seat_text)(rules, observation, names)
        return text

    def _written(self, name: str, part: NDArray[Any]) -> str:
        """Return a slice in one line, its seats or piles set apart; the phase by its name."""
        if name == "phase":
            return self.phases[int(part)]
        rows = part.reshape(-1, part.shape[-1]) if part.ndim > 1 else part.reshape(1, -1)
        return " | ".join(" ".join(map(str, row)) for row in rows.tolist())

    def scene_of(self, game: Any, size: tuple[int, int], telling: Telling = UNTOLD) -> Scene:
        """Return the scene of a table for a picture; TableError if the game has no pictures."""
        if self.scene is None:
            raise TableError(f"{self.title} has no pictures")
        content: Shown = plugged_in(self.scene)(game, telling)
        return scene_of(game, content, size, telling)


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def package_of(game: CardGame) -> Distribution | None:
    """Return the distribution that a game comes with, if it is installed."""
    point = _installed().get(game.name)
    return point.dist if point is not None else None


def distribution_of(game: CardGame) -> str:
    """Return the name of the distribution that a game comes with."""
    package = package_of(game)
    return package.name if package is not None else "unknown"


@cache
def find_game(name: str) -> CardGame:
    """Return the game of this name; TableError lists those that are installed."""
    points = _installed()
    if name not in points:
        raise TableError(f"no game is called {brief(name)}; installed: {', '.join(sorted(points)) or 'none'}")
    game: CardGame = points[name].load()
    return game
