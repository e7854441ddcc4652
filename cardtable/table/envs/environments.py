"""`environments(GAME)`: the environments of a game for PettingZoo and Gymnasium, made and registered in one call."""

from typing import Any, NamedTuple

import gymnasium
import pettingzoo

from cardtable.table.envs.aec import TableAECEnv
from cardtable.table.envs.gymnasium_envs import SeatEnv, SeatVectorEnv
from cardtable.table.envs.parallel import TableParallelEnv
from cardtable.table.envs.text import TextEnv
from cardtable.table.game.card_game import CardGame


class Environments(NamedTuple):
    """The classes of a game's environments, in the order in which its module names them."""

    raw_env: type[TableAECEnv]  # RawEnv
    env: type[TableAECEnv]  # Env
    parallel_env: type[TableParallelEnv]  # ParallelEnv
    single: type[SeatEnv]  # SkyjoEnv, in a game called skyjo
    text: type[TextEnv]  # SkyjoTextEnv
    vector: type[SeatVectorEnv]  # SkyjoVectorEnv


def id_of(card_game: CardGame) -> str:
    """Return the name under which a game's environments are registered, such as `skyjo/Skyjo-v0`."""
    return f"{card_game.name.replace('_', '-')}/{''.join(filter(str.isalnum, card_game.title))}-v0"


def environments(card_game: CardGame, module: str) -> Environments:
    """Make the environments of a game, and register them under a name such as `skyjo/Skyjo-v0`.

    `module` is the name of the module that calls this, where the classes must be found by their names:

        RawEnv, Env, ParallelEnv, SkyjoEnv, SkyjoTextEnv, SkyjoVectorEnv = environments(SKYJO, __name__)
    """
    prefix = "".join(word.capitalize() for word in card_game.name.split("_"))

    def subclass(name: str, base: type[Any], **own: Any) -> Any:
        return type(name, (base,), {"__doc__": base.__doc__, "__module__": module, **own})

    raw_env = subclass("RawEnv", TableAECEnv, card_game=card_game)
    env = subclass("Env", raw_env, forfeits=True)
    single = subclass(f"{prefix}Env", SeatEnv, card_game=card_game)
    _register(id_of(card_game), module, prefix)
    return Environments(
        raw_env,
        env,
        subclass("ParallelEnv", TableParallelEnv, turns=env),
        single,
        subclass(f"{prefix}TextEnv", TextEnv, single=single),
        subclass(f"{prefix}VectorEnv", SeatVectorEnv, card_game=card_game),
    )


def _register(name: str, module: str, prefix: str) -> None:
    """Make environments known to Gymnasium, and in small letters to PettingZoo, unless they are known already."""
    one, many = f"{module}:{prefix}Env", f"{module}:{prefix}VectorEnv"
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=one, vector_entry_point=many)
    if hasattr(pettingzoo, "register") and name.lower() not in pettingzoo.aec_registry:  # there is none before 1.27
        pettingzoo.register("aec", name.lower(), entry_point=f"{module}:Env")
        pettingzoo.register("parallel", name.lower(), entry_point=f"{module}:ParallelEnv")
