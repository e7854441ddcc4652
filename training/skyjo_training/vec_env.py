"""Vector environments for stable-baselines3, one for every game: N tables, one seat at each."""

from skipbo_env.card_game import SKIPBO
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_env.card_game import SKYJO
from skyjo_training.tables_vec_env import TablesVecEnv


class SkyjoVecEnv(TablesVecEnv):
    """See `skyjo_training.tables_vec_env.TablesVecEnv`; the options are those of `skyjo/Skyjo-v0`."""

    kind = SKYJO


class SkipboVecEnv(TablesVecEnv):
    """See `skyjo_training.tables_vec_env.TablesVecEnv`; the options are those of `skipbo/SkipBo-v0`."""

    kind = SKIPBO


class SkyjoActionVecEnv(TablesVecEnv):
    """See `skyjo_training.tables_vec_env.TablesVecEnv`; the options are those of `skyjo-action/SkyjoAction-v0`."""

    kind = SKYJO_ACTION
