"""What pages without a server must know of a game's tables, as JSON: names, phrases, and what else Python decides.

A page reads it where the server would ask Python; no rule is in it.
"""

import base64
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from cardtable.arena.exam.analysis import GUESSES, MARK_NAMES, MAX_GUESSES
from cardtable.table.agents.agents import agents_of
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.records import RecordFormat
from skyjo.analysis.analysed_game import PHRASES
from skyjo.interfaces import GameInterface, loaded
from skyjo.table.described_game import RESULTS
from skyjo.table.seating import allowed_agents
from skyjo.web.building.descriptions import SEATS, rules_document
from skyjo.web.building.search_entries import ALL, effort_of
from skyjo.web.building.unable_agents import UnableAgents


def table_data(interface: GameInterface) -> dict[str, Any]:
    """All of it, of one game."""
    card_game = find_game(interface.game)
    ranges: Any = card_game.official.ranges
    known = dict(known_rules(card_game, interface))
    unable = UnableAgents(card_game)
    return {
        "game": interface.game,
        "title": interface.title,
        "players": ranges["players"],
        "firstPhases": interface.first_phases,
        "hasPrivateHands": interface.has_private_hands,
        "agents": allowed_agents(agents_of(card_game)),
        "advisers": interface.advisers,
        "phrases": {name: getattr(interface.phrases, name) for name in ("events", "reasons", "names", "untold")},
        "constants": interface.documents.constants,
        "results": RESULTS,
        "actions": {text: card_game.action_names(rules) for text, rules in known.items()},
        "unable": {text: unable.of(rules.players, text) for text, rules in known.items()},
        "ruleNames": [field.name for field in fields(card_game.rules_type)],
        "fields": dict(single_fields(card_game)),
        "judging": judging(card_game, interface),
        "meanings": {part.name: part.meaning for part in card_game.spec_of(card_game.official).slices},
        "luckWeights": card_game.luck.weights.tolist(),
        "lessons": [*lessons(interface)],
    }


def judging(card_game: CardGame, interface: GameInterface) -> dict[str, Any] | None:
    """By what decisions are judged, and how hard the judge tries (skyjo/web/engine), if they can be."""
    if not interface.judges:
        return None
    agent: Any = agents_of(card_game).make(interface.judges[0], card_game.official)
    analyst = loaded(interface.analyst)(agent)
    is_search = isinstance(agent, RolloutSearch)
    return {
        "agent": interface.judges[0].partition(":")[0],
        "effort": effort_of(agent, ALL) if is_search else [0],
        "checks": is_search,  # at once
        "guesses": GUESSES,
        "mostGuesses": MAX_GUESSES,
        "measuresLuck": analyst.measures_luck,
        "marks": analyst.marks._asdict(),
        "spread": {**analyst.spread._asdict(), "left": analyst.left},
        "names": MARK_NAMES,
        "levels": [*interface.levels.items()],
        "phrases": PHRASES,
    }


def known_rules(card_game: CardGame, interface: GameInterface) -> Iterator[tuple[str, Any]]:
    """The rules of all presets for all numbers of players, by their texts."""
    for preset in interface.presets:
        for players in SEATS:
            try:
                rules = card_game.rules(preset.rules, players)
            except TableError:
                continue
            yield rules.to_text(), rules


def single_fields(card_game: CardGame) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rules that change nothing but a number of their own in the kernel's record, in their order: with the usual
    value, and all others that they may have.
    """
    rules: Any = card_game.official
    for field in fields(rules):
        usual = getattr(rules, field.name)
        if isinstance(usual, bool):
            values: dict[str, Any] = {"choices": ["false", "true"]}
            others = [not usual]
        elif field.name in rules.options:
            values = {"choices": rules.options[field.name]}
            others = [value for value in values["choices"] if value != usual]
        elif field.name in rules.ranges:
            values = {"range": rules.ranges[field.name]}
            others = [value for value in values["range"] if value != usual]
        else:
            continue
        if all(_stands_alone(card_game, field.name, value) for value in others):
            policies = {policy_of(rules.replace(**{field.name: value})) for value in (usual, *others)}
            yield field.name, {"usual": str(usual).lower(), **values, "keepsPolicy": len(policies) == 1}


def _stands_alone(card_game: CardGame, name: str, value: Any) -> bool:
    """Does this value of a rule change nothing but its own number?"""
    usual: Any = card_game.official
    try:
        changed = usual.replace(**{name: value})
    except TableError:
        return False
    different = {each for each in usual.params.dtype.names if (usual.params[each] != changed.params[each]).any()}
    is_named_alike = card_game.action_names(usual) == card_game.action_names(changed)
    return different == {name} and is_named_alike and _slices(card_game, usual) == _slices(card_game, changed)


def policy_of(rules: Any) -> str | None:
    """The policy that plays by these rules, if one does."""
    return rules_document(find_game(rules.game), rules)["policy"]  # type: ignore[no-any-return]


def _slices(card_game: CardGame, rules: Any) -> list[Any]:
    return [(part.name, part.start, part.shape) for part in card_game.spec_of(rules).slices]


def lessons(interface: GameInterface) -> Iterator[dict[str, Any]]:
    """The positions at which lessons begin, as records, with their rules, and when they are learned."""
    card_game = find_game(interface.game)
    for lesson in interface.learning.LESSONS:
        game = RecordFormat(card_game).read_game(lesson.position)
        rules = {**rules_document(card_game, game.rules), "base": card_game.rules("", game.rules.players).to_text()}
        state = base64.b64encode(game.state.tobytes()).decode()
        rival = interface.opponents[0]
        yield {"state": state, "rules": rules, "way": lesson.way, "rival": rival}
