"""One-card Nim, the shortest declaration of a game: from it follow tables, environments, matches, stores and reports.

A card says how many stones lie on the table. In turn everybody takes one to `most` of them; whoever takes the last wins
all stones as points. A round leaves behind how often each moved, and whether the card was a high one.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import compiler_of
from cardtable.table.envs.aec import GuardedEnv, SeatsEnv
from cardtable.table.envs.single import SingleEnv
from cardtable.table.envs.text import TextEnv
from cardtable.table.game.card_game import CardGame, Fact
from cardtable.table.game.slices import SliceSpec
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel import scoring
from cardtable.table.kernel.chance import game_key, mix, share
from cardtable.table.kernel.game_kernel import MOST_SEATS, NOBODY, GameKernel

FEWEST, MOST = 5, 30  # stones
HIGH = 20
PHASES = ("turn", "over", "truncated")
TURN, OVER, _, ENDS = range(4)

WIDE, SHORT = ("key", "chance"), ("phase", "seat", "episode", "turns", "round_number", "last_seat", "last_action")
STONES, BY_SEAT = ("card", "left"), ("moved", "round_scores", "totals")
RECORD: Any = [(name, "u8") for name in WIDE] + [(name, "i8") for name in SHORT + STONES]
NIM_DTYPE = np.dtype((np.record, RECORD + [(name, "i8", MOST_SEATS) for name in BY_SEAT]))
compiled = compiler_of(__file__)


@compiled
def new_game(game, rules, seed, deal, episode):
    game.key = game_key(seed, deal)
    game.card = FEWEST + share(mix(game.key), MOST - FEWEST + 1)
    game.left, game.round_number, game.last_seat, game.episode = game.card, 1, NOBODY, episode
    game.phase, game.seat, game.turns = TURN, 0, 0
    for seat in range(rules.players):
        game.moved[seat] = game.round_scores[seat] = game.totals[seat] = 0


@compiled
def is_legal(game, rules, action):
    return 0 <= action < min(rules.most, game.left)


@compiled
def act(game, rules, action, log):  # noqa: ARG001
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
def go_on(game, rules, log):  # noqa: ARG001
    game.phase = OVER
    return True


@compiled
def write_mask(game, rules, mask):
    for action in range(rules.most):
        mask[action] = is_legal(game, rules, action)
    return min(rules.most, game.left)


@compiled
def write_view(game, rules, observer, out):  # noqa: ARG001
    out[0], out[1], out[2], out[3] = game.left, game.phase, observer, game.round_number


@compiled
def margin(game, rules, seat):
    return -scoring.margin(game.round_scores, rules.players, seat)


@compiled
def reward_of(game, rules, seat, kind, is_scored):  # noqa: ARG001
    return margin(game, rules, seat) / MOST if is_scored else 0.0


@compiled
def note_facts(game, rules, facts):
    for seat in range(rules.players):
        facts[seat, 0] += game.moved[seat]
        facts[seat, 1] += game.card > HIGH


@dataclass(frozen=True)
class NimRules(TableRules):
    """How many play, and how many stones may be taken at once."""

    game: ClassVar[str] = "nim"
    ranges: ClassVar = {"players": (2, MOST_SEATS), "most": (1, MOST)}
    options: ClassVar = {}

    players: int = 2
    most: int = 3

    @property
    def actions(self) -> int:
        return self.most

    @cached_property
    def params(self) -> NDArray[Any]:
        params = [(self.players, self.most, self.actions)]
        return np.array(params, [(name, "i8") for name in ("players", "most", "actions")]).view(np.recarray)


def spec_of(rules: NimRules) -> SliceSpec[Any]:
    left = ("left", (), 0, MOST, "number", "stones on the table")
    phase, seat = ("phase", (), 0, OVER, "choice", "over?"), ("seat", (), 0, rules.players - 1, "choice", "the seat")
    return SliceSpec([left, phase, seat, ("round", (), 1, 1, "number", "number of the round")])


def facts(rules: NimRules) -> tuple[Fact, ...]:
    del rules
    high = Fact("high", "high", "high rounds", 1.0, f"High is a card above {HIGH}.", of_table=True)
    return Fact("moved", "moves", "moves", 1.0, "A move takes stones."), high


NIM = CardGame(
    name="nim",
    title="Nim",
    rules_type=NimRules,
    dtype=NIM_DTYPE,
    kernel=GameKernel(
        OVER, new_game, is_legal, act, score_round, go_on, write_mask, write_view, margin, reward_of,
        note_facts=note_facts,
    ),
    phases=PHASES,
    spec_of=spec_of,
    named_actions=lambda rules: tuple(f"take {stones}" for stones in range(1, rules.most + 1)),
    actions_in_words=lambda rules: f"take 1 to take {rules.most}",
    example="seat 0: take 2",
    stopped=lambda rules: f"never: {rules.players} players take at least a stone each",
    text=lambda game, _colour: f"{game.state['left'][0]} stones",
    agents="tests.cardtable.nim.players:AGENTS",
    yardstick="greedy",
    lower_is_better=False,
    facts=facts,
    action_type=np.dtype(np.uint16),
    format_position=lambda _, game: f"nim-position {game['left']} {game['seat']}",
    events_of=lambda _rules, _stages, action, _cards: (f"{action + 1} taken",),
)  # fmt: skip


class NimEnv(SingleEnv):
    """For Gymnasium."""

    kind = NIM


class NimTextEnv(TextEnv):
    """In words."""

    single = NimEnv


class NimSeats(GuardedEnv, SeatsEnv):
    """For PettingZoo, with its usual guarantees."""

    kind = NIM
