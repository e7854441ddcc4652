"""The environments of Skyjo for PettingZoo and Gymnasium; docs/environments.md explains their options."""

from cardtable.table.envs.environments import environments
from skyjo_env.card_game import SKYJO

RawEnv, Env, ParallelEnv, SkyjoEnv, SkyjoTextEnv, SkyjoVectorEnv = environments(SKYJO, __name__)
