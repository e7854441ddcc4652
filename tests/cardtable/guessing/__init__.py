"""A game in which memory is all: the first seat guesses a hidden card, then the second is shown it.

Every deal carries a mark that both see. Whoever was shown a deal's card, and remembers it when the deal is played
again from the other seat, guesses right. The record is Nim's: `card` is hidden, `left` is the mark.
"""

from dataclasses import replace
from typing import ClassVar

import numpy as np

import nim_env as nim
from cardtable.table.compiling.compiler import compiler_of, inlined
from cardtable.table.game.slices import Numbers, TableView, seen
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


@inlined
def shown_card(game, rules, observer):  # noqa: ARG001
    return game.card if game.seat == 1 else -1


class View(TableView):
    """A mark, and the card for the second seat."""

    mark: Numbers = seen("number", 0, MARKS - 1, "a mark of the deal", source="left")
    card: Numbers = seen("number", -1, CARDS - 1, "the card, or -1 as long as it is hidden", source=shown_card)


class GuessingRules(nim.NimRules):
    """There is nothing to choose."""

    game: ClassVar[str] = "guessing"

    @property
    def actions(self) -> int:
        return CARDS


KERNEL = nim.NIM.kernel._replace(
    new_game=new_game,
    is_legal=is_legal,
    act=act,
    score_round=score_round,
    write_mask=write_mask,
    write_observation=None,
)
GUESSING = replace(
    nim.NIM,
    name="guessing",
    title="Guessing",
    rules_type=GuessingRules,
    kernel=KERNEL,
    view=View,
    spec_of=None,
    named_actions=lambda _: tuple(f"card {card}" for card in range(CARDS)),
    reference_agent="random",
)
