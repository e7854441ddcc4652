"""A decision carried out stage by stage at one table, called from Python: `skipbo_env.events` looks in between.

The stages are those of `play`, in the same order: first `act_one`; and then, if the round is over, `score_one` and
`go_on_one`.
"""

from skipbo_env.kernel.jit import single_kernel
from skipbo_env.kernel.outcomes import act_with
from skipbo_env.kernel.play import go_on
from skipbo_env.kernel.scoring import score_round


@single_kernel
def act_one(games, rules, action, cards):
    """Carry out a legal action that brings these cards to light up to where the round is over; see `act_with`."""
    return act_with(games[0], rules[0], action, cards)


@single_kernel
def score_one(games, rules):
    """Score the round."""
    score_round(games[0], rules[0])


@single_kernel
def go_on_one(games, rules):
    """Deal the next round, or end the episode."""
    go_on(games[0], rules[0])
