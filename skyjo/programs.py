"""How people meet a game: the `Program` that every game declares, and what the modules in its folder must offer.

A program is found by the name of its game, among the entry points of the group `skyjo.programs`. Whatever takes time to
load is named as text and loaded when needed, so that help is quick.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from cardtable.table.errors import TableError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from numpy.typing import NDArray

GROUP = "skyjo.programs"

COMMANDS = {
    "agents": "skyjo.commands.agents:Agents",
    "compare": "skyjo.commands.compare:Compare",
    "export": "skyjo.commands.export:Export",
    "games": "skyjo.commands.games:Games",
    "match": "skyjo.commands.match:Match",
    "mcp": "skyjo.commands.mcp:ToolServer",
    "play": "skyjo.commands.play:Play",
    "ratings": "skyjo.commands.ratings:Ratings",
    "replay": "skyjo.commands.replay:Replay",
    "report": "skyjo.commands.report:Report",
    "rules": "skyjo.commands.rules:RulesPage",
    "tournament": "skyjo.commands.tournament:Tournament",
    "warmup": "skyjo.commands.warmup:WarmUp",
    "web": "skyjo.commands.web:Web",
}  # of every game


class Preset(NamedTuple):
    """Rules that have a name."""

    name: str
    rules: str  # as text, for two
    words: str


class Rival(NamedTuple):
    """An agent as people meet it: somebody with a name, who plays well or not so well."""

    name: str
    level: str  # such as easy
    agent: str  # its text
    words: str  # how it plays


class RuleWords(NamedTuple):
    """What a rule says, for people who choose."""

    clause: str  # of the rules page
    words: str


class DecisionWords(NamedTuple):
    """What a decision did, as everybody saw it."""

    words: str
    end: Any  # the event by which it ended a round, or None


class GameTerminal(Protocol):
    """What a game's module `terminal` offers: the game in text. `names` are what to call each seat."""

    def format_view(self, rules: Any, observation: NDArray[Any], names: Sequence[str], colour: bool) -> str:
        """The table as one seat sees it, from its observation alone."""

    def format_table(self, game: Any, colour: bool, all_cards: bool) -> str:
        """The public table; with `all_cards`, also what not everybody could see."""

    def format_end(self, rules: Any, end: Any, names: Sequence[str], colour: bool) -> str:
        """The end of a round, with scores and totals."""

    def question(self, rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """What has to be decided."""

    def read_action(self, rules: Any, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """The action that is meant; TableError if there is none, it is not clear which, or it is not legal."""

    def reason(self, rules: Any, observation: NDArray[Any], action: int) -> str:
        """The reason for a decision, in words that its seat can check; empty if there is nothing to say."""

    def describe(self, events: Sequence[Any]) -> DecisionWords:
        """What a decision did, from its events."""


class GameDocuments(Protocol):
    """What a game's module `documents` offers: the game for JSON, and as a written position."""

    def view_document(self, rules: Any, observation: NDArray[Any], is_own: bool) -> Mapping[str, Any]:
        """The table as one seat sees it, from its observation alone; unless `is_own`, without what nobody else sees."""

    def table_document(self, game: Any) -> Mapping[str, Any]:
        """The public table."""

    def open_document(self, game: Any) -> Mapping[str, Any]:
        """The cards that somebody could not see."""

    def end_document(self, end: Any) -> Mapping[str, Any]:
        """The end of a round."""

    def seen_position(self, rules: Any, observation: NDArray[Any], episode: str, is_own: bool) -> str:
        """What `view_document` shows, as a position with ? for every unseen card; empty if it cannot be written."""


class Lesson(NamedTuple):
    """A step by which people learn the game: a position at which they decide in the first seat."""

    title: str
    words: str  # what it is about
    task: str
    position: str
    goal: str  # a pattern that is in the words of a decision that does it
    done: str  # what they have seen
    clause: str  # of the rules page


class GameLearning(Protocol):
    """What a game's module `lessons` offers: five lessons, and the themes of its puzzles by what is seen."""

    LESSONS: tuple[Lesson, ...]
    THEMES: Mapping[str, str]  # titles by name

    def theme_of(self, rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """The name of the theme of a decision."""

    def phase_of(self, rules: Any, observation: NDArray[Any]) -> str:
        """The name of the phase."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """How people meet a game. Beside the module that declares it lie the modules `terminal`, `documents` and
    `lessons`, and for the browser `board.js`, perhaps with more modules and styles, and `ladder.json`.
    """

    game: str  # its name
    title: str  # as people write it
    folder: str  # the package that these modules and files lie in
    most_points_win: bool
    opponents: tuple[str, ...]  # who plays against you if you name nobody
    rivals: tuple[Rival, ...]  # whom the first page offers to play against at a table of two, the weakest first
    advisers: tuple[str, ...]  # whom `hint` asks: the first that can play here, strongest first
    rules_page: str  # the file with the rules, such as rules/skyjo.md
    rule_words: Mapping[str, RuleWords]  # what every rule that can be changed says
    presets: tuple[Preset, ...]  # rules to choose from, the usual ones first
    actions_help: str  # how actions are typed, line by line
    first_phases: tuple[str, ...]  # in which a turn begins, also if the same seat has decided before
    later_phases: tuple[str, ...]  # in which a turn goes on, and the question says all that is new
    has_private_hands: bool  # does a seat hold cards that people who share a screen must not see?
    judges: tuple[str, ...] = ()  # agents that judge its games: the first that can by the rules, the best first
    analyst: str = ""  # module:name of what makes a `cardtable.arena.exam.analysis.Analyst` of such an agent
    # What some agents give away in a decision that matters, on average, by name, from the best on
    levels: tuple[tuple[str, float], ...] = ()
    exam: str = ""  # module:name of its `cardtable.arena.exam.questions.ExamKind`; empty if it has none
    own_commands: Mapping[str, str]  # those that no other game has, or not with the same options

    @property
    def command(self) -> str:
        """How the program is called: by the name of its game, with hyphens."""
        return self.game.replace("_", "-")

    @property
    def commands(self) -> dict[str, str]:
        """Every command by name, and where it is, in alphabetical order."""
        exam = {"exam": "skyjo.commands.exam:Exam"} if self.exam else {}
        analyse = {"analyse": "skyjo.commands.analyse:Analyse"} if self.judges else {}
        return dict(sorted({**COMMANDS, **analyse, **exam, **self.own_commands}.items()))

    @property
    def path(self) -> Path:
        """The folder."""
        return Path(str(import_module(self.folder).__file__)).parent

    @property
    def rules_text(self) -> str:
        """The rules of the game, with every clause numbered, as Markdown."""
        root = self.path.parents[1]
        pages = (root / folder / self.rules_page for folder in ("skyjo", "docs"))  # in a wheel, in a clone
        return next(page for page in pages if page.exists()).read_text(encoding="utf-8")

    @property
    def terminal(self) -> GameTerminal:
        """The game in text."""
        return cast(GameTerminal, import_module(f"{self.folder}.terminal"))

    @property
    def documents(self) -> GameDocuments:
        """The game for JSON."""
        return cast(GameDocuments, import_module(f"{self.folder}.documents"))

    @property
    def learning(self) -> GameLearning:
        """How the game is taught."""
        return cast(GameLearning, import_module(f"{self.folder}.lessons"))


_CALLED: ContextVar[Program | None] = ContextVar("called", default=None)


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


def program_names() -> list[str]:
    """The games that have a program."""
    return sorted(_installed())


def find_program(name: str) -> Program:
    """The program of the game of this name; TableError if there is none."""
    found = _CALLED.get()
    if found is not None and found.game == name:  # without looking through all that is installed
        return found
    if name not in _installed():
        from cardtable.table.checks import brief  # with numpy, which help does without

        raise TableError(f"no program plays {brief(name)}; installed: {', '.join(program_names()) or 'none'}")
    return cast(Program, _installed()[name].load())


def working_programs() -> list[str]:
    """The games whose programs can be loaded; standard error says what is left out, and why."""
    return [name for name in program_names() if _is_working(name)]


def _is_working(name: str) -> bool:
    try:
        return find_program(name).path.is_dir()
    except Exception as error:  # it may be any package's code
        print(f"warning: {name} is left out: {type(error).__name__}: {error}", file=sys.stderr)
        return False


def program() -> Program:
    """The program that was called; that of Skyjo if none was."""
    return _CALLED.get() or find_program("skyjo")


@contextmanager
def called(name: str | Program) -> Iterator[Program]:
    """Within the block, this is the program that was called."""
    token = _CALLED.set(find_program(name) if isinstance(name, str) else name)
    try:
        yield program()
    finally:
        _CALLED.reset(token)


def file_named(what: str) -> Callable[[], str]:
    """The file that a command writes if none is named, such as `skyjo-report.html`."""
    return lambda: f"{program().command}-{what}.html"


def loaded(place: str) -> Any:
    """What stands at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
