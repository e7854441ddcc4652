"""SKYJO: the game, declared once for everything that plays, stores, measures, shows and learns it; its tables, and how
to read what a seat sees.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.card_game import CardGame, Luck, RoundStat
from cardtable.table.game.slices import Cards, SliceSpec
from cardtable.table.game.table_batch import TableBatch
from cardtable.table.game.table_game import LayoutGame
from cardtable.table.kernel.game_kernel import GameKernel
from cardtable.table.kernel.scoring import POINTS, SHAPINGS
from skyjo_env.events import Event
from skyjo_env.kernel.cards import deal_round
from skyjo_env.kernel.chance import SCRATCH_DTYPE, WEIGHTS, act_with, note_luck
from skyjo_env.kernel.play import act, end_round, expected_margin, is_legal, note_round_stats
from skyjo_env.kernel.state import (
    DRAWN,
    EMPTY,
    FIRST_PLACE,
    GAME_DTYPE,
    GAME_OVER,
    HIDDEN,
    HIGHEST,
    LOWEST,
    PHASES,
    TAKEN,
)
from skyjo_env.kernel.view import View, sample, write_mask, write_observation
from skyjo_env.position import CHECKS, format_position, parse_position
from skyjo_env.rules import Rules, action_names

OBSERVATION_VERSION = 1  # counted up whenever a slice moves or means something else: what was learned is then void


def shown_cards(rules: Rules) -> Cards:
    """Return the cards of the deck, hidden, and none."""
    lowest, highest = rules.values[0], rules.values[-1]
    return Cards((*rules.values, HIDDEN, EMPTY), f"card from {lowest} to {highest}, then hidden, then none")


class ObservationSpec(SliceSpec[View]):
    """Reader of observations under given rules.

    >>> from skyjo_env import Game, ObservationSpec, OFFICIAL
    >>> spec = ObservationSpec(OFFICIAL)
    >>> view = spec.view(Game(OFFICIAL).observation())
    >>> spec.size, view.cells.shape, int(view.hidden_left[0])
    (88, (2, 12), 12)
    """

    def __init__(self, rules: Rules | str) -> None:
        checked = Rules.check(rules)
        super().__init__(View, checked, shown_cards(checked))

    def _agreements(self, view: View) -> dict[str, Any]:
        """There must be as many cards as places for them: the kernel relies on it when it samples."""
        one_pool = view.reshuffles == 0  # only a reshuffle tells draws from hidden cards
        draws, hidden = view.draw_pile_size + (view.hand == HIDDEN), (view.cells == HIDDEN).sum((-1, -2))
        return {
            "hand": (view.hand != EMPTY) == np.isin(view.phase, (DRAWN, TAKEN)),
            "hidden_pool": view.hidden_pool.sum(-1) == hidden + np.where(one_pool, draws, 0),
            "draw_pool": one_pool | (view.draw_pool.sum(-1) == draws),
            "discards": view.discards.sum(-1) == view.discard_pile_size,
            "the deck": hidden + draws + view.discard_pile_size <= self.rules.deck_size,
        }


spec_of = lru_cache(maxsize=64)(ObservationSpec)
"""The spec of given rules, made once."""


LUCK = Luck(
    terms=("turned_up", "drew", "given"),
    weights=WEIGHTS,
    explained="Every card drawn or turned up is compared with the mean of all cards it could have been.",
    scratch=SCRATCH_DTYPE,
)


def round_stats(rules: Rules) -> tuple[RoundStat, ...]:
    """Return the cells that were cleared: whole columns, unless rows are cleared too."""
    if rules.row_clear:
        explained = "A column or row of equal cards is cleared, and then scores nothing."
        return (RoundStat("cleared", "cells cleared", "cells cleared", 1.0, explained),)
    explained = "A column of equal cards is cleared, and then scores nothing."
    return (RoundStat("cleared", "cells cleared", "columns cleared", 1 / rules.rows, explained),)


def illegal_penalty(rules: Rules, reward: str) -> float:
    """Return the reward for an illegal action: a lower bound of the reward of any round."""
    if reward == "win":
        return -1.0
    best, worst = score_bounds(rules)
    return -worst / POINTS if reward == "score" else (best - worst) / POINTS


def score_bounds(rules: Rules) -> tuple[int, int]:
    """Return the lowest and the highest score that a board can bring, a penalty included."""
    lowest, highest = rules.values[0], rules.values[-1]
    factor = 1 if rules.ender_penalty_mode == "off" else rules.penalty_factor
    best = rules.cells * min(lowest, 0) * (factor if rules.penalty_on_negative else 1)
    return best, rules.cells * max(highest, 0) * factor


def stops_too_soon(rules: Rules) -> bool:
    """Return whether a round may be stopped before every seat has decided. Seats that open their boards have decided
    before.
    """
    return rules.max_turns < rules.players and (rules.initial_flip == "random" or rules.opening_flips == 0)


SKYJO = CardGame(
    rules_type=Rules,
    table="skyjo_env.card_game:Game",
    batch="skyjo_env.card_game:GameBatch",
    dtype=GAME_DTYPE,
    kernel=GameKernel(
        deal_round=deal_round,
        is_legal=is_legal,
        act=act,
        score_round=end_round,
        game_over=GAME_OVER,
        write_mask=write_mask,
        write_observation=write_observation,
        sample=sample,
        potential=expected_margin,
        act_with=act_with,
        note_luck=note_luck,
        first_compared=FIRST_PLACE,
        note_round_stats=note_round_stats,
    ),
    phases=PHASES,
    view=View,
    spec_of=spec_of,
    named_actions=action_names,
    example="seat 0: draw, place 3",
    text="skyjo_env.render:format_table",
    seat_text="skyjo_env.render:seat_text",
    scene="skyjo_env.render:shown",
    agents="skyjo_agents:AGENTS",
    policies="skyjo_agents.network_shapes:SKYJO_POLICIES",
    learning="skyjo_env.learning:SKYJO_LEARNED",
    luck_by={"network": "skyjo_agents.network_luck:network_luck"},
    reference_agent="threshold:t=2,columns=true",  # the best player of Reichel (2026)
    round_stats=round_stats,
    penalty=illegal_penalty,
    shapings=SHAPINGS,
    stops_too_soon=stops_too_soon,
    luck=LUCK,
    format_position=format_position,
    parse_position=parse_position,
    checks=CHECKS,
    cards=range(LOWEST, HIGHEST + 1),
    event_type=Event,
)


class Game(LayoutGame[Rules]):
    """One game of Skyjo: the cards of a deal depend only on (rules, seed, deal).

    >>> import random
    >>> from skyjo_env import Game, Rules
    >>> game = Game(Rules(players=3), seed=7, episode="round")
    >>> game.seat, game.phase, game.legal_actions()[:2]
    (0, 'opening', [14, 15])
    >>> chance = random.Random(7)
    >>> while not game.is_over:
    ...     game.apply(chance.choice(game.legal_actions()))
    >>> game.round_scores, game.winners
    ((62, 56, 89), (1,))
    """

    card_game = SKYJO

    @property
    def hand(self) -> int | None:
        """The card in hand, drawn or taken, or None."""
        hand = int(self._games["hand"][0])
        return None if hand == EMPTY else hand

    @property
    def discard_top(self) -> int | None:
        """The card on top of the discard pile; None while the only discard has been taken."""
        size = int(self._games["discard_size"][0])
        return int(self._games["piles"][0, size - 1]) if size > 0 else None

    def board(self, seat: int) -> NDArray[np.int8]:
        """Return the public view of a seat's board, as rows × columns: cards, HIDDEN or EMPTY."""
        shown = self._games["shown"][0, self._check_seat(seat), : self.rules.cells].astype(np.int8)
        return shown.reshape(self.rules.columns, self.rules.rows).T.copy()


class GameBatch(TableBatch[Rules]):
    """Many games of Skyjo.

    >>> from skyjo_env import GameBatch
    >>> batch = GameBatch(n=3)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.tolist()
    ((3, 88), (3, 26), [0, 0, 0])
    """

    card_game = SKYJO
