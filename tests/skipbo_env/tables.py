"""Tables for tests: kernel records, dealt under many rules and played at random."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skipbo_env.kernel import ACTIONS, DECK, DISCARD, OPTIONS
from skipbo_env.kernel.view import write_mask
from skipbo_env.rules import Rules


def random_rules(chance: random.Random) -> Rules:
    """Rules with every field drawn at random, official ones often enough to matter."""
    players = chance.randint(2, 6)
    options: dict[str, Any] = {
        name: known[0] if chance.random() < 0.4 else chance.choice(known) for name, known in OPTIONS.items()
    }
    return Rules(
        players=players,
        stock=chance.choice((None, 1, 2, chance.randint(3, 10), min(30, DECK // players - 5))),
        compulsory=chance.random() < 0.3,
        discard_wild=chance.random() < 0.7,
        target_score=chance.choice((1, 60, 500)),
        max_turns=chance.choice((1, 30, 300, 3000, 3000)),
        max_rounds=chance.choice((1, 3, 1000)),
        **options,
    )


def legal_actions(rules: Rules, games: NDArray[Any]) -> list[int]:
    """The numbers of all legal actions."""
    mask = np.zeros(ACTIONS, np.int8)
    write_mask(games[0], rules.params[0], mask)
    actions: list[int] = np.flatnonzero(mask).tolist()
    return actions


def choose(rules: Rules, games: NDArray[Any], chance: random.Random, eagerness: float = 0.9) -> int:
    """A random legal action; with this probability a card is played if one can be."""
    legal = legal_actions(rules, games)
    plays = [action for action in legal if action < DISCARD]
    return chance.choice(plays if plays and chance.random() < eagerness else legal)
