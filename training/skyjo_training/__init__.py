"""Learning to play: environments for stable-baselines3, self-play, resumable training runs, and comparisons."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skyjo_training.sb3_models import sb3_agent
    from skyjo_training.vec_env import SkipboVecEnv, SkyjoActionVecEnv, SkyjoVecEnv

__all__ = ["SkipboVecEnv", "SkyjoActionVecEnv", "SkyjoVecEnv", "sb3_agent"]


def __getattr__(name: str) -> Any:
    """Load stable-baselines3 only when it is needed: the command line reads configs without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"skyjo_training.{'sb3_models' if name == 'sb3_agent' else 'vec_env'}")
    except ModuleNotFoundError as error:
        needed = f'training needs {error.name}: pip install "skyjo-env[train]"'
        raise ModuleNotFoundError(needed, name=error.name) from error
    return getattr(module, name)
