"""Makes the environments known to Gymnasium and to PettingZoo when `skyjo_env` is imported."""

from cardtable.envs.registration import register_aec, register_single


def register() -> None:
    """Register each environment unless it is known already."""
    register_single("skyjo/Skyjo-v0", "skyjo_env.envs.single:SkyjoEnv", "skyjo_env.envs.vector:SkyjoVectorEnv")
    register_aec("skyjo/skyjo-v0", "skyjo_env.skyjo_v0:env")
