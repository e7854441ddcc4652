"""A game in which memory is all: the first seat guesses a hidden card, then the second is shown it.

Every deal carries a mark that both see. Whoever was shown a deal's card, and remembers it when the deal is played
again from the other seat, guesses right. The record is Nim's: `card` is hidden, `left` is the mark.
"""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

import nim_env as nim
from cardtable.table.compiling.compiler import compiler_of
from cardtable.table.game.slices import SliceSpec
from cardtable.table.kernel.chance import game_key, mix, share
from cardtable.table.kernel.game_kernel import NOBODY

CARDS = 5
MARKS = 30_000
compiled = compiler_of(__file__, nim.__file__)


@compiled
def new_game(game, rules, seed, deal, episode):
    game.key = game_key(seed, deal)
    game.card, game.left = share(mix(game.key), CARDS), game.key % np.uint64(MARKS)
    game.round_number, game.last_seat, game.episode = 1, NOBODY, episode
    game.phase, game.seat, game.turns = nim.TURN, 0, 0
    for seat in range(rules.players):
        game.round_scores[seat] = game.totals[seat] = 0


@compiled
def is_legal(game, rules, action):  # noqa: ARG001
    return 0 <= action < CARDS


@compiled
def act(game, rules, action, log):  # noqa: ARG001
    game.last_seat, game.last_action = game.seat, action
    game.turns += 1
    if game.seat == 0:
        game.totals[0] = action == game.card
        game.seat = 1
    else:
        game.phase = nim.ENDS


@compiled
def score_round(game, rules, log):  # noqa: ARG001
    game.round_scores[0] = game.totals[0]


@compiled
def write_mask(game, rules, mask):  # noqa: ARG001
    for action in range(CARDS):
        mask[action] = 1
    return CARDS


@compiled
def write_view(game, rules, observer, out):  # noqa: ARG001
    out[0], out[1] = game.left, game.card if game.seat == 1 else -1


class GuessingRules(nim.NimRules):
    """There is nothing to choose."""

    game: ClassVar[str] = "guessing"

    @property
    def actions(self) -> int:
        return CARDS


def spec_of(rules: GuessingRules) -> SliceSpec[Any]:
    del rules
    mark = ("mark", (), 0, MARKS - 1, "number", "a mark of the deal")
    return SliceSpec([mark, ("card", (), -1, CARDS - 1, "number", "the card, or -1 as long as it is hidden")])


KERNEL = nim.NIM.kernel._replace(
    new_game=new_game,
    is_legal=is_legal,
    act=act,
    score_round=score_round,
    write_mask=write_mask,
    write_view=write_view,
)
GUESSING = replace(
    nim.NIM,
    name="guessing",
    title="Guessing",
    rules_type=GuessingRules,
    kernel=KERNEL,
    spec_of=spec_of,
    named_actions=lambda _: tuple(f"card {card}" for card in range(CARDS)),
    yardstick="random",
)
