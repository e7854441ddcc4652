"""Skyjo Action for PettingZoo: `skyjo_action_v0.env()`, see docs/reference/skyjo_action.md."""

from skyjo_action_env import Env, ParallelEnv, RawEnv

__all__ = ["env", "parallel_env", "raw_env"]

env, parallel_env, raw_env = Env, ParallelEnv, RawEnv
