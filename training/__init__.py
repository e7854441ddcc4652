"""Learning to play: what stable-baselines3 needs to learn from skyjo-env."""

try:
    from training.vec_env import SkyjoVecEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f'{error}: training needs the extra "train" of skyjo-env, see README.md') from error

__all__ = ["SkyjoVecEnv"]
