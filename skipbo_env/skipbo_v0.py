"""Skip-Bo for PettingZoo: `skipbo_v0.env()`, see docs/reference/skipbo.md."""

from skipbo_env import Env, ParallelEnv, RawEnv

__all__ = ["env", "parallel_env", "raw_env"]

env, parallel_env, raw_env = Env, ParallelEnv, RawEnv
