"""SKYJO_ACTION: the game, declared once for everything that plays, stores, shows and learns it. With it come Game,
GameBatch and ObservationSpec.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, RoundStat
from cardtable.table.game.slices import Cards, SliceSpec
from cardtable.table.game.table_batch import TableBatch
from cardtable.table.game.table_game import LayoutGame
from cardtable.table.kernel.scoring import POINTS, SHAPINGS
from skyjo_action_env import kernel as state
from skyjo_action_env.events import Event
from skyjo_action_env.kernel import CELLS, EMPTY, FIRST_KIND, HIDDEN, KINDS, LOWEST, NO_KIND, PHASES, ROWS, STAR
from skyjo_action_env.kernel.cards import discard_top
from skyjo_action_env.kernel.play import SKYJO_ACTION_KERNEL
from skyjo_action_env.kernel.rounds import HELD_POINTS
from skyjo_action_env.kernel.view import MAX_BONUS, View
from skyjo_action_env.position import CHECKS, format_position, parse_position
from skyjo_action_env.rules import Rules, action_names

OBSERVATION_VERSION = 1  # increased whenever a slice moves or changes its meaning: older policies are then refused
SHOWN_CARDS = Cards(tuple(range(LOWEST, EMPTY + 1)), "card from -2 to 12, then star, hidden, none")


class ObservationSpec(SliceSpec[View]):
    """Reader of observations under given rules.

    >>> from skyjo_action_env import ACTION, Game, ObservationSpec
    >>> spec = ObservationSpec(ACTION)
    >>> view = spec.view(Game(ACTION).observation())
    >>> spec.size, view.cells.shape, int(view.hidden_left[0])
    (203, (2, 12), 12)
    """

    def __init__(self, rules: Rules | str) -> None:
        super().__init__(View, Rules.check(rules), SHOWN_CARDS)

    def _agreements(self, view: View) -> dict[str, Any]:
        """There must be as many cards as places for them: the kernel relies on it when it samples."""
        secret, others_hand = (view.cells == HIDDEN) & (view.known == EMPTY), (view.hand == HIDDEN).sum(-1)
        to_deal = secret.sum((-1, -2)) + view.buried + view.draw_pile_size + others_hand
        discards = view.discards.sum(-1)
        return {
            "known": ((view.known != HIDDEN) & ((view.cells == HIDDEN) | (view.known == EMPTY))).all((-1, -2)),
            "unseen": view.unseen.sum(-1) + view.known_draws.sum(-1) == to_deal,
            "known_draws": view.known_draws.sum(-1) <= view.draw_pile_size + others_hand,
            "discards": discards + view.buried == view.discard_pile_size,
            "the deck": to_deal + discards <= state.DECK,
        }


spec_of = lru_cache(maxsize=64)(ObservationSpec)
"""The spec of given rules, made once."""

ROUND_STATS = (  # in the order of the kernel's `note_round_stats`
    RoundStat("cleared", "cells cleared", "cells cleared", 1.0, "Cells of complete columns and rows are cleared."),
    RoundStat("plays", "cards played", "action cards played", 1.0, "Action cards that the seat held and played."),
    RoundStat("earned", "cards earned", "action cards earned by stars", 1.0, "A star earns an action card."),
    RoundStat("kept", "cards kept", "action cards kept", 1.0, "Each one held at the end costs 10 points."),
)
WORST_SCORE = 2 * (state.HIGHEST * CELLS + HELD_POINTS * state.ACTION_DECK)  # doubled, with all action cards
BEST_SCORE = LOWEST * CELLS - MAX_BONUS


def illegal_penalty(rules: Rules, reward: str) -> float:
    """Return the reward for an illegal action: a lower bound of the reward of any round."""
    del rules
    if reward == "win":
        return -1.0
    return -WORST_SCORE / POINTS if reward == "score" else (BEST_SCORE - WORST_SCORE) / POINTS


def card_array(rules: Rules, cards: Sequence[int]) -> NDArray[np.int64]:
    """Return given cards as the kernel takes them; TableError if they cannot be given under these rules.

    They are the cards that the deciding seat sees for the first time, in the order in which they come to light, until
    the round is scored. A playing card is its value or STAR, an action card 16 plus its kind.
    """
    if rules.reveal_star_clear != "best":
        raise TableError("cards can be chosen only with reveal_star_clear='best'")
    for card in cards:
        is_card = isinstance(card, int | np.integer) and not isinstance(card, bool)
        if not is_card or not (LOWEST <= card <= STAR or FIRST_KIND <= card < FIRST_KIND + len(KINDS)):
            raise TableError(
                f"card={brief(card)} is not a playing card, from {LOWEST} to {STAR}, or an action card, "
                f"from {FIRST_KIND} to {FIRST_KIND + len(KINDS) - 1}"
            )
    return np.array(cards, np.int64)


SKYJO_ACTION = CardGame(
    rules_type=Rules,
    table="skyjo_action_env.card_game:Game",
    batch="skyjo_action_env.card_game:GameBatch",
    dtype=state.GAME_DTYPE,
    kernel=SKYJO_ACTION_KERNEL,
    phases=PHASES,
    view=View,
    spec_of=spec_of,
    named_actions=action_names,
    example="seat 0: draw, place 3",
    text="skyjo_action_env.render:format_table",
    seat_text="skyjo_action_env.render:seat_text",
    scene="skyjo_action_env.render:shown",
    agents="skyjo_action_agents:AGENTS",
    policies="skyjo_action_agents.skyjo_action_policies:SKYJO_ACTION_POLICIES",
    learning="skyjo_action_env.learning:SKYJO_ACTION_LEARNED",
    reference_agent="greedy",
    round_stats=lambda _: ROUND_STATS,
    penalty=illegal_penalty,
    shapings=SHAPINGS,
    card_array=card_array,
    cards=range(LOWEST, FIRST_KIND + len(KINDS)),
    event_type=Event,
    format_position=format_position,
    parse_position=parse_position,
    checks=CHECKS,
)


class Game(LayoutGame[Rules]):
    """One game of Skyjo Action: the cards of a deal depend only on (rules, seed, deal).

    >>> import random
    >>> from skyjo_action_env import Game, Rules
    >>> game = Game(Rules(players=3), seed=7, episode="round")
    >>> game.seat, game.phase, game.open_actions
    (0, 'opening', ('steal', 'double', 'double', 'three'))
    >>> chance = random.Random(7)
    >>> while not game.is_over:
    ...     game.apply(chance.choice(game.legal_actions()[:12]))
    >>> game.winners
    (1,)
    """

    card_game = SKYJO_ACTION

    @property
    def mover(self) -> int | None:
        """The seat whose turn it is, or None in the opening; `seat`, who decides, can be another one."""
        return self._seat_or_none("mover")

    @property
    def attacked(self) -> int | None:
        """The seat that an action card attacks, or None."""
        return self._seat_or_none("attacked")

    @property
    def extra_turns(self) -> int:
        """Extra turns that follow the current turn."""
        return int(self._games["extra_turns"][0])

    @property
    def hand(self) -> tuple[int, ...]:
        """The cards in hand, drawn or taken: only the seat that decides may know drawn ones."""
        return tuple(card for card in self._games["hand"][0].tolist() if card != EMPTY)

    @property
    def discard_top(self) -> int | None:
        """The card on top of the discard pile, HIDDEN for one that was removed unseen, or None."""
        card = int(discard_top(self._games[0]))
        return None if card == EMPTY else card

    @property
    def action_pile_size(self) -> int:
        """Cards left in the action pile."""
        return int(self._games["action_pile_left"][0])

    @property
    def action_discards(self) -> tuple[str, ...]:
        """The discarded action cards, bottom first."""
        size = int(self._games["action_discard_size"][0])
        return tuple(KINDS[kind] for kind in self._games["action_piles"][0, :size].tolist())

    @property
    def open_actions(self) -> tuple[str | None, ...]:
        """The open action cards by place; None where there is none."""
        return tuple(None if kind == NO_KIND else KINDS[kind] for kind in self._games["open_actions"][0].tolist())

    def held_actions(self, seat: int) -> dict[str, int]:
        """Return the action cards next to a seat's layout, with the number of each."""
        held = self._games["held"][0, self._check_seat(seat)].tolist()
        return {kind: count for kind, count in zip(KINDS, held, strict=True) if count}

    def board(self, seat: int) -> NDArray[np.int8]:
        """Return the public view of a seat's layout, as rows × columns: cards, STAR, HIDDEN or EMPTY."""
        shown: NDArray[np.int8] = self._games["shown"][0, self._check_seat(seat)].astype(np.int8)
        return shown.reshape(state.COLUMNS, ROWS).T.copy()

    def known(self, seat: int) -> dict[tuple[int, int], int]:
        """Return the hidden cards that a seat knows, by (owner, cell): only that seat may be told."""
        knows = self._games["knowers"][0] >> self._check_seat(seat) & 1
        cards = self._games["cards"][0]
        return {(int(owner), int(cell)): int(cards[owner, cell]) for owner, cell in np.argwhere(knows)}


class GameBatch(TableBatch[Rules]):
    """Many games of Skyjo Action.

    >>> from skyjo_action_env import GameBatch
    >>> batch = GameBatch(n=3)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.tolist()
    ((3, 203), (3, 96), [0, 0, 0])
    """

    card_game = SKYJO_ACTION
