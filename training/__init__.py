"""Learning to play: what stable-baselines3 needs to learn from skyjo-env."""

from training.vec_env import SkyjoVecEnv

__all__ = ["SkyjoVecEnv"]
