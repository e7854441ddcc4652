"""Makes the environments known to Gymnasium and to PettingZoo when `skyjo_env` is imported."""

import gymnasium
import pettingzoo

SINGLE = "skyjo/Skyjo-v0"
AEC = "skyjo/skyjo-v0"


def register() -> None:
    """Register each environment unless it is known already."""
    if SINGLE not in gymnasium.registry:
        gymnasium.register(
            SINGLE,
            entry_point="skyjo_env.envs.single:SkyjoEnv",
            vector_entry_point="skyjo_env.envs.vector:SkyjoVectorEnv",
        )
    if hasattr(pettingzoo, "register") and AEC not in pettingzoo.aec_registry:  # there is none before 1.27
        pettingzoo.register("aec", AEC, entry_point="skyjo_env.skyjo_v0:env")
