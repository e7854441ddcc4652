"""What pages without a server must know of a game's tables, as JSON: names, phrases, and what else Python decides.

A page reads it where the server would ask Python; no rule is in it.
"""

import base64
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from anywhere.descriptions import SEATS, rules_document
from cardtable.arena.exam.analysis import GUESSES, MARK_NAMES, MOST_GUESSES
from cardtable.table.agents.agents import agents_of
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.records import RecordFormat
from skyjo.analysis.analysed_game import PHRASES
from skyjo.programs import Program, loaded
from skyjo.table.described_game import RESULTS
from skyjo.table.seating import allowed_agents
from skyjo.web.person_names import MEASURES
from skyjo.web.rivals import UnableAgents


def table_data(program: Program) -> dict[str, Any]:
    """All of it, of one game."""
    kind = find_game(program.game)
    ranges: Any = kind.official.ranges
    known = dict(known_rules(kind, program))
    unable = UnableAgents(kind)
    return {
        "game": program.game,
        "title": program.title,
        "players": ranges["players"],
        "firstPhases": program.first_phases,
        "hasPrivateHands": program.has_private_hands,
        "agents": allowed_agents(agents_of(kind)),
        "advisers": program.advisers,
        "phrases": program.terminal.phrases,
        "constants": program.documents.constants,
        "results": RESULTS,
        "actions": {text: kind.action_names(rules) for text, rules in known.items()},
        "unable": {text: unable.of(rules.players, text) for text, rules in known.items()},
        "ruleNames": [field.name for field in fields(kind.rules_type)],
        "fields": dict(single_fields(kind)),
        "judging": judging(kind, program),
        "luckWeights": kind.luck.weights.tolist(),
        "lessons": [*lessons(program)],
        "personNames": MEASURES,
    }


def judging(kind: CardGame, program: Program) -> dict[str, Any] | None:
    """By what decisions are judged, and how hard the judge tries (anywhere/engine.js), if they can be."""
    if not program.judges:
        return None
    agent: Any = agents_of(kind).make(program.judges[0], kind.official)
    analyst = loaded(program.analyst)(agent)
    is_search = isinstance(agent, RolloutSearch)
    return {
        "agent": program.judges[0].partition(":")[0],
        "effort": [agent.n, int(agent.turns), 1] if is_search else [0],
        "checks": is_search,  # at once
        "guesses": GUESSES,
        "mostGuesses": MOST_GUESSES,
        "measuresLuck": analyst.measures_luck,
        "marks": analyst.marks._asdict(),
        "spread": analyst.spread._asdict(),
        "names": MARK_NAMES,
        "levels": [*program.levels.items()],
        "phrases": PHRASES,
    }


def known_rules(kind: CardGame, program: Program) -> Iterator[tuple[str, Any]]:
    """The rules of all presets for all numbers of players, by their texts."""
    for preset in program.presets:
        for players in SEATS:
            try:
                rules = kind.rules(preset.rules, players)
            except TableError:
                continue
            yield rules.to_text(), rules


def single_fields(kind: CardGame) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rules that change nothing but a number of their own in the kernel's record, in their order: with the usual
    value, and all others that they may have.
    """
    rules: Any = kind.official
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
        if all(_stands_alone(kind, field.name, value) for value in others):
            policies = {policy_of(rules.replace(**{field.name: value})) for value in (usual, *others)}
            yield field.name, {"usual": str(usual).lower(), **values, "keepsPolicy": len(policies) == 1}


def _stands_alone(kind: CardGame, name: str, value: Any) -> bool:
    """Does this value of a rule change nothing but its own number?"""
    usual: Any = kind.official
    try:
        changed = usual.replace(**{name: value})
    except TableError:
        return False
    different = {each for each in usual.params.dtype.names if (usual.params[each] != changed.params[each]).any()}
    is_named_alike = kind.action_names(usual) == kind.action_names(changed)
    return different == {name} and is_named_alike and _slices(kind, usual) == _slices(kind, changed)


def policy_of(rules: Any) -> str | None:
    """The policy that plays by these rules, if one does."""
    return rules_document(find_game(rules.game), rules)["policy"]  # type: ignore[no-any-return]


def _slices(kind: CardGame, rules: Any) -> list[Any]:
    return [(part.name, part.start, part.shape) for part in kind.spec_of(rules).slices]


def lessons(program: Program) -> Iterator[dict[str, Any]]:
    """The positions at which lessons begin, as records, with their rules, and when they are learned."""
    kind = find_game(program.game)
    for lesson in program.learning.LESSONS:
        game = RecordFormat(kind).read_game(lesson.position)
        rules = {**rules_document(kind, game.rules), "base": kind.rules("", game.rules.players).to_text()}
        state = base64.b64encode(game.state.tobytes()).decode()
        rival = program.opponents[0]
        yield {"state": state, "rules": rules, "goal": lesson.goal, "rival": rival}
