"""The store of a plan: begun, or found as it was left."""

import hashlib
import inspect
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow  # noqa: F401 (an installation without it shall say so before a folder is made)

from cardtable.arena.play.plan import Plan
from cardtable.arena.stored.store import Store, StoreError
from cardtable.table.agents.agents import Agent, agents_of, compiled_player_of
from cardtable.table.checks import brief
from cardtable.table.compiling.code_folders import fingerprint
from cardtable.table.game.card_game import CardGame, distribution_of

KINDS = {"command": str, "plan": dict, "agents": dict, "sources": str, "versions": dict, "machine": dict, "begun": str}


def store_for(folder: Path, plan: Plan, command: str) -> Store:
    """Open or create the store of a plan's games; games that it already holds are not played again.

    StoreError if it holds other games, or the same games played by other versions of the code.
    """
    code = code_of(plan)
    if not Store.is_at(folder):
        packages = distribution_of(plan.game), "numba", "numpy", "pyarrow"
        begun = {"begun": datetime.now(UTC).isoformat(timespec="seconds")}
        about = {
            "game": plan.game.name,
            "command": command,
            "plan": plan.to_dict(),
            **code,
            "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
            "machine": {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()},
        }
        return Store.create(folder, about | begun)
    store = open_games(folder, plan.game)
    _refuse_others(folder, "other games", store.manifest["plan"], plan.to_dict())
    _refuse_others(folder, "games that another version of the code has played", store.manifest, code)
    store.forget_drafts()
    return store


def code_of(plan: Plan) -> dict[str, Any]:
    """Return the identity of the code that plays: the maker of each agent, and the fingerprint of all sources.

    The sources include those of compiled players.
    """
    players = [player for agent in plan.agents.values() if (player := compiled_player_of(agent)) is not None]
    folders = [*plan.game.sources, *(source for player in players for source in player.sources)]
    origin = agents_of(plan.game).origin
    agents = {name: f"{origin(name)}, {_source(agent)}" for name, agent in plan.agents.items()}
    return {"agents": agents, "sources": fingerprint(*folders)}


def _refuse_others(folder: Path, what: str, there: dict[str, Any], here: dict[str, Any]) -> None:
    for name, value in here.items():
        if there.get(name) != value:
            stored, wanted = brief(there.get(name)), brief(value)
            raise StoreError(f"{folder} holds {what}: {name} is {stored} there, {wanted} here; choose another folder")


def open_games(folder: Path, game: CardGame) -> Store:
    """Return games of this kind that are stored in a folder; StoreError if there are none."""
    store = Store.open(folder)
    if store.manifest.get("game") != game.name:
        raise StoreError(f"{folder} holds games of {store.manifest.get('game')}, not of {game.name}")
    for name, kind in KINDS.items():
        if not isinstance(store.manifest.get(name), kind):
            raise StoreError(
                f"{folder}: {name}={brief(store.manifest.get(name))} in its manifest must be a {kind.__name__}"
            )
    return store


def _source(agent: Agent) -> str:
    """Return a digest of the file where an agent is written, and of what it has learned."""
    try:
        data = Path(str(inspect.getsourcefile(type(agent)))).read_bytes()
    except (OSError, TypeError):
        return "source unknown"
    learned = getattr(agent, "digest", "")  # of what is not in its source
    source = f"source {hashlib.blake2b(data, digest_size=4).hexdigest()}"
    return f"{source}, learned {learned[:8]}" if learned else source
