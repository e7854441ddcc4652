"""Rules and written positions for pages: as a kernel's records, and positions written from what a seat sees."""

import base64
from typing import Any

import numpy as np

from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from skyjo.interfaces import find_interface
from skyjo.web.building.descriptions import rules_document
from skyjo.web.python_agents import read_observations, read_rules


def asked_rules(game: str, text: str, players: int) -> dict[str, Any]:
    """Return rules as pages take them, which they cannot all work out themselves; TableError if there are none."""
    card_game = find_game(game)
    rules = card_game.rules(text, players)
    return {**rules_document(card_game, rules), "actions": card_game.action_names(rules)}


def read_position(game: str, text: str) -> dict[str, Any]:
    """Return a written position as pages take it; PositionError names the line that is wrong."""
    card_game = find_game(game)
    table = RecordFormat(card_game).read_game(text)
    return {
        "rules": asked_rules(game, table.rules.to_text(), table.rules.players),
        "state": base64.b64encode(np.ascontiguousarray(table.state).tobytes()).decode(),
        "episode": table.episode,
        "text": table.position(),
    }


def seen_position(game: str, rules: str, episode: str, observation: list[Any]) -> dict[str, Any]:
    """Return what a seat sees as a position; TableError if this is no observation."""
    read = read_rules(game, rules)
    (seen,) = read_observations(game, read, [observation])
    return {"position": find_interface(game).documents.seen_position(read, seen, episode)}
