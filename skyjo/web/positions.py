"""Rules and written positions for pages: as a kernel's records, and positions written from what a seat sees."""

import base64
from typing import Any

from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.records import RecordFormat
from skyjo.interfaces import find_interface
from skyjo.web.building.descriptions import rules_document


def rules_for(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return rules as pages take them, which they cannot all work out themselves; TableError if there are none."""
    card_game = find_game(game)
    return _document(card_game, card_game.rules(asked["rules"], asked["players"]))


def read_position(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a written position as pages take it; TableError if it is none."""
    card_game = find_game(game)
    table = RecordFormat(card_game).read_game(asked["text"])
    return {
        "rules": _document(card_game, table.rules),
        "state": base64.b64encode(table.state.tobytes()).decode(),
        "episode": table.episode,
        "text": table.position(),
    }


def seen_position(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return what a seat sees as a position, empty if it cannot be written; TableError if nothing can be seen so."""
    card_game = find_game(game)
    rules = card_game.rules(asked["rules"])
    seen = card_game.spec_of(rules).check_bounds(asked["observation"])
    return {"position": find_interface(game).documents.seen_position(rules, seen, asked["episode"])}


def _document(card_game: CardGame, rules: Any) -> dict[str, Any]:
    return {**rules_document(card_game, rules), "actions": card_game.action_names(rules)}
