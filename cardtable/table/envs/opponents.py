"""The opponents: from the option to agents, their names and their places at the table."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent, AgentRegistry, RandomAgent, is_human, sees_hidden
from cardtable.table.agents.scripted_agent import ScriptedAgent, is_base
from cardtable.table.agents.seated_agents import AgentLike, agent_of, name_of
from cardtable.table.checks import brief
from cardtable.table.errors import AgentError
from cardtable.table.kernel.game_kernel import NOBODY
from cardtable.table.kernel.seats import ASKED, OPPONENT_DTYPE, RANDOM

Opponents = AgentLike | Iterable[AgentLike]


def seat_opponents(
    registry: AgentRegistry, rules: Any, opponents: Opponents, encoding: str = "compact"
) -> tuple[tuple[Agent, ...], tuple[str, ...], list[int]]:
    """The agents, their names, and which of them sits at each place clockwise from the learner.

    One opponent, which needs no list, takes all seats but the learner's; otherwise there must be one for each.
    Functions are shown observations in this encoding.
    """
    chosen = _listed(opponents)
    others = rules.players - 1
    if len(chosen) not in (1, others):
        known = "1" if others == 1 else f"1 or {others}"
        raise AgentError(f"opponents: {len(chosen)} given, but there must be {known} (players={rules.players})")
    distinct = list(dict.fromkeys(map(_key, chosen)))
    agents = [next(one for one in chosen if _key(one) == key) for key in distinct]
    seated = [distinct.index(_key(one)) for one in (chosen * others if len(chosen) == 1 else chosen)]
    made = (agent_of(one, registry, rules, "opponent", encoding) for one in agents)
    return tuple(made), tuple(map(name_of, agents)), [NOBODY, *seated]


def compiled_players(agents: Sequence[Agent], rules: Any) -> tuple[type[ScriptedAgent] | None, NDArray[np.void]]:
    """The opponents' records, and the class of those that have scripts. If compiled code cannot play every one of them,
    Python is to ask them all.
    """
    scripts = {place: one for place, one in enumerate(agents) if is_base(one) and one.rules == rules}
    kinds = {one.compiled_player: type(one) for one in scripts.values()}
    others = [one for place, one in enumerate(agents) if place not in scripts]
    if len(kinds) > 1 or any(type(one) is not RandomAgent for one in others):
        asked = np.zeros(len(agents), OPPONENT_DTYPE)
        asked["script"] = ASKED
        return None, asked
    kind = next(iter(kinds.values()), None)
    players = np.zeros(len(agents), OPPONENT_DTYPE if kind is None else kind.compiled_player.player_type)
    players["script"] = RANDOM
    for place, one in scripts.items():
        players[place] = one.player[0]
    return kind, players


def check_programs(agents: Iterable[Agent], names: Iterable[str]) -> None:
    """AgentError if one of them must see the hidden cards, or asks a person."""
    for agent, name in zip(agents, names, strict=True):
        if sees_hidden(agent):
            raise AgentError(f"opponent {name} must be shown the hidden cards, and environments show them to nobody")
        if is_human(agent):
            raise AgentError(f"opponent {name} asks a person, and environments seat only programs")


def _listed(opponents: Any) -> list[Any]:
    if isinstance(opponents, str | type | Agent) or callable(opponents):
        return [opponents]
    if not isinstance(opponents, Iterable):
        raise AgentError(
            f"opponents={brief(opponents)} must be the name of an agent, an object with a method act, a function, "
            "or several"
        )
    return list(opponents)


def _key(opponent: Any) -> Any:
    """Opponents of the same name, or the same object, are one agent, called once for all its seats."""
    return opponent if isinstance(opponent, str) else id(opponent)
