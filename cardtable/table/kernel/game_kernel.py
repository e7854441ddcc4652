"""GameKernel: the compiled functions of one game, from which the loops over tables, seats and rounds are made.

A game is a numpy record, and its rules are another. The loops read these fields of a game: `phase`, `seat`, `episode`,
`key` and `chance`, `turns`, `round_number`, `round_scores` and `totals`; of the rules `players` and `actions`. A record
also has `last_seat`, `last_action` and, where there is one, `starter`, which only Python reads.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from cardtable.table.compiling.compiler import inlined, kernel

Compiled = Callable[..., Any]

EPISODES = ("round", "game")  # how much is played; index = code
ROUND_EPISODE, GAME_EPISODE = range(2)
MAX_SEATS = 8  # of any game
MAX_KINDS = 64  # of cards
NOBODY = -1  # no seat
IMPOSSIBLE = -1  # returned instead of a number of cards: one of the given cards cannot come


@kernel
def undeclared(*_):
    """Stand for a function that a game does without: nothing is expected, noted or sampled."""
    return 0.0


class GameKernel(NamedTuple):
    """Functions and numbers that differ between games.

    A decision has three stages: `act`, and if it ends a round `score_round` and `start_next_round`.

    `over` and the phase after it, truncated, are the last phases that a seat sees. After an `act` that ends a round,
    the phase is a later one, until the round is scored. All three stages write events to a log, or take None
    (`cardtable.table.kernel.events`).
    """

    is_legal: Compiled  # (game, rules, action): any number may be asked about
    act: Compiled  # (game, rules, action, log): carry out a legal action, up to the end of a round
    score_round: Compiled  # (game, rules, log): score the round that has ended, or stop the game
    # These follow from others, and from the rules, where a game has none (`cardtable.table.kernel.usual`)
    write_observation: Any = None  # (game, rules, observer, out): the observation
    deal_round: Any = None  # (game, rules, log): the next round, from `cardtable.table.kernel.chance.start_round` on
    new_game: Any = None  # (game, rules, seed, deal, episode)
    start_next_round: Any = None  # (game, rules, log) -> was it scored? Deal again, or end the episode
    game_over: int = -1  # the number of the event that `start_next_round` notes with the winners
    write_mask: Any = None  # (game, rules, mask) -> how many actions are legal
    margin: Any = None  # (game, rules, seat): points ahead of the mean of the others in the last round
    reward_of: Any = None  # (game, rules, seat, kind, is_scored): a learner's reward for the last decision
    over: int = -1  # the last phase but one
    # These a game may do without
    sample: Compiled = undeclared  # (game, rules, observation, key, episode): a guess at the whole table
    potential: Compiled = undeclared  # (game, rules, seat): rewards with shaping pay for its change
    # (game, rules, action, cards, counts, log) -> how many cards it revealed, or IMPOSSIBLE: `act`, with these cards as
    # the first that it reveals. If there are more, `counts` (MAX_KINDS numbers) may say what the next could have been.
    act_with: Any = None
    note_luck: Compiled = undeclared  # (before, game, rules, action, view, room, luck): of an action, after its `act`
    first_compared: int = 0  # actions from this number on: `note_luck` needs the table before them
    note_round_stats: Compiled = undeclared  # (game, rules, facts): what the round has left behind, by seat


@inlined
def has_ended(kernel, game):
    """Return whether the last action ended a round, which is to be scored."""
    return game.phase > kernel.over + 1


@inlined
def play(kernel, game, rules, action):
    """Carry out a legal action and everything that follows from it; return whether it ended a round that was scored."""
    kernel.act(game, rules, action, None)
    if not has_ended(kernel, game):
        return False
    kernel.score_round(game, rules, None)
    return kernel.start_next_round(game, rules, None)


@kernel
def final_score(game, seat):
    """Return the score that decides the episode: a seat's total in a game, its round score in a single round."""
    return game.totals[seat] if game.episode == GAME_EPISODE else game.round_scores[seat]
