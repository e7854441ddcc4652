"""Agents by name: whoever is installed can be invited to a table as text, `name` or `name:parameter=value`.

An agent is any object with `act(observations[N, D], masks[N, A], chances[N]) -> actions[N]`. It decides at N tables at
once and sees nothing but the observations. `chances` holds one generator state for every table (10.1 of RULES.md); an
agent that plays at random takes its numbers from there, by `uniform(chances)`, so that what it does at one table never
depends on the other tables. The arrays are only lent: they are overwritten after the call. One that thinks long over a
decision says so by `is_slow = True`: the arena then asks it at fewer tables at once, and plays fewer deals if told to.
"""

import re
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, getdoc, signature
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import as_array, brief
from cardtable.errors import AgentError, TableError
from skyjo_env.kernel.batch import random_actions, random_fractions
from skyjo_env.rules import OFFICIAL, Rules, check_rules

GROUP = "skyjo_env.agents"  # the group of entry points: a name, and a factory called with the rules and parameters


@runtime_checkable
class Agent(Protocol):
    """Whoever decides."""

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.integer[Any]]:
        """One legal action for every table."""
        ...


class RandomAgent:
    """Plays any legal action, each equally likely."""

    def __init__(self, rules: Rules) -> None:
        self.rules = check_rules(rules)

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """A random legal action for every table."""
        actions = np.empty(len(observations), np.int64)
        random_actions(masks, _states(chances), actions)
        return actions


def uniform(chances: NDArray[np.uint64]) -> NDArray[np.float64]:
    """A random number from 0 up to but without 1 for every table; moves their generators on.

    >>> import numpy as np
    >>> chances = np.array([1, 2], np.uint64)
    >>> uniform(chances).round(3).tolist(), uniform(chances).round(3).tolist()
    ([0.567, 0.591], [0.746, 0.749])
    """
    fractions = np.empty(len(_states(chances)))
    random_fractions(chances, fractions)
    return fractions


def _states(chances: Any) -> Any:
    """Generator states must be written back to, so nothing is converted."""
    if chances.__class__ is not np.ndarray or chances.dtype != np.uint64 or chances.ndim != 1:
        raise AgentError("chances must be an array of generator states, uint64[N], one for each table")
    return chances


def agent_names() -> tuple[str, ...]:
    """The names of all agents that are installed."""
    return tuple(sorted(_factories()))


def make_agent(text: str, rules: Rules = OFFICIAL) -> Agent:
    """The agent that a text describes, `name` or `name:parameter=value,...`; AgentError says what is known.

    >>> make_agent("random").__class__.__name__
    'RandomAgent'
    """
    check_rules(rules)
    if not isinstance(text, str):
        raise AgentError(f"an agent is named by text, not by {type(text).__name__}")
    name, _, rest = text.partition(":")
    factory = _factory(name)
    parameters = _read_parameters(name, _parameters(name, factory), rest)
    try:
        agent = factory(rules, **parameters)
    except TableError:
        raise
    except Exception as error:
        raise AgentError(f"agent {name} cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(agent, Agent):
        raise AgentError(f"agent {name} of {_factories()[name].value} has no method act")
    return agent


def describe_agent(name: str) -> tuple[str, dict[str, Any]]:
    """The first paragraph of an agent's documentation, and its parameters with their defaults.

    A parameter that must be given has the default `inspect.Parameter.empty`. AgentError if the agent cannot be loaded.

    >>> describe_agent("random")
    ('Plays any legal action, each equally likely.', {})
    """
    factory = _factory(name)
    paragraph = (getdoc(factory) or "").partition("\n\n")[0]
    return " ".join(paragraph.split()), {key: given.default for key, given in _parameters(name, factory).items()}


def agent_origin(name: str) -> str:
    """What makes the agent of this name, and which version of which package it comes with."""
    _factory(name)
    point = _factories()[name]
    package = f", {point.dist.name} {point.dist.version}" if point.dist is not None else ""
    return f"{point.value}{package}"


def choose(agent: Agent, name: str, observations: Any, masks: Any, chances: Any) -> NDArray[np.int64]:
    """What an agent decides; anything but one whole number for every table is an AgentError that names it."""
    actions = agent.act(observations, masks, chances)
    if actions.__class__ is np.ndarray and actions.dtype == np.int64 and actions.shape == chances.shape:
        return np.ascontiguousarray(actions)
    array = as_array(actions)
    if array.dtype.kind not in "iu" or array.shape != chances.shape:
        raise AgentError(
            f"agent {name} must return {len(chances)} whole numbers, "
            f"not an array of shape {array.shape} and type {array.dtype}"
        )
    return np.ascontiguousarray(array, np.int64)


def _factory(name: str) -> Any:
    """What makes the agent of this name."""
    factories = _factories()
    if name not in factories:
        known = ", ".join(sorted(factories)) or "none; is skyjo-env installed?"
        raise AgentError(f"no agent is called {brief(name)}; installed: {known}")
    try:
        return factories[name].load()
    except (AttributeError, ImportError) as error:
        raise AgentError(f"agent {name} cannot be loaded from {factories[name].value}: {error}") from error


@cache
def _factories() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _parameters(name: str, factory: Any) -> dict[str, Parameter]:
    """What a factory takes beside the rules."""
    try:
        takes = list(signature(factory).parameters.values())
    except (TypeError, ValueError):
        takes = []
    if len(takes) == 0 or takes[0].kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD):
        raise AgentError(f"agent {name}: its factory must take the rules as its first argument")
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return {parameter.name: parameter for parameter in takes[1:] if parameter.kind in named}


def _read_parameters(name: str, known: dict[str, Parameter], text: str) -> dict[str, Any]:
    """`key=value,...` as the factory takes it: each value becomes the type of the parameter's default.

    A value that has commas itself, such as another agent's name, stands in brackets.
    """
    parameters: dict[str, Any] = {}
    for part in re.split(r",(?![^(]*\))", text) if text else []:
        key, equals, value = part.partition("=")
        if not equals or key not in known or key in parameters:
            raise AgentError(f"agent {name} cannot read {brief(part)}; its parameters: {_legend(known)}")
        if value.startswith("(") and value.endswith(")"):
            value = value[1:-1]
        parameters[key] = _read_value(name, key, value, known[key])
    missing = [key for key, given in known.items() if given.default is Parameter.empty and key not in parameters]
    if missing:
        raise AgentError(f"agent {name} needs {', '.join(missing)}")
    return parameters


def _legend(known: dict[str, Parameter]) -> str:
    """All parameters with their defaults."""
    named = (key if given.default is Parameter.empty else f"{key}={given.default}" for key, given in known.items())
    return ", ".join(named) or "none"


def _read_value(name: str, key: str, text: str, parameter: Parameter) -> Any:
    kind = parameter.annotation if parameter.default is Parameter.empty else type(parameter.default)
    kind = {"int": int, "float": float, "bool": bool}.get(kind, kind) if isinstance(kind, str) else kind
    try:
        if kind is bool:
            return {"true": True, "false": False}[text.lower()]
        return kind(text) if kind in (int, float) else text
    except (KeyError, ValueError):
        wanted = "true or false" if kind is bool else f"a number ({kind.__name__})"
        raise AgentError(f"agent {name}: {key}={brief(text)} must be {wanted}") from None
