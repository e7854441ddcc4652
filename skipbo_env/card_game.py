"""SKIPBO: the game, declared once for everything that plays, stores, measures, shows and learns it; its tables, and how
to read what a seat sees.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from cardtable.table.checks import check_int
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, Luck, RoundStat
from cardtable.table.game.slices import Cards, SliceSpec
from cardtable.table.game.table_batch import TableBatch
from cardtable.table.game.table_game import TableGame
from cardtable.table.kernel.game_kernel import GameKernel
from skipbo_env.events import Event
from skipbo_env.kernel import (
    CARDS,
    DECK,
    ENDINGS,
    GAME_DTYPE,
    GAME_OVER,
    NONE,
    PHASES,
    PLACES,
    UNSEEN,
)
from skipbo_env.kernel.cards import completed_size, stock_top
from skipbo_env.kernel.measures import (
    REWARDS,
    SCRATCH_DTYPE,
    SHAPINGS,
    WEIGHTS,
    note_luck,
    note_round_stats,
    potential,
    reward_of,
)
from skipbo_env.kernel.play import CARD_POINTS, WIN_POINTS, act, deal_round, is_legal, score_round
from skipbo_env.kernel.unseen import act_with, next_card
from skipbo_env.kernel.view import View, sample, write_mask, write_observation
from skipbo_env.position import CHECKS, format_position, parse_position
from skipbo_env.rules import Rules, action_names, card_array

OBSERVATION_VERSION = 1  # counted up whenever a slice moves or means something else: what was learned is then void
SHOWN_CARDS = Cards(tuple(range(NONE, UNSEEN + 1)), "none, then card from 1 to 12, then wild, then not seen")


class ObservationSpec(SliceSpec[View]):
    """Reader of observations under given rules.

    >>> from skipbo_env import Game, ObservationSpec, OFFICIAL
    >>> spec = ObservationSpec(OFFICIAL)
    >>> view = spec.view(Game(OFFICIAL).observation())
    >>> spec.size, view.hand.shape, int(view.stock_sizes[1])
    (283, (5,), 30)
    """

    def __init__(self, rules: Rules | str) -> None:
        super().__init__(View, Rules.check(rules), SHOWN_CARDS)

    def check(self, observations: Any) -> Any:
        """Return observations of the whole table that can have been written under these rules, for sampling."""
        if self.rules.view != "table":
            raise TableError(f"with view={self.rules.view!r} a seat sees too little to sample games; use view='table'")
        return super().check(observations)

    def _agreements(self, view: View) -> dict[str, Any]:
        """There must be as many cards as places for them: the kernel relies on it when it samples."""
        sizes, scratch = view.discard_sizes.sum((-1, -2)), DECK - self.rules.players
        held = view.hand_sizes.sum(-1) - view.hand_sizes[..., 0]
        face_down = np.maximum(view.stock_sizes - 1, 0).sum(-1)
        unseen = view.older + view.newer - view.doubtful
        hand = (view.hand[..., None] == np.arange(1, CARDS + 1)).sum(-2)
        return {
            "hand": (hand == view.hand_counts).all(-1) & (hand.sum(-1) == view.hand_sizes[..., 0]),
            "discards": ((view.discards[..., :scratch] != NONE).sum(-1) == sizes) & (sizes <= scratch),
            "doubtful": (view.hand_counts <= view.doubtful).all(-1) & (unseen >= 0).all(-1),
            "the unseen cards": unseen.sum(-1) == face_down + held + view.draw_pile_size,
            "the deck": unseen.sum(-1) + sizes <= DECK,
        }


spec_of = lru_cache(maxsize=64)(ObservationSpec)
"""The spec of given rules, made once."""


LUCK = Luck(
    terms=("turned_up", "drew", "wilds"),
    weights=WEIGHTS,
    explained=(
        "Every stock card turned up and every card drawn is compared with the mean of all cards it could have been: "
        "how soon it can be played, and whether it is a wild card."
    ),
    scratch=SCRATCH_DTYPE,
)
ROUND_STATS = (  # in the order of the kernel's `note_round_stats`
    RoundStat("completed", "piles", "piles completed", 1.0, "Whoever plays its 12 completes a pile."),
    RoundStat("wilds", "wilds laid", "wild cards discarded", 1.0, "A discarded wild card stays wild."),
    RoundStat("stock_left", "stock left", "stock cards left", 1.0, "The stock cards are those left at the end."),
    RoundStat("turns_taken", "own turns", "turns taken", 1.0, "Turns of this player, including the last one."),
    RoundStat("blocked", "blocked", "blocked", 1.0, "A round is blocked when nobody can ever move again.", True),
)


def illegal_penalty(rules: Rules, reward: str) -> float:
    """Return the reward for an illegal action: at most -1, and a lower bound of the reward of any episode."""
    if reward != "margin":
        return -1.0
    most = WIN_POINTS + CARD_POINTS * rules.stock_size * (rules.players - 1)  # in the round that ends a game
    return -(rules.target_score + most) / rules.target_score


SKIPBO = CardGame(
    title="Skip-Bo",
    rules_type=Rules,
    table="skipbo_env.card_game:Game",
    batch="skipbo_env.card_game:GameBatch",
    dtype=GAME_DTYPE,
    kernel=GameKernel(
        is_legal=is_legal,
        act=act,
        score_round=score_round,
        deal_round=deal_round,
        game_over=GAME_OVER,
        write_mask=write_mask,
        write_observation=write_observation,
        reward_of=reward_of,
        sample=sample,
        potential=potential,
        act_with=act_with,
        note_luck=note_luck,
        note_round_stats=note_round_stats,
    ),
    phases=PHASES,
    view=View,
    spec_of=spec_of,
    named_actions=action_names,
    example="seat 0: stock to 1, discard 3 on 0",
    begins_turn=lambda game: bool(game.has_scored),
    text="skipbo_env.render:format_table",
    seat_text="skipbo_env.render:seat_text",
    scene="skipbo_env.render:shown",
    agents="skipbo_agents:AGENTS",
    policies="skipbo_agents.skipbo_policies:SKIPBO_POLICIES",
    learning="skipbo_env.learning:SKIPBO_LEARNED",
    reference_agent="greedy:pile=smallest",  # the simplest player that uses all four discard piles
    lower_is_better=False,
    round_stats=lambda _: ROUND_STATS,
    rewards=REWARDS,
    penalty=illegal_penalty,
    shapings=SHAPINGS,
    luck=LUCK,
    format_position=format_position,
    parse_position=parse_position,
    checks=CHECKS,
    card_array=card_array,
    next_card=next_card,
    event_type=Event,
)


class Game(TableGame[Rules]):
    """One game of Skip-Bo: the cards of a deal depend only on (rules, seed, deal).

    >>> import random
    >>> from skipbo_env import Game, Rules
    >>> game = Game(Rules(players=3, stock=5), seed=7, episode="round")
    >>> game.seat, game.hand(0), game.stock_top(0)
    (0, (13, 7, 9, 9, 9), 11)
    >>> chance = random.Random(7)
    >>> while not game.is_over:
    ...     plays = [action for action in game.legal_actions() if action < 72]
    ...     game.apply(chance.choice(plays or game.legal_actions()))
    >>> game.ending, game.round_scores, game.winners
    ('won', (0, 0, 60), (2,))
    """

    card_game = SKIPBO

    # What lies on the table

    @property
    def starter(self) -> int:
        """The seat that started this round."""
        return int(self._games["starter"][0])

    @property
    def ending(self) -> str | None:
        """End of the last round: "won", "blocked" (5.2), "no_cards" (4.5) or "stopped" (5.5); None before that."""
        return ENDINGS[int(self._games["ending"][0])]

    @property
    def draw_pile_size(self) -> int:
        """Cards left in the draw pile."""
        return int(self._games["draw_left"][0])

    @property
    def completed_size(self) -> int:
        """Completed cards, which will become a draw pile."""
        return int(completed_size(self._games[0]))

    @property
    def recycles(self) -> int:
        """The number of recyclings in this round."""
        return int(self._games["recycles"][0])

    def building_piles(self) -> tuple[int, ...]:
        """Return the last rank of every building pile, 0 for an empty place."""
        return tuple(self._games["heights"][0].tolist())

    def stock_size(self, seat: int) -> int:
        """Return the number of cards in a seat's stock pile."""
        return int(self._games["stock_left"][0, self._check_seat(seat)])

    def stock_top(self, seat: int) -> int | None:
        """Return the top card of a seat's stock pile; None if the pile is empty."""
        card = int(stock_top(self._games[0], self._params[0], self._check_seat(seat)))
        return None if card == NONE else card

    def discard_pile(self, seat: int, pile: int) -> tuple[int, ...]:
        """Return the cards of a discard pile, bottom card first."""
        number = PLACES * self._check_seat(seat) + check_int("pile", pile, 0, PLACES - 1)
        sizes = self._games["sizes"][0].ravel()
        end = int(sizes[: number + 1].sum())
        return tuple(self._games["piles"][0, end - int(sizes[number]) : end].tolist())

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return a seat's hand cards, first drawn first: only that seat may know them."""
        size = self._games["hand_size"][0, self._check_seat(seat)]
        return tuple(self._games["hands"][0, seat, :size].tolist())


class GameBatch(TableBatch[Rules]):
    """Many games of Skip-Bo.

    >>> from skipbo_env import GameBatch
    >>> batch = GameBatch(n=3)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.tolist()
    ((3, 283), (3, 125), [0, 0, 0])
    """

    card_game = SKIPBO
