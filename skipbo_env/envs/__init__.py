"""The environments of Skip-Bo for PettingZoo and Gymnasium; docs/environments.md explains their options."""

from cardtable.envs.aec import GuardedEnv, SeatsEnv
from cardtable.envs.parallel import TogetherEnv
from cardtable.envs.self_play import SelfPlayBatch
from cardtable.envs.single import SingleEnv
from cardtable.envs.text import TextEnv
from cardtable.envs.vector import TablesVectorEnv
from skipbo_env.card_game import SKIPBO
from skipbo_env.game import Game
from skipbo_env.rules import Rules


class RawEnv(SeatsEnv):
    """Every seat is an agent, `player_0` to `player_5`; `skipbo_env.skipbo_v0` documents the environment.

    `game` is the table itself. An illegal action is an IllegalActionError and changes nothing.
    """

    kind = SKIPBO
    rules: Rules
    game: Game


class Env(GuardedEnv, RawEnv):
    """RawEnv with PettingZoo's usual guarantees, see `cardtable.envs.aec.GuardedEnv`."""


class ParallelEnv(TogetherEnv):
    """Env with PettingZoo's parallel API, see `cardtable.envs.parallel.TogetherEnv`."""

    turns = Env


class SkipboEnv(SingleEnv):
    """`gymnasium.make("skipbo_env:skipbo/SkipBo-v0")`: every step is a decision of one seat.

    `reset(seed=s)` deals `Game(rules, seed=s, deal=0)`, and every reset after it the next deal of that seed.
    """

    kind = SKIPBO
    rules: Rules


class SkipboTextEnv(TextEnv):
    """The same for language models: observations and actions are text (docs/text.md)."""

    single = SkipboEnv


class SkipboVectorEnv(TablesVectorEnv):
    """`gymnasium.make_vec("skipbo_env:skipbo/SkipBo-v0", num_envs=N)`: the same as N single environments.

    Table i plays the deals of seed + i. `autoreset_mode` is next-step, same-step or disabled; with same-step, the last
    observation and info of an episode are in `infos["final_obs"]` and `infos["final_info"]`.
    """

    kind = SKIPBO
    rules: Rules


class SkipboSelfPlay(SelfPlayBatch):
    """`SkipboSelfPlay(1024)`: as many tables with one learner in all seats, in arrays written in place."""

    kind = SKIPBO
