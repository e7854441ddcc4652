"""Constant data of a game's pages, as JSON: its choices, the strength of agents, its lessons, and its rules clause by
clause.
"""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import fields
from typing import Any

from cardtable.table.agents.agents import AgentRegistry, agents_of
from cardtable.table.game.card_game import find_game
from skyjo.interfaces import GameInterface, RuleWords
from skyjo.table.seating import allowed_agents
from skyjo.web.building.descriptions import rule_values
from skyjo.web.building.puzzles import puzzles_of, themes_of

MAX_AGENT_WORDS = 92  # letters of a line on an agent
HEADING = re.compile(r"^## (?:\d+\. )?(.+)$")
CLAUSE = re.compile(r"^(\d+\.\d+) (.+)", re.DOTALL)


def page_data(interface: GameInterface, playable: Collection[str]) -> dict[str, Any]:
    """Return the documents by the names of their files; these agents can play without a server."""
    ladder = ladder_of(interface)
    for row in (row for table in ladder["tables"] for row in table["rows"]):
        row["playable"] = row["agent"] in playable
    puzzles = puzzles_of(interface)
    return {
        "start": start_document(interface, playable),
        "ladder": ladder,
        "rules": rules_document(interface.rules_text),
        "learn": {
            "game": interface.game,
            "title": interface.title,
            "lessons": [
                {"title": one.title, "words": one.words, "task": one.task, "done": one.done, "clause": one.clause}
                for one in interface.learning.LESSONS
            ],
            "puzzles": themes_of(interface, puzzles),
        },
        "puzzles": puzzles,
    }


# The first page


def start_document(interface: GameInterface, playable: Collection[str]) -> dict[str, Any]:
    """Return what the first page offers."""
    game = find_game(interface.game)
    registry, official = agents_of(game), game.rules()
    return {
        "game": game.name,
        "title": game.title,
        "agents": [{"name": name, "words": agent_words(registry, name)} for name in allowed_agents(registry)],
        "opponents": [*interface.opponents],
        "rivals": [
            {
                **rival._asdict(),
                "playable": rival.agent in playable,
            }
            for rival in interface.rivals
        ],
        "presets": [preset._asdict() for preset in interface.presets],
        "rules": [*rule_documents(interface, official)],
        "players": [*official.ranges["players"]],
        "measures_luck": bool(game.luck.terms),
    }


def agent_words(registry: AgentRegistry, name: str) -> str:
    """Return the first sentence on an agent without brackets and marks of code, cut at a comma where it is long."""
    words = registry.describe(name)[0]
    sentence = re.sub(r" \([^)]*\)|`", "", words.partition(". ")[0].rstrip("."))
    sentence = re.sub(r"(\w+):(\w+)=true", r"\1 with \2", sentence)  # an agent's text
    end = len(sentence)
    while end > MAX_AGENT_WORDS and (shorter := max(sentence.rfind(mark, 0, end) for mark in (", ", "; ", ": "))) > 0:
        end = shorter
    return sentence[:end]


def rule_documents(interface: GameInterface, rules: Any) -> Iterator[dict[str, Any]]:
    """Yield all rules except the number of players, as a form needs them; `usual` is the official value."""
    for field in fields(rules):
        if field.name != "players":
            words = interface.rule_words.get(field.name) or RuleWords("", field.name.replace("_", " "))
            yield {"name": field.name, **words._asdict(), **rule_values(rules, field)}


def ladder_of(interface: GameInterface) -> Any:
    """Return the ladder that comes with a game, without tables if its agents have not been rated."""
    file = interface.path / "ladder.json"  # written by `make ladder`
    return json.loads(file.read_text("utf-8")) if file.is_file() else {"tables": []}


# The rules


def rules_document(text: str) -> dict[str, Any]:
    """Return the rules clause by clause, from their Markdown: the introduction, and sections with clauses that have
    a number and a text with marks for code and emphasis.
    """
    title, *parts = re.split(r"\n\s*\n", text.strip())
    intro: list[str] = []
    sections: list[dict[str, Any]] = []
    for part in parts:
        heading, clause = HEADING.match(part), CLAUSE.match(part)
        if heading:
            sections.append({"title": heading[1], "clauses": []})
        elif clause and sections:
            sections[-1]["clauses"].append({"number": clause[1], "text": _joined(clause[2])})
        elif not sections:
            intro.append(_joined(part))
        elif not part.startswith("|"):
            sections[-1]["clauses"].append({"number": "", "text": _joined(part)})
    return {"title": title.lstrip("# "), "intro": intro, "sections": [one for one in sections if one["clauses"]]}


def _joined(text: str) -> str:
    """Return the lines of a paragraph as one."""
    return " ".join(line.strip() for line in text.splitlines())
