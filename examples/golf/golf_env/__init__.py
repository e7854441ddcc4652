"""Six-card Golf: `gymnasium.make("golf_env:golf/Golf-v0")` and `from golf_env import GOLF`."""

from golf_env.card_game import GOLF, Env, GolfEnv, GolfTextEnv, GolfVectorEnv, ParallelEnv, RawEnv

__all__ = ["GOLF", "Env", "GolfEnv", "GolfTextEnv", "GolfVectorEnv", "ParallelEnv", "RawEnv"]
