"""Learning to play: environments for stable-baselines3, self-play, resumable training runs, and comparisons.

Every game has a vector environment of its own here, named after it: `SkyjoVecEnv`, `SkyjoActionVecEnv` and so on.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skyjo_training.sb3_models import sb3_agent
    from skyjo_training.tables_vec_env import TablesVecEnv

__all__ = ["sb3_agent"]


def __getattr__(name: str) -> type[TablesVecEnv]:
    """Load stable-baselines3 only when it is needed: the command line reads configs without it."""
    from cardtable.table.game.card_game import game_names

    games = {f"{game.title().replace('_', '')}VecEnv": game for game in game_names()}
    if name not in (*__all__, *games):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module: Any = import_module(f"skyjo_training.{'tables_vec_env' if name in games else 'sb3_models'}")
    except ModuleNotFoundError as error:
        needed = f'training needs {error.name}: pip install "skyjo-env[train]"'
        raise ModuleNotFoundError(needed, name=error.name) from error
    return _made(name, module.TablesVecEnv, games[name]) if name in games else getattr(module, name)


@cache
def _made(name: str, base: type[TablesVecEnv], game: str) -> type[TablesVecEnv]:
    """Make the vector environment of a game."""
    from cardtable.table.game.card_game import find_game

    kind = find_game(game)
    words = f"The vector environment of {kind.title}. See `skyjo_training.tables_vec_env.TablesVecEnv`."
    return type(name, (base,), {"kind": kind, "__module__": __name__, "__doc__": words})
