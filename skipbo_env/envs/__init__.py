"""The environments of Skip-Bo for PettingZoo and Gymnasium; docs/environments.md explains their options."""

from cardtable.table.envs.aec import GuardedEnv, SeatsEnv
from cardtable.table.envs.parallel import TogetherEnv
from cardtable.table.envs.single import SingleEnv
from cardtable.table.envs.text import TextEnv
from cardtable.table.envs.vector import TablesVectorEnv
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
    """Skip-Bo for PettingZoo's AEC API: every seat is an agent, `player_0` to `player_5`, and one decides at a time.

    Options: `rules` (`Rules` or their text), `players`, `episode` ("round" or "game"), `reward` ("win", "point",
    "margin" or a function of the rounds' results), `shaping` (None or "stock"), `encoding` ("compact" or "onehot"),
    `render_mode` ("human", "ansi" or "rgb_array") and `render_size`. An illegal action loses the episode, and a
    call in the wrong order is an error. docs/skipbo_v0.md lists observations, actions and rewards.
    """


class ParallelEnv(TogetherEnv):
    """Skip-Bo for PettingZoo's parallel API: all agents act in every step, and those that are not to move can only
    wait.

    The options are those of `Env`. There is one action more than there, the last: to wait.
    """

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
