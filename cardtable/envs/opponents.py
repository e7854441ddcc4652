"""The opponents: from the option to agents, their names and their places at the table."""

from collections.abc import Iterable
from typing import Any

from cardtable.agents import Agent, AgentRegistry, check_act
from cardtable.checks import brief
from cardtable.envs.compiled.seat_loop import NOBODY
from cardtable.errors import AgentError


def seat_opponents(
    registry: AgentRegistry, rules: Any, opponents: Iterable[str | Agent]
) -> tuple[tuple[Agent, ...], tuple[str, ...], list[int]]:
    """The agents, their names, and which of them sits at each place clockwise from the learner.

    One opponent, which may be a name without a list, takes all seats but the learner's; otherwise there must be one for
    each.
    """
    if not isinstance(opponents, Iterable):
        raise AgentError(
            f"opponents={brief(opponents)} must be a name, or a list of names or objects with a method act"
        )
    chosen = [opponents] if isinstance(opponents, str) else list(opponents)
    others = rules.players - 1
    if len(chosen) not in (1, others):
        known = "1" if others == 1 else f"1 or {others}"
        raise AgentError(f"opponents: {len(chosen)} given, but there must be {known} (players={rules.players})")
    distinct = list(dict.fromkeys(map(_key, chosen)))
    agents = [next(one for one in chosen if _key(one) == key) for key in distinct]
    seated = [distinct.index(_key(one)) for one in (chosen * others if len(chosen) == 1 else chosen)]
    return tuple(_agent(registry, rules, one) for one in agents), tuple(map(_name, agents)), [NOBODY, *seated]


def _key(opponent: Any) -> Any:
    """Opponents of the same name, or the same object, are one agent, called once for all its seats."""
    return opponent if isinstance(opponent, str) else id(opponent)


def _name(opponent: Any) -> str:
    return opponent if isinstance(opponent, str) else type(opponent).__name__


def _agent(registry: AgentRegistry, rules: Any, opponent: Any) -> Agent:
    if isinstance(opponent, str):
        return registry.make(opponent, rules)
    if not isinstance(opponent, Agent) or isinstance(opponent, type):
        raise AgentError(f"opponent {brief(opponent)} is neither the name of an agent nor an object with a method act")
    check_act(opponent, _name(opponent))
    return opponent
