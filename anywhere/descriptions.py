"""What JavaScript must know of a module, as JSON: where the fields of records lie, the agents, and rules as records."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from anywhere.entries import Network
from anywhere.modules import Module
from anywhere.rule_variants import SEATS, policy_of, rules_document, short, variants
from cardtable.agents import RandomAgent
from cardtable.card_game import CardGame
from cardtable.errors import TableError
from cardtable.kernel.game_kernel import EPISODES, MOST_KINDS
from cardtable.policies.policy_kind import kind_of
from cardtable.scripted_agent import ScriptedAgent
from skyjo.programs import Program, find_program


def describe(module: Module) -> dict[str, Any]:
    """All that the engine must know of a game's module."""
    kind, program = module.kind, find_program(module.kind.name)
    return {
        "game": kind.name,
        "title": kind.title,
        "phases": kind.phases,
        "over": kind.over,
        "episodes": EPISODES,
        "mostPointsWin": not kind.lower_is_better,
        "mostKinds": MOST_KINDS,
        "luckTerms": kind.luck.terms,
        "records": {name: record(dtype) for name, dtype in module.records.items() if name != "before"},
        "agents": {**dict(scripts(kind, program)), **module.agents},
        "networks": {each.name: network(each) for each in module.networks()},
        "presets": [preset_document(kind, preset.name, preset.rules) for preset in program.presets],
        "variants": variants(kind),
        "noMatterToPolicies": kind_of(kind.name).free,
    }


def network(network: Network) -> dict[str, Any]:
    """How large a network is, and where its blocks lie."""
    return {"size": network.size, "kinds": network.kinds, "layout": network.layout.tolist()}


def record(dtype: np.dtype[Any]) -> dict[str, Any]:
    """A record's size, and for each field the type of its numbers, where it begins, and its shape."""
    fields = {}
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        item, shape = kind.subdtype or (kind, ())
        fields[name] = [item.str[1:], offset, *shape]
    return {"size": dtype.itemsize, "fields": fields}


def scripts(kind: CardGame, program: Program) -> Iterator[tuple[str, dict[str, Any]]]:
    """The scripted agents: all with their defaults, and those that people meet, by their texts."""
    for text in dict.fromkeys((*kind.agent_names(), *(rival.agent for rival in program.rivals), kind.yardstick)):
        factory = kind.agents.factory(text)
        if isinstance(factory, type) and issubclass(factory, ScriptedAgent) and factory.is_base:
            player = kind.agents.make(text, kind.official).player  # type: ignore[attr-defined]
            yield text, {"calls": "choose", "script": int(player["script"][0]), "numbers": short(player["numbers"][0])}
        elif factory is RandomAgent:
            yield text, {"calls": "choose_any"}


def preset_document(kind: CardGame, name: str, text: str) -> dict[str, Any]:
    """Rules with a name, as text, and for each number of players that can play by them."""
    found = {}
    for players in SEATS:
        with suppress(TableError):
            rules = kind.rules(text, players)
            found[players] = {**rules_document(kind, rules), "policy": policy_of(rules)}
    return {"name": name, "text": text, "rules": found}
