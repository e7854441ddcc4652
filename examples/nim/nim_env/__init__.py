"""One-card Nim, the shortest declaration of a game: from it follow tables, environments, matches, stores and reports.

A card gives the number of stones on the table. Each seat in turn takes one to `most` of them. The seat that takes the
last stone wins all stones as points. The statistics of a round are the moves of each seat, and whether the card was
high.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardtable.table.compiling.compiler import compiler_of
from cardtable.table.envs.environments import environments
from cardtable.table.game.card_game import CardGame, RoundStat
from cardtable.table.game.events import OfSeat, TableEvent
from cardtable.table.game.slices import Numbers, TableView, others, seen
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel.chance import mix, share, start_round
from cardtable.table.kernel.events import note
from cardtable.table.kernel.game_kernel import MAX_SEATS, GameKernel
from cardtable.table.kernel.usual import game_dtype
from cardtable.table.kernel.views import observer_seat

MIN_STONES, MAX_STONES = 5, 30  # stones
HIGH = 20
TURN, OVER, _, ENDS = range(4)
TAKEN = 0  # the only kind of event
NIM_DTYPE = game_dtype(card="i8", left="i8", moved=("i8", MAX_SEATS))
compiled = compiler_of(__file__)


@compiled
def deal_round(game, rules, log):  # noqa: ARG001
    start_round(game)
    game.card = game.left = MIN_STONES + share(mix(game.key), MAX_STONES - MIN_STONES + 1)
    game.phase, game.seat = TURN, 0
    game.moved[:] = 0


@compiled
def is_legal(game, rules, action):
    return 0 <= action < min(rules.most, game.left)


@compiled
def act(game, rules, action, log):
    note(log, TAKEN, game.seat, action + 1)
    game.last_seat, game.last_action = game.seat, action
    game.left -= action + 1
    game.moved[game.seat] += 1
    game.turns += 1
    if game.left == 0:
        game.phase = ENDS
    else:
        game.seat = (game.seat + 1) % rules.players


@compiled
def score_round(game, rules, log):  # noqa: ARG001
    game.round_scores[game.seat] = game.totals[game.seat] = game.card


@compiled
def note_round_stats(game, rules, round_stats):
    for seat in range(rules.players):
        round_stats[seat, 0] += game.moved[seat]
        round_stats[seat, 1] += game.card > HIGH


@dataclass(frozen=True)
class NimRules(TableRules):
    """Number of players, and the most stones that may be taken at once."""

    game: ClassVar[str] = "nim"
    ranges: ClassVar = {"players": (2, MAX_SEATS), "most": (1, MAX_STONES)}

    players: int = 2
    most: int = 3

    actions: ClassVar = property(lambda rules: rules.most)


class View(TableView):
    """A seat's observation."""

    left: Numbers = seen("number", 0, MAX_STONES, "stones on the table")
    phase: Numbers = seen("choice", 0, OVER, "over?")
    seat: Numbers = seen("choice", 0, others, "the seat", source=observer_seat)
    round: Numbers = seen("number", 1, 1, "number of the round", source="round_number")


class NimEvent(TableEvent):
    """Something that happened at the table."""


class StonesTaken(NimEvent, OfSeat):
    """A seat took so many stones."""

    stones: int


MOVES = RoundStat("moved", "moves", "moves", 1.0, "A move takes stones.")
HIGH_ROUND = RoundStat("high", "high", "high rounds", 1.0, f"High is a card above {HIGH}.", of_table=True)
NIM = CardGame(
    rules_type=NimRules,
    dtype=NIM_DTYPE,
    kernel=GameKernel(is_legal, act, score_round, deal_round=deal_round, note_round_stats=note_round_stats),
    view=View,
    named_actions=lambda rules: [f"take {stones}" for stones in range(1, rules.most + 1)],
    lower_is_better=False,
    round_stats=lambda _: (MOVES, HIGH_ROUND),
    action_type=np.dtype(np.uint16),
    event_type=NimEvent,
)

RawEnv, Env, ParallelEnv, NimEnv, NimTextEnv, NimVectorEnv = environments(NIM, __name__)
