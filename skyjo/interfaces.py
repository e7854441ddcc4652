"""The interface of a game for people: the `GameInterface` that its file `people/interface.toml` describes, and the
modules beside that file.

A program is found by the name of its game, among the entry points of the group `cardtable.games`. Nothing of the game
is imported for it, so that help is quick, and every field has a default, so that every game has a program.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args, get_origin, get_type_hints

from cardtable.table.errors import TableError, did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from skyjo.table.game_text import GameJson, GameLearning, GameTerminal
    from skyjo.table.phrases import Phrases

DISTRIBUTION = "skyjo-env"
HOME = DISTRIBUTION.partition("-")[0]  # the game after which it is named, which comes first
GROUP = "cardtable.games"
FILE = "interface.toml"
HERE = Path(__file__).parent
RULES = (HERE / "rules", HERE.parent / "docs" / "rules")  # where the pages of rules lie in a wheel, and in a checkout
USUAL_HELP = """\
  NAME             an action, by its name or how that begins
  NUMBER           the action whose name ends in this number"""
KINDS: dict[Any, str] = {str: "a text", bool: "true or false", float: "a number"}  # of values, in words


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
    """The meaning of a rule, for people who choose."""

    clause: str  # of the rules page
    words: str


@dataclass(frozen=True, kw_only=True)
class GameInterface:
    """The interface of a game for people. `game` and `package` follow from its entry point; everything else is read
    from its file.

    In the folder of that file may lie the modules `terminal`, `documents` and `lessons`, `phrases.toml` with the module
    `reasons`, and for the browser `board.js`, perhaps with more modules and styles, and `ladder.json`.
    """

    game: str  # its name
    package: str  # that its declaration lies in
    title: str = ""  # as people write it; by default its name
    line: str = ""  # what the game is, for the first page
    opponents: tuple[str, ...] = ("random",)  # who plays against you if you name no agent
    rivals: tuple[Rival, ...] = ()  # whom the first page offers to play against at a table of two, the weakest first
    advisers: tuple[str, ...] = ()  # whom `hint` asks: the first that can play here, strongest first
    rule_words: Mapping[str, RuleWords] = field(default_factory=dict)  # what every rule that can be changed says
    presets: tuple[Preset, ...] = (Preset("official", "", "the official rules"),)  # to choose from, the usual one first
    actions_help: str = USUAL_HELP  # how actions are typed, line by line
    first_phases: tuple[str, ...] = ()  # in which a turn begins, also if the same seat has decided before
    later_phases: tuple[str, ...] = ()  # in which a turn goes on, and the question says all that is new
    has_private_hands: bool = True  # does a seat hold cards that people who share a screen must not see?
    judges: tuple[str, ...] = ()  # agents that judge its games: the first that can by the rules, the best first
    judges_quickly: bool = True  # a whole round in seconds, so that a terminal shows its mistakes unasked
    analyst: str = ""  # module:name of what makes a `cardtable.arena.exam.analysis.Analyst` of such an agent
    # What some agents give away in a decision that matters, on average, by name, from the best on
    levels: Mapping[str, float] = field(default_factory=dict)
    exam: str = ""  # module:name of its `cardtable.arena.exam.questions.ExamKind`; empty if it has none

    @property
    def command(self) -> str:
        """Name of the program: the name of its game, with hyphens."""
        return self.game.replace("_", "-")

    @cached_property
    def folder(self) -> Path:
        """The folder of the game's package; of a game that is a single module, one that does not exist."""
        top, *inner = self.package.split(".")
        spec = find_spec(top)
        if spec is None:
            raise TableError(f"{top}, the package of the game {self.game}, is not installed")
        places = spec.submodule_search_locations or [str(spec.origin).removesuffix(".py")]
        return Path(next(iter(places)), *inner)

    @property
    def path(self) -> Path:
        """The folder of the game's part for people, which need not exist."""
        return self.folder / "people"

    # What the game has, for the commands that need it

    @property
    def rules_page(self) -> Path | None:
        """The rules of the game, with every clause numbered, as Markdown."""
        pages = (self.path / "rules.md", *(folder / f"{self.game}.md" for folder in RULES))
        return next((page for page in pages if page.is_file()), None)

    @property
    def has_board(self) -> bool:
        """True if the game can be played in the browser, whose first page offers a game between two rivals."""
        return (self.path / "board.js").is_file() and len(self.rivals) > 1

    @property
    def rules_text(self) -> str:
        """The text of that page; TableError if there is none."""
        if self.rules_page is None:
            raise TableError(f"{self.title} has no page with its rules")
        return self.rules_page.read_text("utf-8")

    # What the modules in its folder say, or the usual ones

    @cached_property
    def terminal(self) -> GameTerminal:
        """The game in text."""
        return cast("GameTerminal", self._own("terminal:Terminal", "skyjo.table.game_text:GameTerminal")())

    @cached_property
    def phrases(self) -> Phrases:
        """The phrases for the decisions of the game."""
        return cast("Phrases", loaded("skyjo.table.phrases:Phrases")(self))

    @cached_property
    def documents(self) -> GameJson:
        """The game for JSON."""
        return cast("GameJson", self._own("documents:Documents", "skyjo.table.game_text:GameJson")())

    @property
    def learning(self) -> GameLearning:
        """The lessons and puzzles of the game."""
        if (self.path / "lessons.py").is_file():
            return cast("GameLearning", import_module(f"{self.package}.people.lessons"))
        return cast("GameLearning", loaded("skyjo.table.game_text:GameLearning")())

    def _own(self, place: str, usual: str) -> Any:
        module = f"{place.partition(':')[0]}.py"
        return loaded(f"{self.package}.people.{place}" if (self.path / module).is_file() else usual)


