"""Agents by name: any agent can be put at a table as text, `name:parameter=value,...`. The name is that of an installed
agent, or a class of your own as `module:Class` or `file.py:Class`.

An agent is any object with `act(observations[N, D], masks[N, A], rng_states[N]) -> actions[N]`. It decides at N tables
at once and sees only the observations. `rng_states` holds one generator state for every table (10.1 of
docs/rules/skyjo.md). An agent that plays at random takes its numbers from there, by `uniform(rng_states)`, so that its
actions at one table never depend on the other tables. Each state is derived from the observation alone
(`rng_states_of`), so it reveals nothing more. `choose` passes copies: an agent may keep them and write to them.

An agent with an attribute `encoding = "onehot"` is shown the same observations as vectors for plain networks, float32
[N, E]; without one it is shown the compact ones, int16.

An agent's class declares everything else, so no agent is built to find out:

- `is_slow = True`: it is slow. It is asked at fewer tables at once, and can be given fewer deals.
- `sees_hidden = True`: it is shown the hidden cards, where that is allowed, by `act_knowing(states, masks,
  rng_states)`.
- `is_human = True`: it asks a person. It plays only where people are seated.
- `compiled_player = ...`: how a table of such agents plays in compiled code (`CompiledPlayer`).
"""

import pkgutil
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter, getdoc, signature
from pathlib import Path
from traceback import walk_tb
from typing import Any, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import as_array, brief, other_arguments, read_number
from cardtable.table.errors import AgentError, TableError, did_you_mean
from cardtable.table.game.card_game import CardGame, Setup, package_of, plugged_in
from cardtable.table.game.measured_deals import DealResults
from cardtable.table.game.slices import ENCODINGS, SliceSpec
from cardtable.table.kernel.chance import random_actions, random_fractions, write_rng_states

OF_EVERY_GAME = {
    "human": "skyjo.terminal.human:HumanAgent",
    "policy": "cardtable.table.agents.policies.policy_agent:PolicyAgent",
    "random": "cardtable.table.agents.agents:RandomAgent",
}
FAILURES = Exception, SystemExit, GeneratorExit  # of an agent; KeyboardInterrupt is the user's
KINDS = {"bool": bool, "float": float, "int": int}  # of parameters, by name
MAX_LETTERS = 500  # of an agent's error that are shown
CLASS = re.compile(r"((.+?\.py|[A-Za-z_][\w.]*):([A-Za-z_]\w*))(?![\w=])(:.*)?")  # its place, module or file, and name


@runtime_checkable
class Agent(Protocol):
    """Anything that decides."""

    def act(
        self, observations: NDArray[Any], masks: NDArray[np.int8], rng_states: NDArray[np.uint64]
    ) -> NDArray[np.integer[Any]]:
        """Return one legal action for every table."""
        ...


class CompiledPlayer(Protocol):
    """Compiled play for a table of agents that share this player."""

    sources: tuple[Path, ...]  # the folders with what is compiled

    def play(self, setup: Setup, agents: Sequence[Any], deals: range) -> DealResults:
        """Return the results of every deal, with the first agent in seat 0, as if every agent were asked."""


class RandomAgent:
    """Plays any legal action, each equally likely."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], rng_states: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Return a random legal action for every table."""
        actions = np.empty(len(observations), np.int64)
        random_actions(np.ascontiguousarray(masks, np.int8), generator_states(rng_states), actions)
        return actions


