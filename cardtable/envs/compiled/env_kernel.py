"""EnvKernel: the compiled functions of one game that the environments' loops call."""

from collections.abc import Callable
from typing import Any, NamedTuple

from cardtable.kernel.compiler import part

Compiled = Callable[..., Any]

SHAPED = 1  # the code of the one way to shape rewards; 0 is none


class EnvKernel(NamedTuple):
    """What differs between games. `over` and the phase after it, truncated, are the last two phases of a game."""

    new_game: Compiled  # (game, rules, seed, deal, episode)
    is_legal: Compiled  # (game, rules, action)
    play: Compiled  # (game, rules, action) -> was a round scored?
    write_mask: Compiled  # (game, rules, mask)
    write_view: Compiled  # (game, rules, observer, out)
    reward_of: Compiled  # (game, rules, seat, kind, is_scored): for the last decision
    potential: Compiled  # (game, rules, seat): what shaping pays the change of; 0 once the game is over
    over: int


@part
def reward_seats(kernel, games, rules, kind, shaping, is_scored, expected, rewards):
    """Reward every seat of a single table; with shaping also for the change of its potential."""
    game, the_rules = games[0], rules[0]
    for seat in range(the_rules.players):
        rewards[seat] = kernel.reward_of(game, the_rules, seat, kind, is_scored)
        if shaping == SHAPED:
            before, expected[seat] = expected[seat], kernel.potential(game, the_rules, seat)
            rewards[seat] += expected[seat] - before