# Reading a program


def read_interface(game: str, package: str) -> GameInterface:
    """Read the program of a game; TableError names the line of its file that is wrong."""
    interface = GameInterface(game=game, package=package, title=game.replace("_", " ").title())
    file = interface.path / FILE
    if not file.is_file():
        return interface
    try:
        entries = tomllib.loads(file.read_text("utf-8"))
        hints = get_type_hints(GameInterface)
        types = {row.name: hints[row.name] for row in fields(GameInterface) if row.name not in ("game", "package")}
        if entries.get("judges") and not entries.get("analyst"):
            raise TableError("judges needs an analyst, which judges by them")
        return GameInterface(**{"game": game, "package": package, "title": interface.title, **_checked(types, entries)})
    except (tomllib.TOMLDecodeError, TableError) as error:
        raise TableError(f"{file}: {error}") from None


def _checked(types: Mapping[str, Any], entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by name, each read as the type of that name."""
    for name in entries:
        if name not in types:
            raise TableError(f"{name} is not known{did_you_mean(name, types)}")
    return {name: _value(types[name], value, name) for name, value in entries.items()}


def _value(kind: Any, value: Any, name: str) -> Any:
    """Return a value as this type; TableError if it is of another."""
    inner = get_args(kind)
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(_value(inner[0], item, f"{name} {number}") for number, item in enumerate(value, 1))
    if get_origin(kind) is Mapping and isinstance(value, dict):
        return {key: _value(inner[1], item, f"{name}.{key}") for key, item in value.items()}
    if isinstance(kind, type) and issubclass(kind, tuple) and isinstance(value, dict):
        return _row(kind, value, name)
    if type(value) in ((int, float) if kind is float else (kind,)):
        return value
    what = KINDS.get(kind, "a list" if get_origin(kind) is tuple else "a table")
    raise TableError(f"{name} must be {what}, not {value!r:.40}")


def _row(kind: Any, value: Mapping[str, Any], name: str) -> Any:
    """Return a table as a named tuple of this type."""
    missing = [field for field in kind._fields if field not in value and field not in kind._field_defaults]
    if missing:
        raise TableError(f"{name} lacks {', '.join(missing)}")
    try:
        return kind(**_checked(get_type_hints(kind), value))
    except TableError as error:
        raise TableError(f"{name}: {error}") from None


# Finding it

_CALLED: ContextVar[GameInterface | None] = ContextVar("called", default=None)


@cache
def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _entry_point(name: str) -> EntryPoint:
    """Return the entry point of a game, without looking through all that is installed if it is one of our own."""
    try:
        own = {point.name: point for point in distribution(DISTRIBUTION).entry_points.select(group=GROUP)}
    except PackageNotFoundError:
        own = {}
    if name not in own and name not in _installed():
        from cardtable.table.checks import brief  # with numpy, which help does without

        raise TableError(f"no game is called {brief(name)}; installed: {', '.join(interface_names()) or 'none'}")
    return own.get(name) or _installed()[name]


def interface_names() -> list[str]:
    """Return the names of all games that are installed."""
    return sorted(_installed())


@cache
def _interface(name: str) -> GameInterface:
    module = _entry_point(name).module
    is_package = GameInterface(game=name, package=module).folder.is_dir()
    return read_interface(name, module if is_package else module.rpartition(".")[0] or module)


def find_interface(name: str) -> GameInterface:
    """Return the program of the game of this name; TableError if there is none."""
    now = _CALLED.get()
    return now if now is not None and now.game == name else _interface(name)


def playable_interfaces() -> list[str]:
    """Return the games that can be played in the browser; standard error names the others, with the reasons."""
    return [name for name in interface_names() if _is_playable(name)]


def _is_playable(name: str) -> bool:
    try:
        return find_interface(name).has_board
    except TableError as error:
        print(f"warning: {name} is left out: {error}", file=sys.stderr)
        return False


def interface() -> GameInterface:
    """Return the program that was called."""
    now = _CALLED.get()
    if now is None:
        raise LookupError("no program was called")
    return now


@contextmanager
def called(name: str | GameInterface) -> Iterator[GameInterface]:
    """Name the program that was called, within the block."""
    token = _CALLED.set(find_interface(name) if isinstance(name, str) else name)
    try:
        yield interface()
    finally:
        _CALLED.reset(token)


def file_named(what: str) -> Callable[[], str]:
    """Return a function that returns the file a command writes if none is named, such as `skyjo-report.html`."""
    return lambda: f"{interface().command}-{what}.html"


def loaded(place: str) -> Any:
    """Return the object at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
