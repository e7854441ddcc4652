"""N tables of Skyjo, one seat at each, as one Gymnasium vector environment that never loops over tables in Python."""

from gymnasium.vector import AutoresetMode

from cardtable.envs.opponents import Opponents
from cardtable.envs.options import names_options, rules_for
from cardtable.envs.vector import TablesVectorEnv
from cardtable.render.rects import USUAL_SIZE
from skyjo_env.envs.seat_options import SeatOptions
from skyjo_env.envs.skyjo_envs import SKYJO_ENVS
from skyjo_env.rules import OFFICIAL, Rules


class SkyjoVectorEnv(TablesVectorEnv):
    """`gymnasium.make_vec("skyjo_env:skyjo/Skyjo-v0", num_envs=N)`: the same, step by step, as N single environments.

    Table i plays the deals of seed + i. `autoreset_mode` is next-step or same-step; with same-step, the last
    observation and info of an episode are in `infos["final_obs"]` and `infos["final_info"]`.
    """

    rules: Rules

    @names_options
    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = OFFICIAL,
        players: int | None = None,
        opponents: Opponents = ("random",),
        seat: str | int = "random",
        episode: str = "round",
        reward: str = "margin",
        shaping: str | None = None,
        encoding: str = "compact",
        illegal: str = "error",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        render_size: tuple[int, int] = USUAL_SIZE,
        threads: int = 1,
    ) -> None:
        chosen = rules_for(SKYJO_ENVS, rules, players)
        options = SeatOptions(chosen, opponents, seat, episode, reward, shaping, encoding, illegal)
        super().__init__(num_envs, options, autoreset_mode, render_mode, render_size, threads)