def uniform(rng_states: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return a random number from 0 up to but without 1 for every table; moves their generators on.

    >>> import numpy as np
    >>> chances = np.array([1, 2], np.uint64)
    >>> uniform(chances).round(3).tolist(), uniform(chances).round(3).tolist()
    ([0.567, 0.591], [0.746, 0.749])
    """
    fractions = np.empty(len(generator_states(rng_states)))
    random_fractions(rng_states, fractions)
    return fractions


def generator_states(rng_states: Any) -> Any:
    """Return the chances that an agent was given, if they are generator states: compiled code writes to them, so
    nothing is converted.
    """
    is_states = rng_states.__class__ is np.ndarray and rng_states.dtype == np.uint64 and rng_states.ndim == 1
    if not is_states or not rng_states.flags.writeable:
        raise AgentError("chances must be a writable array of generator states, uint64[N], one for each table")
    return rng_states


def rng_states_of(observations: Any) -> NDArray[np.uint64]:
    """Return the initial generator state for every table, which follows from the observation there alone.

    >>> import numpy as np
    >>> from skyjo_env import GameBatch, OFFICIAL, make_agent
    >>> batch = GameBatch(OFFICIAL, n=3, seed=1)
    >>> make_agent("random").act(batch.observations, batch.masks, rng_states_of(batch.observations)).shape
    (3,)
    """
    seen = np.ascontiguousarray(observations, np.int16)
    if seen.ndim != 2:
        raise AgentError(f"observations must be an array [N, D], one row for each table, not of shape {seen.shape}")
    rng_states = np.empty(len(seen), np.uint64)
    write_rng_states(seen, rng_states)
    return rng_states


def choose(
    agent: Any, name: str, spec: SliceSpec[Any], observations: Any, masks: Any, states: Any = None
) -> NDArray[np.int64]:
    """Return the decisions of an agent; AgentError, with its name, for anything but one whole number per table.

    `spec` describes the observations. The agent is shown the states if it sees hidden cards.
    """
    rng_states = rng_states_of(observations)
    if states is None:
        answer = agent.act(shown_to(agent, name, spec, observations), np.array(masks), rng_states)
    else:
        answer = agent.act_knowing(np.array(states), np.array(masks), rng_states)
    return checked_actions(name, answer, len(masks))


def shown_to(agent: Any, name: str, spec: SliceSpec[Any], observations: Any) -> NDArray[Any]:
    """Return a copy of compact observations [N, D] in the encoding that an agent asks for; AgentError if that is
    unknown.
    """
    encoding = getattr(agent, "encoding", "compact")
    if encoding == "compact":
        return np.array(observations)
    if encoding != "onehot":
        choices = " or ".join(f'"{one}"' for one in ENCODINGS)
        raise AgentError(f"agent {name} asks for encoding={brief(encoding)}; it must be {choices}")
    return spec.onehot.encode(np.ascontiguousarray(observations, np.int16))


def checked_actions(name: str, actions: Any, tables: int) -> NDArray[np.int64]:
    """Return the answer of an agent, if it is one whole number for every table; else an AgentError that names the
    agent.
    """
    if actions.__class__ is np.ndarray and actions.dtype == np.int64 and actions.shape == (tables,):
        return np.ascontiguousarray(actions)
    array = as_array(actions)
    if array.dtype.kind not in "iu" or array.shape != (tables,):
        is_array = isinstance(actions, np.ndarray)
        reply = f"an array of shape {array.shape} and type {array.dtype}" if is_array else brief(actions)
        raise AgentError(f"agent {name} must return one whole number for every observation, here {tables}, not {reply}")
    return np.ascontiguousarray(array, np.int64)


def check_act(agent: Any, name: str) -> None:
    """Raise AgentError unless an agent has the method by which it decides, with the right parameters."""
    method, first = ("act_knowing", "states") if sees_hidden(agent) else ("act", "observations")
    wanted = f"{method}({first}, masks, chances)"
    if not callable(getattr(agent, method, None)):
        raise AgentError(f"agent {name} has no method {wanted}")
    parameters = other_arguments(getattr(agent, method), first, "masks", "rng_states")
    if parameters is not None:
        raise AgentError(f"agent {name}: its method must be {wanted}, not {method}({parameters})")


# What agents declare


def is_slow(agent: Any) -> bool:
    """Return whether this agent, or its factory, declares that it is slow."""
    return bool(getattr(agent, "is_slow", False))


def sees_hidden(agent: Any) -> bool:
    """Return whether this agent, or its factory, declares that it must be shown the hidden cards."""
    return bool(getattr(agent, "sees_hidden", False))


def is_human(agent: Any) -> bool:
    """Return whether this agent, or its factory, declares that it asks a person."""
    return bool(getattr(agent, "is_human", False))


def decides_alone(agent: Any) -> bool:
    """Return whether the agent decides by itself, from its observation alone."""
    return not (sees_hidden(agent) or is_human(agent))


def compiled_player_of(agent: Any) -> CompiledPlayer | None:
    """Return the compiled player of this agent or class of agents; None if they must be asked.

    The result is also None where a subclass overrides `act` without declaring the player again.
    """
    kind = agent if isinstance(agent, type) else type(agent)
    for parent in kind.__mro__:
        if "compiled_player" in vars(parent) or "act" in vars(parent):
            player: CompiledPlayer | None = vars(parent).get("compiled_player")
            return player
    return None


def names_class(text: str) -> bool:
    """Return whether an agent's text names a class anywhere, so that its module or file would be run."""
    return re.search(r":[A-Za-z_]\w*(?![\w=])", text) is not None


@dataclass(frozen=True)
class AgentPoint:
    """A name for an agent, and where the factory is that makes it."""

    name: str
    value: str  # `module:factory`
    package: str = ""  # that declares it, with its version

    @property
    def place(self) -> str:
        """The module or file."""
        return self.value.rpartition(":")[0]

    @property
    def module(self) -> str:
        """The name under which its module is imported."""
        return Path(self.place).stem if self.place.endswith(".py") else self.place

    def load(self) -> Any:
        """Return the factory."""
        return pkgutil.resolve_name(self.value)


class ClassPoint(AgentPoint):
    """Your class in a module or a file: its name is `module:Class` or `file.py:Class`."""

    def load(self) -> Any:
        """Return the class, from a module here or in the file's folder, which Python searches last; AgentError without
        one.
        """
        file = Path(self.place).expanduser().resolve() if self.place.endswith(".py") else None
        if file is not None and not file.is_file():
            raise AgentError(f"agent {self.name}: there is no file {self.place}")
        folder = str(Path.cwd() if file is None else file.parent)
        if folder not in sys.path:
            sys.path.append(folder)
        try:
            module = import_module(self.module)
        except ModuleNotFoundError as error:
            if error.name != self.module:
                raise
            neither = f"there is neither an agent nor a module called {self.module}"
            raise AgentError(f"agent {self.name}: {neither}; the command `agents` lists all agents") from None
        if file is not None and Path(str(module.__file__)).resolve() != file:
            raise AgentError(f"agent {self.name}: another module is called {self.module}; rename the file")
        kind = self.value.rpartition(":")[2]
        if not hasattr(module, kind):
            meant = did_you_mean(kind, [name for name, value in vars(module).items() if callable(value)])
            raise AgentError(f"agent {self.name}: there is no {kind} in {self.place}{meant}")
        return getattr(module, kind)


class AgentRegistry:
    """The agents of one game: its own, those of every game, those that other packages declare in a group of entry
    points, and any class of a module or file.

    Each has a factory, which is called with the rules and the parameters of the text.
    """

    def __init__(self, card_game: CardGame) -> None:
        self._card_game = card_game
        self.group = f"{card_game.name}_env.agents"

    @cached_property
    def points(self) -> dict[str, AgentPoint]:
        """All installed agents, by name."""
        package, own = package_of(self._card_game), plugged_in(self._card_game.agents) or {}
        points = {point.name: (point.value, point.dist) for point in entry_points(group=self.group)}
        points |= {name: (value, package) for name, value in (OF_EVERY_GAME | own).items()}
        return {
            name: AgentPoint(name, value, f"{package.name} {package.version}" if package is not None else "")
            for name, (value, package) in points.items()
        }

    def names(self) -> tuple[str, ...]:
        """Return the names of all agents that are installed."""
        return tuple(sorted(self.points))

    def is_agent(self, text: str) -> bool:
        """Return whether a text names an installed agent, or a class where there may be one."""
        return text.partition(":")[0] in self.points or CLASS.fullmatch(text) is not None

    def make(self, text: str, rules: Any = "") -> Agent:
        """Return the agent that a text describes, `name` or `name:parameter=value,...`; AgentError lists the known
        ones.

        >>> from skyjo_env import make_agent
        >>> make_agent("random").__class__.__name__
        'RandomAgent'
        """
        rules = self._card_game.rules_type.check(rules)
        factory, point = self.factory(text), self.point(text)
        name, rest = point.name, text[len(point.name) + 1 :]
        parameters = _read_parameters(name, _parameters(name, factory), rest)
        try:
            agent = factory(rules, **parameters)
        except TableError:
            raise
        except FAILURES as error:
            raise AgentError(f"agent {name} cannot be created: {failure_words(error, point.module)}") from error
        if not isinstance(agent, Agent):
            place = "" if name == point.value else f" of {point.value}"
            raise AgentError(f"agent {name}{place} has no method act")
        check_act(agent, name)
        return agent

    def describe(self, name: str) -> tuple[str, dict[str, Any]]:
        """Return the first paragraph of an agent's documentation, and its parameters with their defaults.

        A parameter that must be given has the default `inspect.Parameter.empty`. AgentError if the agent cannot be
        loaded.
        """
        factory = self.factory(name)
        paragraph = (getdoc(factory) or "").partition("\n\n")[0]
        return " ".join(paragraph.split()), {key: option.default for key, option in _parameters(name, factory).items()}

    def origin(self, text: str) -> str:
        """Return the object that makes the agent of this text, with package and version. Loads nothing."""
        point = self.point(text)
        return f"{point.value}, {point.package}" if point.package else point.value

    def factory(self, text: str) -> Any:
        """Return the factory of the agent that a text describes; AgentError if it cannot be loaded.

        The factory carries the agent's declarations.
        """
        point = self.point(text)
        try:
            return point.load()
        except AgentError:
            raise
        except FAILURES as error:
            reason = failure_words(error, point.module)
            raise AgentError(f"agent {point.name} cannot be loaded from {point.value}: {reason}") from error

    def point(self, text: str) -> AgentPoint:
        """Return the place of the agent that a text describes; AgentError lists the known names."""
        if not isinstance(text, str):
            raise AgentError(f"an agent is named by text, not by {type(text).__name__}")
        name = text.partition(":")[0]
        if name in self.points:
            return self.points[name]
        match = CLASS.fullmatch(text)
        if match is None:
            installed = ", ".join(self.names()) or "none"
            raise AgentError(f"unknown agent {brief(name)}; installed: {installed}{did_you_mean(name, self.names())}")
        return ClassPoint(match[1], match[1])


@cache
def agents_of(card_game: CardGame) -> AgentRegistry:
    """Return the agents of a game, read once."""
    return AgentRegistry(card_game)


def failure_words(error: BaseException, module: str = "") -> str:
    """Return the error of an agent's code on one line, with the last line of the module's package that was reached."""
    try:
        words = " ".join(str(error).split())[:MAX_LETTERS]
    except Exception:  # it cannot even say what is wrong
        words = ""
    if isinstance(error, AgentError):
        return words
    words, package = f"{type(error).__name__}: {words}", module.partition(".")[0]
    frames = walk_tb(error.__traceback__)
    own = [(frame, line) for frame, line in frames if frame.f_globals.get("__name__", "").partition(".")[0] == package]
    if not own or isinstance(error, SyntaxError):  # which names its place itself
        return words
    frame, line = own[-1]
    return f"{words} ({Path(frame.f_code.co_filename).name}, line {line})"


def _parameters(name: str, factory: Any) -> dict[str, Parameter]:
    """Return the parameters of a factory, without the rules; AgentError if it does not take the rules first."""
    try:
        takes = list(signature(factory).parameters.values())
    except (TypeError, ValueError):
        takes = []
    if len(takes) == 0 or takes[0].kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD):
        raise AgentError(f"agent {name}: its factory must take the rules as its first argument")
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return {parameter.name: parameter for parameter in takes[1:] if parameter.kind in named}


