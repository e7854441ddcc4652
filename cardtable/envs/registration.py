"""Makes the environments of a game known to Gymnasium and to PettingZoo."""

import gymnasium
import pettingzoo


def register_single(name: str, single: str, vector: str) -> None:
    """Register the Gymnasium environments, `module:class` each, unless the name is known already."""
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=single, vector_entry_point=vector)


def register_aec(name: str, env: str) -> None:
    """Register the PettingZoo environment, `module:class`, unless the name is known already."""
    if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:  # there is none before 1.27
        pettingzoo.register("aec", name, entry_point=env)
