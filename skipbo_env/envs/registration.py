"""Makes the environments known to Gymnasium and to PettingZoo when `skipbo_env` is imported."""

from cardtable.envs.registration import register_aec, register_single


def register() -> None:
    """Register each environment unless it is known already."""
    register_single("skipbo/SkipBo-v0", "skipbo_env.envs.single:SkipboEnv", "skipbo_env.envs.vector:SkipboVectorEnv")
    register_aec("skipbo/skipbo-v0", "skipbo_env.skipbo_v0:env")
