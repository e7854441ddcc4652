"""The kernel against the oracle, the second implementation of the rules, under random rules."""

from campaign.batch import Batch, Result
from tests.games.listed import GAMES
from tests.games.lockstep import play_in_lockstep

DECISIONS = 20_000  # of a batch


def run(batch: Batch, decisions: int = DECISIONS) -> Result:
    """Compare every field after every decision of games or their beginnings."""
    chance, result = batch.chance, Result()
    (game,) = (each for each in GAMES if each.name == batch.game)
    while result.done < decisions and not result.failures:
        rules = game.random_rules(chance)
        keys, episode = (chance.randrange(2**64), chance.randrange(2**64)), chance.choice(("game", "round"))
        inputs = {"rules": rules.to_text(), "seed": str(keys[0]), "deal": str(keys[1])}
        with result.noting(lambda inputs=inputs: inputs):  # type: ignore[misc]
            limit = chance.choice(game.lockstep_limits)
            result.done += max(1, play_in_lockstep(game, rules, *keys, episode, chance, limit))
    return result
