"""Data on a game's tables for pages without a server, as JSON: names, phrases, and everything else that Python decides.

A page reads it where the server would ask Python; no rule is in it.
"""

import base64
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from cardtable.arena.exam.analysis import MARK_NAMES
from cardtable.table.agents.agents import agents_of
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.records import RecordFormat
from skyjo.analysis.analysed_game import PHRASES
from skyjo.interfaces import GameInterface, loaded
from skyjo.table.described_game import RESULTS
from skyjo.table.seating import allowed_agents
from skyjo.web.building.descriptions import known_rules, policy_of, rule_values, rules_document
from skyjo.web.building.search_entries import ALL, effort_of


def table_data(interface: GameInterface) -> dict[str, Any]:
    """Return all data of one game's tables."""
    card_game = find_game(interface.game)
    ranges: Any = card_game.official.ranges
    known = [rules for _, tables in known_rules(card_game, interface) for rules in tables]
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
        "unable": {rules.to_text(): unable_agents(card_game, rules) for rules in known},
        "ruleNames": [field.name for field in fields(card_game.rules_type)],
        "fields": dict(single_fields(card_game)),
        "judging": judging(card_game, interface),
        "meanings": {part.name: part.meaning for part in card_game.spec_of(card_game.official).slices},
        "luckWeights": card_game.luck.weights.tolist(),
        "lessons": [*lessons(interface)],
    }


def judging(card_game: CardGame, interface: GameInterface) -> dict[str, Any] | None:
    """Return the judge of decisions, its marks and its effort (skyjo/web/engine); None if no decision can be judged."""
    if not interface.judges:
        return None
    agent: Any = agents_of(card_game).make(interface.judges[0], card_game.official)
    analyst = loaded(interface.analyst)(agent)
    is_search = isinstance(agent, RolloutSearch)
    return {
        "agent": interface.judges[0].partition(":")[0],
        "effort": effort_of(agent, ALL) if is_search else [0],
        "checks": is_search,  # at once
        "guesses": analyst.guesses,
        "mostGuesses": analyst.max_guesses,
        "measuresLuck": analyst.measures_luck,
        "marks": analyst.marks._asdict(),
        "spread": {**analyst.spread._asdict(), "left": analyst.left},
        "names": MARK_NAMES,
        "levels": [*interface.levels.items()],
        "phrases": PHRASES,
    }


def unable_agents(card_game: CardGame, rules: Any) -> dict[str, str]:
    """Return what keeps agents from playing by these rules, by their names, such as "at a table of 3"."""
    found, usual = {}, card_game.rules("", rules.players)
    for name in allowed_agents(agents_of(card_game)):
        if not _can_play(card_game, name, usual):
            found[name] = f"at a table of {rules.players}"
        elif not _can_play(card_game, name, rules):
            found[name] = "by these rules"
    return found


@cache
def _can_play(card_game: CardGame, name: str, rules: Any) -> bool:
    try:
        agents_of(card_game).make(name, rules)
    except TableError:
        return False
    return True


def single_fields(card_game: CardGame) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the rules that change only their number in the kernel's record, in their order, with the usual value and
    all others that they may have.
    """
    official: Any = card_game.official
    for field in fields(official):
        values = rule_values(official, field)
        others = [each for each in values.get("choices", values.get("range", ())) if each != values["usual"]]
        changes = [f"{field.name}={value}" for value in others]
        if changes and all(_stands_alone(card_game, field.name, change) for change in changes):
            policies = {policy_of(rules) for rules in (official, *map(card_game.rules, changes))}
            yield field.name, {**values, "keepsPolicy": len(policies) == 1}


def _stands_alone(card_game: CardGame, name: str, change: str) -> bool:
    """Return whether this change of a rule changes only its own number."""
    try:
        usual, changed = (rules_document(card_game, card_game.rules(text)) for text in ("", change))
    except TableError:
        return False
    different = {each for each, number in usual["record"].items() if changed["record"][each] != number}
    return different == {name} and all(usual[part] == changed[part] for part in ("actions", "observation"))


def lessons(interface: GameInterface) -> Iterator[dict[str, Any]]:
    """Yield the positions at which lessons begin, as records, with their rules, and when they are learned."""
    card_game = find_game(interface.game)
    for lesson in interface.learning.LESSONS:
        game = RecordFormat(card_game).read_game(lesson.position)
        rules = {**rules_document(card_game, game.rules), "base": card_game.rules("", game.rules.players).to_text()}
        state = base64.b64encode(game.state.tobytes()).decode()
        rival = interface.opponents[0]
        yield {"state": state, "rules": rules, "way": lesson.way, "rival": rival}
