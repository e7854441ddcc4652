"""The environments of Skyjo Action for PettingZoo and Gymnasium; docs/environments.md explains their options."""

from cardtable.table.envs.environments import environments
from skyjo_action_env.card_game import SKYJO_ACTION

RawEnv, Env, ParallelEnv, SkyjoActionEnv, SkyjoActionTextEnv, SkyjoActionVectorEnv = environments(
    SKYJO_ACTION, __name__
)
