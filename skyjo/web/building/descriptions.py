"""Description of a module for JavaScript, as JSON: places of the fields of records, agents, and rules as records."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import Field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import RandomAgent, agents_of
from cardtable.table.agents.policies.model_card import chosen
from cardtable.table.agents.scripted_agent import ScriptedAgent
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.events import Field as EventField
from cardtable.table.game.events import fields_of
from cardtable.table.kernel.events import LOG_SIZE
from cardtable.table.kernel.game_kernel import EPISODES, MAX_KINDS
from skyjo.interfaces import GameInterface, Preset, find_interface
from skyjo.web.building.entries import Network
from skyjo.web.building.modules import Module

SEATS = range(2, 9)


def describe(module: Module) -> dict[str, Any]:
    """Return all that the engine must know of a game's module."""
    card_game, interface = module.card_game, find_interface(module.card_game.name)
    events: list[Any] = card_game.event_type.__subclasses__()
    return {
        "game": card_game.name,
        "title": card_game.title,
        "phases": card_game.phases,
        "over": card_game.over,
        "episodes": EPISODES,
        "mostPointsWin": not card_game.lower_is_better,
        "mostKinds": MAX_KINDS,
        "luckTerms": card_game.luck.terms,
        "logSize": LOG_SIZE,
        "events": [[each.__name__, *map(event_field, fields_of(each))] for each in events],
        "records": {name: record(dtype) for name, dtype in module.records.items() if name != "before"},
        "agents": {**dict(scripts(card_game, interface)), **module.agents},
        "networks": {each.name: network(each) for each in module.networks()},
        "presets": [
            {"name": preset.name, "rules": {rules.players: rules_document(card_game, rules) for rules in tables}}
            for preset, tables in known_rules(card_game, interface)
        ],
    }


def event_field(field: EventField) -> tuple[Any, ...]:
    """Return the description by which the engine reads a field of an event from a log."""
    return field.name, field.depth, field.words, field.is_optional


def network(network: Network) -> dict[str, Any]:
    """Return the size of a network, and the places of its blocks."""
    return {"size": network.size, "kinds": network.kinds, "layout": network.layout.tolist()}


def record(dtype: np.dtype[Any]) -> dict[str, Any]:
    """Return a record's size, and for each field the type of its numbers, where it begins, and its shape."""
    fields = {}
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        item, shape = kind.subdtype or (kind, ())
        fields[name] = [item.str[1:], offset, *shape]
    return {"size": dtype.itemsize, "fields": fields}


def scripts(card_game: CardGame, interface: GameInterface) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the scripted agents: all with their defaults, and those that people meet, by their texts."""
    for text in dict.fromkeys(
        (*agents_of(card_game).names(), *(rival.agent for rival in interface.rivals), card_game.reference_agent)
    ):
        factory = agents_of(card_game).factory(text)
        if isinstance(factory, type) and issubclass(factory, ScriptedAgent) and factory.is_base:
            player = agents_of(card_game).make(text, card_game.official).player  # type: ignore[attr-defined]
            yield text, {"calls": "choose", "script": int(player["script"][0]), "numbers": _short(player["numbers"][0])}
        elif factory is RandomAgent:
            yield text, {"calls": "choose_any"}


def known_rules(card_game: CardGame, interface: GameInterface) -> Iterator[tuple[Preset, list[Any]]]:
    """Yield the presets, each with its rules for every number of players that can play by them."""
    for preset in interface.presets:
        tables = []
        for players in SEATS:
            with suppress(TableError):
                tables.append(card_game.rules(preset.rules, players))
        yield preset, tables


def rules_document(card_game: CardGame, rules: Any) -> dict[str, Any]:
    """Return rules as the engine takes them: the fields of their record, their text, observations and actions."""
    spec = card_game.spec_of(rules)
    return {
        "text": rules.to_text(),
        "policy": policy_of(rules),
        "record": {name: _short(rules.params[name][0]) for name in rules.params.dtype.names},
        "actions": card_game.action_names(rules),
        "observation": {"size": spec.size, "slices": [[part.name, part.start, *part.shape] for part in spec.slices]},
    }


def rule_values(rules: Any, rule: Field[Any]) -> dict[str, Any]:
    """Return the value of a rule, as "usual", and all that it can have as a list or a range; neither for a deck."""
    usual = getattr(rules, rule.name)
    if isinstance(usual, bool):
        return {"usual": str(usual).lower(), "choices": ["false", "true"]}
    if rule.name in rules.options:
        return {"usual": usual, "choices": rules.options[rule.name]}
    return {"usual": usual, "range": rules.ranges[rule.name]} if rule.name in rules.ranges else {"usual": ""}


def policy_of(rules: Any) -> str | None:
    """Return the policy of the package that plays by these rules."""
    try:
        return chosen(rules, "", "").stem
    except AgentError:
        return None


def _short(value: NDArray[Any]) -> Any:
    """Return a field as a number or a list, which ends before its last zeros."""
    return np.trim_zeros(value, "b").tolist() if np.ndim(value) == 1 else value.tolist()
