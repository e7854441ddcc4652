"""The opponents: from the option to agents, their names and their places at the table."""

from collections.abc import Iterable
from typing import Any

from cardtable.agents import Agent, AgentRegistry, check_act, check_no_class, is_human, sees_hidden
from cardtable.checks import brief
from cardtable.errors import AgentError
from cardtable.kernel.game_kernel import NOBODY

Opponents = str | Agent | Iterable[str | Agent]


def seat_opponents(
    registry: AgentRegistry, rules: Any, opponents: Opponents
) -> tuple[tuple[Agent, ...], tuple[str, ...], list[int]]:
    """The agents, their names, and which of them sits at each place clockwise from the learner.

    One opponent, which needs no list, takes all seats but the learner's; otherwise there must be one for each.
    """
    chosen = _listed(opponents)
    others = rules.players - 1
    if len(chosen) not in (1, others):
        known = "1" if others == 1 else f"1 or {others}"
        raise AgentError(f"opponents: {len(chosen)} given, but there must be {known} (players={rules.players})")
    distinct = list(dict.fromkeys(map(_key, chosen)))
    agents = [next(one for one in chosen if _key(one) == key) for key in distinct]
    seated = [distinct.index(_key(one)) for one in (chosen * others if len(chosen) == 1 else chosen)]
    return tuple(_agent(registry, rules, one) for one in agents), tuple(map(_name, agents)), [NOBODY, *seated]


def check_programs(agents: Iterable[Agent], names: Iterable[str]) -> None:
    """AgentError if one of them must see the hidden cards, or asks a person."""
    for agent, name in zip(agents, names, strict=True):
        if sees_hidden(agent):
            raise AgentError(f"opponent {name} must be shown the hidden cards, and environments show them to nobody")
        if is_human(agent):
            raise AgentError(f"opponent {name} asks a person, and environments seat only programs")


def _listed(opponents: Any) -> list[Any]:
    if isinstance(opponents, str | type | Agent):
        return [opponents]
    if not isinstance(opponents, Iterable):
        raise AgentError(
            f"opponents={brief(opponents)} must be the name of an agent, an object with a method act, or several"
        )
    return list(opponents)


def _key(opponent: Any) -> Any:
    """Opponents of the same name, or the same object, are one agent, called once for all its seats."""
    return opponent if isinstance(opponent, str) else id(opponent)


def _name(opponent: Any) -> str:
    return opponent if isinstance(opponent, str) else type(opponent).__name__


def _agent(registry: AgentRegistry, rules: Any, opponent: Any) -> Agent:
    """The agent; AgentError if it is none."""
    check_no_class(opponent, "opponent")
    if not isinstance(opponent, str | Agent):
        raise AgentError(f"opponent {brief(opponent)} is neither the name of an agent nor an object with a method act")
    if isinstance(opponent, str):
        return registry.make(opponent, rules)
    check_act(opponent, _name(opponent))
    return opponent
