"""Rules and written positions for pages: as a kernel's records, and positions written from what a seat sees. Also the
networks of policies that pages play themselves.
"""

import base64
from importlib import import_module
from typing import Any

from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from skyjo.interfaces import find_interface
from skyjo.web.building.descriptions import network, rules_document
from skyjo.web.building.entries import Network


def rules(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return rules as pages take them, which they cannot all work out themselves; TableError if there are none."""
    card_game = find_game(game)
    return rules_document(card_game, card_game.rules(asked["rules"], asked["players"]))


def positions(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a written position as pages take it; TableError if it is none."""
    card_game = find_game(game)
    table = RecordFormat(card_game).read_game(asked["text"])
    return {
        "rules": rules_document(card_game, table.rules),
        "state": base64.b64encode(table.state.tobytes()).decode(),
        "episode": table.episode,
        "text": table.position(),
    }


def seen(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a seat's view as a position, empty if it cannot be written; TableError if no table can look like this."""
    card_game = find_game(game)
    known = card_game.rules(asked["rules"])
    observation = card_game.spec_of(known).check_bounds(asked["observation"])
    return {"position": find_interface(game).documents.seen_position(known, observation, asked["episode"])}


def networks(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the network of an agent `policy` for pages, which then play it; None if its game's pages cannot."""
    agent: Any = agents_of(find_game(game)).make(asked["agent"], find_game(game).rules(asked["rules"]))
    browser = import_module(f"{find_interface(game).package}.people.browser")
    if not hasattr(browser, "networks_of"):
        return {"network": None}
    policy_network: Network = next(browser.networks_of(agent.file))
    weights = base64.b64encode(policy_network.numbers.astype("<f4").tobytes()).decode()
    return {"network": {"name": agent.digest, **network(policy_network), "weights": weights}}
