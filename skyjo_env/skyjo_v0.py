"""Skyjo for PettingZoo: `skyjo_v0.env()`, see docs/reference/skyjo.md."""

from skyjo_env import Env, ParallelEnv, RawEnv

__all__ = ["env", "parallel_env", "raw_env"]

env, parallel_env, raw_env = Env, ParallelEnv, RawEnv