def _read_parameters(name: str, declared: dict[str, Parameter], text: str) -> dict[str, Any]:
    """`key=value,...` as the factory takes it: each value becomes the kind of number that the parameter's annotation
    names, or else the type of its default.

    A value that has commas itself, such as another agent's name, stands in brackets.
    """
    parameters: dict[str, Any] = {}
    for part in _parts(text):
        key, equals, value = part.partition("=")
        if not equals or key not in declared or key in parameters:
            meant = did_you_mean(key, declared) if key not in declared else ""
            raise AgentError(f"agent {name} cannot read {brief(part)}; its parameters: {_legend(declared)}{meant}")
        if value.startswith("(") and value.endswith(")"):
            value = value[1:-1]
        parameters[key] = _read_value(name, key, value, declared[key])
    missing = [key for key, option in declared.items() if option.default is Parameter.empty and key not in parameters]
    if missing:
        raise AgentError(f"agent {name} needs {', '.join(missing)}")
    return parameters


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a text between the commas that are outside brackets."""
    start = depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            yield text[start:at]
            start = at + 1
    if text:
        yield text[start:]


def _legend(parameters: dict[str, Parameter]) -> str:
    """Return all parameters with their defaults."""
    named = (
        key if option.default is Parameter.empty else f"{key}={option.default}" for key, option in parameters.items()
    )
    return ", ".join(named) or "none"


def _kind_of(annotation: Any) -> Any:
    """Return the kind of number that an annotation names, also as text or with None; None if it names no or several
    kinds.
    """
    if isinstance(annotation, str):
        named = [KINDS[part] for part in annotation.replace(" ", "").split("|") if part in KINDS]
    else:
        named = [kind for kind in KINDS.values() if kind in (annotation, *get_args(annotation))]
    return named[0] if len(named) == 1 else None


def _read_value(name: str, key: str, text: str, parameter: Parameter) -> Any:
    kind = _kind_of(parameter.annotation) or type(parameter.default)
    try:
        if kind is bool:
            return {"true": True, "false": False}[text.lower()]
        return read_number(kind, text) if kind in (int, float) else text
    except (KeyError, ValueError):
        wanted = "true or false" if kind is bool else "a whole number" if kind is int else "a number"
        raise AgentError(f"agent {name}: {key}={brief(text)} must be {wanted}") from None
