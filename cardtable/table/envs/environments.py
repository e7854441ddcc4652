"""`environments(GAME)`: the environments of a game for PettingZoo and Gymnasium, made and registered in one call."""

from typing import Any, NamedTuple

import gymnasium
import pettingzoo

from cardtable.table.envs.aec import TableAECEnv
from cardtable.table.envs.gymnasium_envs import SeatEnv, SeatVectorEnv
from cardtable.table.envs.parallel import TableParallelEnv
from cardtable.table.envs.text import TextEnv
from cardtable.table.game.card_game import CardGame

RAW = """Every seat is an agent, `player_0` to `player_{last}`, and one decides at a time, as in `Env`.

    `game` is the table itself. An illegal action is an IllegalActionError and changes nothing.
    """
AEC = """{title} for PettingZoo's AEC API: every seat is an agent, `player_0` and so on, and one decides at a time.

    Options: `rules` (`Rules` or their text), `players`, `episode` ("round" or "game"), `reward` ({rewards} or a
    function of the rounds' results), `shaping` ({shapings}), `encoding` ("compact" or "onehot"), `render_mode`
    ("human", "ansi" or "rgb_array") and `render_size`. An illegal action loses the episode, and a call in the wrong
    order is an error.
    """
PARALLEL = """{title} for PettingZoo's parallel API: all agents act in every step, and those not to move can only wait.

    The options are those of `Env`. There is one action more than there, the last: to wait.
    """
SINGLE = """{title} for Gymnasium, `gymnasium.make("{package}:{id}")`: every step is a decision of one seat.

    `reset(seed=s)` deals `Game(rules, seed=s, deal=0)`, and every reset after it the next deal of that seed.
    """
TEXT = """{title} for language models: as `{prefix}Env`, with observations and actions as text (docs/text.md)."""
VECTOR = """{title} at N tables, `gymnasium.make_vec("{package}:{id}", num_envs=N)`: the same as N single environments.

    Table i plays the deals of seed + i. `autoreset_mode` is next-step, same-step or disabled; with same-step, the last
    observation and info of an episode are in `infos["final_obs"]` and `infos["final_info"]`.
    """


class Environments(NamedTuple):
    """The classes of a game's environments, in the order in which its module names them."""

    raw_env: type[TableAECEnv]  # RawEnv
    env: type[TableAECEnv]  # Env
    parallel_env: type[TableParallelEnv]  # ParallelEnv
    single: type[SeatEnv]  # SkyjoEnv, in a game called skyjo
    text: type[TextEnv]  # SkyjoTextEnv
    vector: type[SeatVectorEnv]  # SkyjoVectorEnv


def id_of(kind: CardGame) -> str:
    """The name under which a game's environments are registered, such as `skyjo/Skyjo-v0`."""
    return f"{kind.name.replace('_', '-')}/{''.join(filter(str.isalnum, kind.title))}-v0"


def environments(kind: CardGame, module: str) -> Environments:
    """Make the environments of a game, and register them under a name such as `skyjo/Skyjo-v0`.

    `module` is the name of the module that calls this, where the classes must be found by their names:

        RawEnv, Env, ParallelEnv, SkyjoEnv, SkyjoTextEnv, SkyjoVectorEnv = environments(SKYJO, __name__)
    """
    prefix = "".join(word.capitalize() for word in kind.name.split("_"))
    told = {
        "title": kind.title,
        "last": kind.rules_type.ranges["players"][1] - 1,
        "rewards": ", ".join(f'"{reward}"' for reward in kind.rewards),
        "shapings": " or ".join(f'"{shaping}"' if shaping else "None" for shaping in kind.shapings),
        "package": module.partition(".")[0],
        "id": id_of(kind),
        "prefix": prefix,
    }

    def made(name: str, doc: str, *bases: type[Any], **own: Any) -> Any:
        return type(name, bases, {"__doc__": doc.format(**told), "__module__": module, **own})

    raw_env = made("RawEnv", RAW, TableAECEnv, kind=kind)
    env = made("Env", AEC, raw_env, forfeits=True)
    single = made(f"{prefix}Env", SINGLE, SeatEnv, kind=kind)
    _register(told["id"], module, prefix)
    return Environments(
        raw_env,
        env,
        made("ParallelEnv", PARALLEL, TableParallelEnv, turns=env),
        single,
        made(f"{prefix}TextEnv", TEXT, TextEnv, single=single),
        made(f"{prefix}VectorEnv", VECTOR, SeatVectorEnv, kind=kind),
    )


def _register(name: str, module: str, prefix: str) -> None:
    """Make environments known to Gymnasium, and in small letters to PettingZoo, unless they are known already."""
    one, many = f"{module}:{prefix}Env", f"{module}:{prefix}VectorEnv"
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=one, vector_entry_point=many)
    if hasattr(pettingzoo, "register") and name.lower() not in pettingzoo.aec_registry:  # there is none before 1.27
        pettingzoo.register("aec", name.lower(), entry_point=f"{module}:Env")
        pettingzoo.register("parallel", name.lower(), entry_point=f"{module}:ParallelEnv")
