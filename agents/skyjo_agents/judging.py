"""What an analysis asks of compiled code: what actions and tables are worth, and rounds that policies play on."""

import numpy as np

from skyjo_agents.equity_play import MARGINS, equities_of
from skyjo_agents.look_ahead import ROOM_DTYPE, add_worth, guess, weigh_all
from skyjo_agents.network_crew import POLICIES
from skyjo_agents.player import scripted
from skyjo_agents.rollout_loop import try_each
from skyjo_env.kernel.state import GAME_DTYPE


@scripted
def judge_actions(observation, rules, player, key, worths):
    """Write what every action is worth to every seat, in points, one decision ahead; NaN for illegal ones."""
    return weigh_all(observation, rules[0], player[0].weights, player[0].layout, MARGINS, key, worths)


@scripted
def judge_choices(observation, rules, player, key, worths):
    """The same as the player sees it: in points of the margin, or its chances to win the game, in percent."""
    equities = equities_of(observation, rules[0], player[0])
    return weigh_all(observation, rules[0], player[0].weights, player[0].layout, equities, key, worths)


@scripted
def judge_table(observation, rules, player, key, worth):
    """Write what the table is worth to every seat, in points."""
    games, room, view = np.empty(2, GAME_DTYPE), np.empty(1, ROOM_DTYPE), np.empty_like(observation)
    guess(games[0], rules[0], observation, key)
    worth[:] = 0
    add_worth(games, rules[0], player[0].weights, player[0].layout, MARGINS, key, 1.0, view, room[0], worth)


@scripted
def try_with_policies(*guesses):
    """`try_each` with policies that play on."""
    return try_each(POLICIES, *guesses)
