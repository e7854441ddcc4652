"""SkipboVecEnv: N tables of Skip-Bo, one seat at each, as a vector environment for stable-baselines3."""

from cardtable.envs.opponents import Opponents
from cardtable.envs.options import names_options, rules_for
from cardtable.envs.seat_options import SeatOptions
from cardtable.render.rects import USUAL_SIZE
from skipbo_env.card_game import SKIPBO
from skipbo_env.rules import OFFICIAL, Rules
from skyjo_training.tables_vec_env import TablesVecEnv


class SkipboVecEnv(TablesVecEnv):
    """See `skyjo_training.tables_vec_env.TablesVecEnv`; the options are those of `skipbo/SkipBo-v0`."""

    rules: Rules

    @names_options
    def __init__(
        self,
        num_envs: int,
        rules: Rules | str = OFFICIAL,
        players: int | None = None,
        opponents: Opponents = ("random",),
        seat: str | int = "random",
        episode: str = "round",
        reward: str = "win",
        shaping: str | None = None,
        encoding: str = "compact",
        illegal: str = "error",
        render_mode: str | None = None,
        render_size: tuple[int, int] = USUAL_SIZE,
        threads: int = 1,
    ) -> None:
        chosen = rules_for(SKIPBO, rules, players)
        options = SeatOptions(chosen, opponents, seat, episode, reward, shaping, encoding, illegal)
        super().__init__(num_envs, options, render_mode, render_size, threads)
