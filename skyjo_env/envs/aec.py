"""A table of Skyjo as a PettingZoo environment: `RawEnv`, and `Env`, which also checks the calls."""

from typing import Any

from cardtable.envs.aec import GuardedEnv, SeatsEnv, metadata_of
from cardtable.envs.options import names_options, rules_for
from cardtable.render.rects import USUAL_SIZE
from skyjo_env.envs.skyjo_envs import SKYJO_ENVS
from skyjo_env.game import Game
from skyjo_env.rules import OFFICIAL, Rules


class RawEnv(SeatsEnv):
    """Every seat is an agent, `player_0` to `player_7`; `skyjo_env.skyjo_v0` documents the environment.

    `game` is the table itself. An illegal action is an IllegalActionError and changes nothing.
    """

    metadata: dict[str, Any] = metadata_of(SKYJO_ENVS)
    rules: Rules
    game: Game

    @names_options
    def __init__(
        self,
        rules: Rules | str = OFFICIAL,
        players: int | None = None,
        episode: str = "round",
        reward: str = "margin",
        shaping: str | None = None,
        encoding: str = "compact",
        render_mode: str | None = None,
        render_size: tuple[int, int] = USUAL_SIZE,
    ) -> None:
        chosen = rules_for(SKYJO_ENVS, rules, players)
        super().__init__(SKYJO_ENVS, chosen, episode, reward, shaping, encoding, render_mode, render_size)


class Env(GuardedEnv, RawEnv):
    """RawEnv with PettingZoo's usual guarantees, see `cardtable.envs.aec.GuardedEnv`."""
