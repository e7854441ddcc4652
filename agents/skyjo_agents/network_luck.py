"""The luck of a round by the network of a policy: the value of every card minus the mean over all cards that might have
come.

Its mean is 0 for all players, however wrong the values are. The better they are, the more of a margin's chance it
removes.
"""

from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import Luck, Setup
from cardtable.table.kernel.chance import mix
from cardtable.table.kernel.game_kernel import EPISODES, play
from cardtable.table.kernel.scoring import margin
from skyjo_agents.lookahead import SCRATCH_DTYPE, add_worth, count_cards, weigh
from skyjo_agents.player import scripted
from skyjo_agents.policy import LookaheadAgent
from skyjo_env.card_game import SKYJO, spec_of
from skyjo_env.kernel.state import GAME_DTYPE, TRUNCATED
from skyjo_env.rules import Rules

KERNEL = SKYJO.kernel
DIGITS = 12  # of the digest of the weights, in the name under which this luck is stored
EXPLAINED = (
    "Every card that is revealed is judged by a policy's network: how much more the table is worth to a seat than on "
    "average over all cards that might have come."
)


@scripted
def luck_of_move(games, rules, action, network, key, view, scratch, action_values, luck):
    """Carry out an action at `games[0]`, and add what luck it brought every seat, in points of the margin.

    `games[1:5]`, `view`, `scratch` and `action_values` [2, seats] are room.
    """
    games[3] = games[0]
    after = games[3]
    is_scored = play(KERNEL, after, rules, action)
    if is_scored or (after.phase != TRUNCATED and count_cards(games, rules, action, scratch) > 0):
        weights, layout = network.weights, network.layout
        weigh(games, rules, action, weights, layout, key, view, scratch, action_values[0])
        action_values[1] = 0
        if is_scored:
            for seat in range(rules.players):
                action_values[1, seat] = margin(after.round_scores, rules.players, seat)
        else:
            add_worth(games[3:], rules, weights, layout, key, 1.0, view, scratch, action_values[1])
        for seat in range(rules.players):
            luck[seat] += action_values[1, seat] - action_values[0, seat]
    games[0] = games[3]


@scripted
def luck_of_deals(rules, networks, seed, deals, episode, lengths, actions, view, luck):
    """Add the luck of every deal, [deals, seats], whose actions stand one deal after the other."""
    games, scratch, the_rules = np.empty(5, GAME_DTYPE), np.empty(1, SCRATCH_DTYPE), rules[0]
    action_values, at = np.empty((2, the_rules.players)), 0
    for k in range(len(deals)):
        KERNEL.new_game(games[0], the_rules, seed, deals[k], episode)
        for number in range(lengths[k]):
            key = mix(games[0].key + np.uint64(number))
            luck_of_move(games, the_rules, actions[at], networks[0], key, view, scratch[0], action_values, luck[k])
            at += 1


@cache
def judging_lookahead(rules: Rules) -> LookaheadAgent:
    """Return the agent whose values measure luck under these rules."""
    try:
        return LookaheadAgent(rules)
    except AgentError as error:
        raise AgentError(f"luck cannot be measured by network here: {error}") from None


def read_luck(
    version: str, setup: Setup, deals: NDArray[np.int64], lengths: NDArray[np.int64], actions: NDArray[Any]
) -> NDArray[np.float64]:
    """Return the luck of deals that have been played, [deals, players, 1]. A seat's luck minus the mean of the others'
    is the part of its margin that luck added.
    """
    rules: Any = setup.rules
    look = judging_lookahead(rules)
    if look.digest[:DIGITS] != version:
        raise TableError(f"luck by network:{version} cannot be measured: this package has {look.digest[:DIGITS]}")
    players, view, episode = rules.players, np.zeros(spec_of(rules).size, np.int16), EPISODES.index(setup.episode)
    luck, numbers = np.zeros((len(deals), players)), deals.astype(np.uint64)
    played = np.uint64(setup.seed), numbers, episode, lengths, actions
    luck_of_deals(rules.params, look.player, *played, view, luck)
    by_seat: NDArray[np.float64] = luck[:, :, None] * (players - 1) / players
    return by_seat


def network_luck(rules: Rules, version: str) -> Luck:
    """Return the luck by the value network with which `lookahead` plays under these rules; with "" for the version, by
    the one that comes with the package. Stored games name the version that measured theirs; stored luck of another
    version can be read, but not computed.
    """
    version = version or judging_lookahead(rules).digest[:DIGITS]
    return Luck(("network",), np.ones(1), EXPLAINED, f"network:{version}", partial(read_luck, version))
