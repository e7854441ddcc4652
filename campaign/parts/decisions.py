"""Random play under random rules at full speed, with every invariant checked in compiled code after every decision."""

import random
from typing import Any

import numpy as np

from campaign.batch import Batch, Result
from campaign.compiled import skipbo_checks, skyjo_action_checks, skyjo_checks
from tests.games.listed import GAMES

DECISIONS = 1_000_000  # of a batch
ROOM = 64  # numbers behind the end of an observation, which must stay as they are
CHECKS: dict[str, Any] = {"skyjo": skyjo_checks, "skipbo": skipbo_checks, "skyjo_action": skyjo_action_checks}


def run(batch: Batch, decisions: int = DECISIONS) -> Result:
    """Play under one set of rules after another."""
    chance, result = batch.chance, Result()
    while result.done < decisions and not result.failures:
        play(batch.game, chance, result)
    return result


def play(game: str, chance: random.Random, result: Result) -> None:
    """Some deals under the same rules; a fault is noted with rules, seed, deal and the decisions before it."""
    (listed,) = (each for each in GAMES if each.name == game)
    rules, checks = listed.random_rules(chance), CHECKS[game]
    seed, episode = chance.randrange(2**64), chance.choice(("game", "round"))
    limit, eagerness = chance.choice((200, 3000)), chance.choice((0, 50, 90, 97, 100))
    games, made = np.zeros(1, listed.card_game.dtype), np.zeros(3, np.int64)
    games["episode"] = ("round", "game").index(episode)
    size = listed.card_game.spec_of(rules).size + ROOM
    work = (np.zeros(rules.actions, np.int8), *np.zeros((2, size), np.int16), np.zeros(8, np.int64))
    arguments = (np.uint64(seed), 20, int(games["episode"][0]), limit, eagerness, listed.plays, work, made)
    fault = checks.play_checked(games, rules.params, *arguments)
    result.done += int(made[0])
    if fault:
        told = {"rules": rules.to_text(), "seed": str(seed), "episode": episode, "deal": str(made[1])}
        told |= {"decisions": str(made[2]), "eagerness": str(eagerness)}
        result.fail(f"{game}: {checks.FAULTS[fault]}: {told}", **told)
