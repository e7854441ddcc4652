"""One seat at a table of Skip-Bo as a Gymnasium environment; opponents play the others."""

from cardtable.envs.opponents import Opponents
from cardtable.envs.options import names_options, rules_for
from cardtable.envs.single import SingleEnv
from cardtable.render.rects import USUAL_SIZE
from skipbo_env.envs.seat_options import SeatOptions
from skipbo_env.envs.skipbo_envs import SKIPBO_ENVS
from skipbo_env.rules import OFFICIAL, Rules


class SkipboEnv(SingleEnv):
    """`gymnasium.make("skipbo_env:skipbo/SkipBo-v0")`: a step is a decision of one seat, see `docs/environments.md`.

    `reset(seed=s)` deals `Game(rules, seed=s, deal=0)`, and every reset after it the next deal of that seed.
    """

    rules: Rules

    @names_options
    def __init__(
        self,
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
    ) -> None:
        chosen = rules_for(SKIPBO_ENVS, rules, players)
        options = SeatOptions(chosen, opponents, seat, episode, reward, shaping, encoding, illegal)
        super().__init__(options, render_mode, render_size)
