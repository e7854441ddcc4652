"""Makes the environments of a game known to Gymnasium and to PettingZoo."""

import gymnasium
import pettingzoo


def register(name: str, package: str, single: str, vector: str) -> None:
    """Register the environments of a package under a name such as `skyjo/Skyjo-v0`, unless it is known already: the
    classes of `skyjo_env.envs`, and `env` and `parallel_env` of `skyjo_env.skyjo_v0` under the name in small letters.
    """
    place = f"{package}.envs"
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=f"{place}:{single}", vector_entry_point=f"{place}:{vector}")
    if hasattr(pettingzoo, "register") and name.lower() not in pettingzoo.aec_registry:  # there is none before 1.27
        module = f"{package}.{package.removesuffix('_env')}_v0"
        pettingzoo.register("aec", name.lower(), entry_point=f"{module}:env")
        pettingzoo.register("parallel", name.lower(), entry_point=f"{module}:parallel_env")
