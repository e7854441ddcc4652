"""The kernel against the oracle, the second implementation of the rules, under random rules."""

import random

from campaign.batch import Batch, Result
from skipbo_env import Rules as SkipboRules
from skyjo_env import Rules as SkyjoRules
from tests.skipbo_env import lockstep as skipbo
from tests.skipbo_env.tables import random_rules as random_skipbo_rules
from tests.skyjo_env import lockstep as skyjo

DECISIONS = 20_000  # of a batch


def run(batch: Batch, decisions: int = DECISIONS) -> Result:
    """Compare every field after every decision."""
    chance, result = batch.chance, Result()
    while result.done < decisions:
        rules = skyjo.random_rules(chance) if batch.game == "skyjo" else random_skipbo_rules(chance)
        seed, deal = chance.randrange(2**64), chance.randrange(2**64)
        with result.noting(lambda rules=rules, seed=seed, deal=deal: described(rules, seed, deal)):  # type: ignore[misc]
            result.done += max(1, play(rules, seed, deal, chance))
        if result.failures:
            break
    return result


def play(rules: SkyjoRules | SkipboRules, seed: int, deal: int, chance: random.Random) -> int:
    """Play a game in lockstep, or its beginning; returns the decisions made."""
    episode, limit = chance.choice(("game", "round")), chance.choice((200, 2000))
    if isinstance(rules, SkyjoRules):
        return skyjo.play_in_lockstep(rules, seed, deal, episode, chance, limit)
    return skipbo.play_in_lockstep(rules, seed, deal, episode, chance, 2 * limit)


def described(rules: SkyjoRules | SkipboRules, seed: int, deal: int) -> dict[str, str]:
    """The inputs of a failure."""
    return {"rules": rules.to_text(), "seed": str(seed), "deal": str(deal)}
