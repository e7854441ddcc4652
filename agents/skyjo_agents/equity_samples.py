"""Rounds that a policy plays against itself: what their decisions looked like, and the scores that came of them."""

import numpy as np

from skyjo_agents.equity_play import stage_of
from skyjo_agents.network_play import seat_values
from skyjo_agents.player import scripted
from skyjo_agents.policy_play import policy
from skyjo_env.envs.compiled.rewards import POINTS
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.play import play
from skyjo_env.kernel.state import GAME_DTYPE, OVER, ROUND_EPISODE, TRUNCATED
from skyjo_env.kernel.view import write_view

SAMPLE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("margin", "f4"),  # that the judge expects for the seat that decides
            ("stage", "i2"),  # see skyjo_agents.equity_play.stage_of
            ("seat", "i2"),  # who decides
            ("own", "i2"),  # round scores, of this seat ...
            ("other", "i2"),  # ... and of the other
        ],
    ),
    align=True,
)


@scripted
def note_decision(view, rules, judge, game, values, sample):
    """Note how the table looks to the seat that decides."""
    seat_values(view, rules, judge.weights, judge.layout, values)
    sample.margin = POINTS * values[0]
    sample.stage = stage_of(view, rules)
    sample.seat = game.seat


@scripted
def sample_round(game, rules, player, judge, view, values, samples):
    """Play a round that was just dealt, and write a sample of every decision.

    Returns how many there are: 0 for a round that is stopped or has more decisions than there is room for.
    """
    decisions = 0
    while game.phase < OVER:
        if decisions == len(samples):
            return 0
        write_view(game, rules, game.seat, view)
        note_decision(view, rules, judge, game, values, samples[decisions])
        decisions += 1
        play(game, rules, policy(view, rules, player))
    for number in range(decisions):
        seat = samples[number].seat
        samples[number].own, samples[number].other = game.round_scores[seat], game.round_scores[1 - seat]
    return 0 if game.phase == TRUNCATED else decisions


@scripted
def sample_rounds(rules, player, judge, seed, first, view, lengths, samples):
    """A round of every deal from `first` on, as many as there are `lengths`; `samples` has room for all of them."""
    games, values, size = np.empty(1, GAME_DTYPE), np.empty(2), 0
    for number in range(len(lengths)):
        new_game(games[0], rules[0], seed, first + np.uint64(number), ROUND_EPISODE)
        lengths[number] = sample_round(games[0], rules[0], player[0], judge[0], view, values, samples[size:])
        size += lengths[number]
