"""The environments of Skip-Bo for PettingZoo and Gymnasium; docs/environments.md explains their options."""

from cardtable.table.envs.environments import environments
from skipbo_env.card_game import SKIPBO

RawEnv, Env, ParallelEnv, SkipboEnv, SkipboTextEnv, SkipboVectorEnv = environments(SKIPBO, __name__)
