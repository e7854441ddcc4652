"""Learning to play: an environment for stable-baselines3, self-play, resumable training runs, and comparisons."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skyjo_training.evaluation import EvaluationCallback, evaluate
    from skyjo_training.maskable_ppo import FrozenCopies, RoundLengths
    from skyjo_training.sb3_models import sb3_agent
    from skyjo_training.seat_vec_env import SeatVecEnv

__all__ = ["EvaluationCallback", "FrozenCopies", "RoundLengths", "SeatVecEnv", "evaluate", "sb3_agent"]

MODULES = {
    "EvaluationCallback": "evaluation",
    "FrozenCopies": "maskable_ppo",
    "RoundLengths": "maskable_ppo",
    "SeatVecEnv": "seat_vec_env",
    "evaluate": "evaluation",
    "sb3_agent": "sb3_models",
}


def __getattr__(name: str) -> Any:
    """Load stable-baselines3 only when it is needed: the command line reads configs without it."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"skyjo_training.{MODULES[name]}")
    except ModuleNotFoundError as error:
        needed = f'training needs {error.name}: pip install "skyjo-env[train]"'
        raise ModuleNotFoundError(needed, name=error.name) from error
    return getattr(module, name)
