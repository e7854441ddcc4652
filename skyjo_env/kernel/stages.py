"""A decision carried out stage by stage at one table, called from Python: `skyjo_env.events` looks in between.

The stages are those of `play`, in the same order: first `prepare_one` and `act_one`; if the round ends `reveal_one`,
`clear_one`, `score_one`; and then, unless the episode is over, `deal_one` and `open_one`. A round that is stopped has
`stop_one` alone.
"""

from skyjo_env.kernel.deal import begin_opening, deal_boards
from skyjo_env.kernel.jit import single_kernel
from skyjo_env.kernel.outcomes import prepare, reveal_cards
from skyjo_env.kernel.play import act
from skyjo_env.kernel.scoring import is_last_round, reveal, score_round, stop_round
from skyjo_env.kernel.state import OVER


@single_kernel
def prepare_one(games, rules, action, cards, counts):
    """Lay the table so that an action brings the given cards to light; see `outcomes.prepare`."""
    return prepare(games[0], rules[0], action, cards, counts)


@single_kernel
def act_one(games, rules, action):
    """Carry out a legal action up to where the round is over."""
    act(games[0], rules[0], action)


@single_kernel
def reveal_one(games, rules, cards, brought, counts):
    """Turn up all hidden cards; see `outcomes.reveal_cards`."""
    return reveal_cards(games[0], rules[0], cards, brought, counts)


@single_kernel
def clear_one(games, rules):
    """Everything lies open: clear the lines that the reveal clears."""
    reveal(games[0], rules[0])


@single_kernel
def score_one(games, rules):
    """Score the round."""
    score_round(games[0], rules[0])


@single_kernel
def stop_one(games, rules):
    """Stop the game."""
    stop_round(games[0], rules[0])


@single_kernel
def deal_one(games, rules):
    """Deal the next round, or end the episode; tells whether there is one."""
    if is_last_round(games[0], rules[0]):
        games[0].phase = OVER
        return False
    deal_boards(games[0], rules[0])
    return True


@single_kernel
def open_one(games, rules):
    """Begin the opening of a round that has just been dealt."""
    begin_opening(games[0], rules[0])
