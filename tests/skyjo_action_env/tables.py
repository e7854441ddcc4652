"""Tables of Skyjo Action that pictures and texts are made of: only what is shown of them need be a possible one."""

import random
from typing import Any

from skyjo_action_env import HIDDEN, STAR, Game, Rules
from skyjo_action_env.kernel import EMPTY, KINDS, PHASES


def standing(rules: Rules | str = "", /, **fields: Any) -> Game:
    """A table whose record has these fields. Cells are written as text, column by column."""
    state = Game(rules, seed=1).state.copy()
    for name, value in fields.items():
        state[name][0] = value
    return Game.standing(Game(rules).rules, state)


def shown(*layouts: str) -> list[list[int]]:
    """What everybody sees of every layout: `?` lies face down, `.` is no card, `*` a star."""
    cards = [[{"?": HIDDEN, ".": EMPTY, "*": STAR}.get(word) or int(word) for word in text.split()] for text in layouts]
    return cards + [[HIDDEN] * 12] * (8 - len(layouts))


def held(*kinds: str) -> list[list[int]]:
    """The action cards beside every layout, each written as words."""
    counts = [[text.split().count(kind) for kind in KINDS] for text in kinds]
    return counts + [[0] * len(KINDS)] * (8 - len(kinds))


def reached(phase: str, players: int = 2, rules: str = "") -> Game:
    """The first table in this phase that random play comes to."""
    for seed in range(100):
        chance, game = random.Random(seed), Game(f"players={players} {rules}", seed=seed, episode="round")
        while not game.is_over:
            game.apply(chance.choice(game.legal_actions()))
            if game.phase == phase:
                return game
    raise AssertionError(f"random play does not come to {phase}")


def code(phase: str) -> int:
    """The number of a phase."""
    return PHASES.index(phase)
