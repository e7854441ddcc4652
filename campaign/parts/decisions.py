"""Random play under random rules at full speed, with every invariant checked in compiled code after every decision."""

import random
from typing import Any

import numpy as np

import skipbo_env
import skyjo_env
from campaign.batch import Batch, Result
from campaign.compiled import skipbo_checks, skyjo_checks
from skipbo_env.kernel.state import DISCARD
from skipbo_env.kernel.state import GAME_DTYPE as SKIPBO_DTYPE
from skyjo_env.kernel.state import GAME_DTYPE as SKYJO_DTYPE
from tests.skipbo_env.tables import random_rules as random_skipbo_rules
from tests.skyjo_env.lockstep import random_rules as random_skyjo_rules

DECISIONS = 1_000_000  # of a batch
ROOM = 64  # numbers behind the end of an observation, which must stay as they are
GAMES: dict[str, Any] = {
    "skyjo": (random_skyjo_rules, skyjo_env.ObservationSpec, SKYJO_DTYPE, skyjo_checks, 0),
    "skipbo": (random_skipbo_rules, skipbo_env.ObservationSpec, SKIPBO_DTYPE, skipbo_checks, DISCARD),
}


def run(batch: Batch, decisions: int = DECISIONS) -> Result:
    """Play under one set of rules after another."""
    chance, result = batch.chance, Result()
    while result.done < decisions and not result.failures:
        play(batch.game, chance, result)
    return result


def play(game: str, chance: random.Random, result: Result) -> None:
    """Some deals under the same rules; a fault is noted with rules, seed, deal and the decisions before it."""
    draw_rules, spec_of, dtype, checks, first_end = GAMES[game]
    rules = draw_rules(chance)
    seed, episode = chance.randrange(2**64), chance.choice(("game", "round"))
    limit, eagerness = chance.choice((200, 3000)), chance.choice((0, 50, 90, 97, 100))
    games, made = np.zeros(1, dtype), np.zeros(3, np.int64)
    games["episode"] = ("round", "game").index(episode)
    size = spec_of(rules).size + ROOM
    work = (np.zeros(rules.actions, np.int8), *np.zeros((2, size), np.int16), np.zeros(8, np.int64))
    arguments = (np.uint64(seed), 20, int(games["episode"][0]), limit, eagerness, first_end, work, made)
    fault = checks.play_checked(games, rules.params, *arguments)
    result.done += int(made[0])
    if fault:
        told = {"rules": rules.to_text(), "seed": str(seed), "episode": episode, "deal": str(made[1])}
        told |= {"decisions": str(made[2]), "eagerness": str(eagerness)}
        result.fail(f"{game}: {checks.FAULTS[fault]}: {told}", **told)
