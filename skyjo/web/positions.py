"""Rules and written positions for pages: as a kernel's records, and positions written from what a seat sees."""

import base64
from collections.abc import Mapping
from typing import Any

from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.records import RecordFormat
from skyjo.interfaces import find_interface
from skyjo.web.building.descriptions import rules_document
from skyjo.web.python_agents import read_observations
from skyjo.web.requests import LINES, LIST, NUMBER, TEXT, check_fields


def rules_for(game: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return rules as pages take them, which they cannot all work out themselves; TableError if there are none."""
    check_fields(asked, {"rules": TEXT, "players": NUMBER})
    card_game = find_game(game)
    return _document(card_game, card_game.rules(asked["rules"], asked["players"]))


def position_for(game: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a written position as pages take it, or what a seat sees as a position; TableError if it is neither."""
    card_game = find_game(game)
    if "observation" in asked:
        check_fields(asked, {"rules": TEXT, "episode": TEXT, "observation": LIST})
        rules = card_game.rules(asked["rules"])
        (seen,) = read_observations(card_game, rules, [asked["observation"]])
        return {"position": find_interface(game).documents.seen_position(rules, seen, asked["episode"])}
    check_fields(asked, {"text": LINES})
    table = RecordFormat(card_game).read_game(asked["text"])
    return {
        "rules": _document(card_game, table.rules),
        "state": base64.b64encode(table.state.tobytes()).decode(),
        "episode": table.episode,
        "text": table.position(),
    }


def _document(card_game: CardGame, rules: Any) -> dict[str, Any]:
    return {**rules_document(card_game, rules), "actions": card_game.action_names(rules)}
