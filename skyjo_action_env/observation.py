"""The observation's named slices: what stands where, within which bounds, and what it means."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from cardtable.table.game.slices import Cards, Numbers, Part, SliceSpec
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.state import CARDS, CELLS, DECK, EMPTY, HIDDEN, KINDS, LINES, LOWEST, STAR
from skyjo_action_env.kernel.view import LARGEST
from skyjo_action_env.rules import Rules

OBSERVATION_VERSION = 1  # increased whenever a slice moves or changes its meaning: older policies are then refused
SHOWN_CARDS = Cards(tuple(range(LOWEST, EMPTY + 1)), "card from -2 to 12, then star, hidden, none")
MOST_BONUS = 75  # points of all lines of stars of a layout


def _parts(rules: Rules) -> list[Part]:
    players, others, last_kind = rules.players, rules.players - 1, len(KINDS) - 1
    cells, turns = (players, CELLS), rules.max_turns + others
    counted, by_kind = ((CARDS,), 0, max(state.COUNTS), "number"), ((len(KINDS),), 0, state.COPIES, "number")
    marks = f"{STAR} star, {HIDDEN} hidden, {EMPTY} none"
    kinds, phases = (", ".join(f"{k} {name}" for k, name in enumerate(names)) for names in (KINDS, state.PHASES))
    return [
        ("phase", (), 0, state.TRUNCATED, "choice", phases),
        ("decider", (), 0, others, "choice", "who decides, in places clockwise from the observer (0: the observer)"),
        ("mover", (), -1, others, "choice", "whose turn it is, in places clockwise; -1 in the opening"),
        ("discard_top", (), LOWEST, EMPTY, "card", f"the card on top of the discard pile; {marks}"),
        ("draw_pile_size", (), 0, DECK, "number", "cards in the draw pile"),
        ("discard_pile_size", (), 0, DECK, "number", "cards in the discard pile"),
        ("buried", (), 0, DECK, "number", "cards of the discard pile that nobody has seen"),
        ("ender", (), -1, others, "choice", "who ended the round, in places clockwise; -1 nobody yet"),
        ("turns_left", (), 0, others, "number", "turns left after the round was ended, the current one included"),
        ("extra_turns", (), 0, 2 * state.ACTION_DECK, "number", "extra turns that follow the current turn"),
        ("starter", (), -1, others, "choice", "who starts this round, in places clockwise; -1 not yet known"),
        ("played", (), -1, last_kind, "choice", f"the action card that is being carried out, -1 none: {kinds}"),
        ("attacked", (), -1, others, "choice", "whom it attacks, in places clockwise; -1 nobody"),
        ("line", (), -1, LINES - 1, "choice", "the line that its owner is asked about: columns 0 to 3, rows 4 to 6"),
        ("accepted", (), 0, state.ALL_LINES, "number", "lines that are to be cleared with it, as bits"),
        ("is_reveal", (), 0, 1, "choice", "1 once all cards are turned up at the end of a round"),
        ("chosen", (), -1, CELLS * players - 1, "number", "first cell of a swap or an exchange: 12 × place + cell"),
        ("chosen_with", (), -1, CELLS * players - 1, "number", "the second one, while a defence is asked about"),
        ("picked", (), -1, state.NO_CARD, "choice", "which of three drawn cards is laid; 3 none, -1 not yet known"),
        ("seat", (), 0, others, "choice", "the observer's own seat number"),
        ("round", (), 1, rules.max_rounds, "number", "number of the round"),
        ("turns", (), 0, turns, "number", "turns completed in this round"),
        ("reshuffles", (), 0, LARGEST, "number", "how often the discards became the draw pile in this round"),
        ("action_pile_size", (), 0, state.ACTION_DECK, "number", "cards in the action pile"),
        ("action_top", (), -1, last_kind, "choice", "the top of the discard pile of action cards; -1 none"),
        ("hand", (state.HAND,), LOWEST, EMPTY, "card", f"cards in hand; {marks}"),
        ("strays", (state.HAND,), 0, 1, "choice", "1 for a card the observer drew that was no known draw"),
        ("open_actions", (state.PLACES,), -1, last_kind, "choice", "the open action cards; -1 none"),
        ("fresh", *by_kind, "action cards that cannot be used in extra turns yet, by kind"),
        ("action_discards", *by_kind, "discarded action cards by kind"),
        ("unseen", *counted, f"what hidden cards may be: cards from {LOWEST} to {state.HIGHEST}, then stars"),
        ("known_draws", *counted, "cards known to be in the draw pile; its other cards are unseen"),
        ("discards", *counted, "cards in the discard pile that were seen"),
        ("cells", cells, LOWEST, EMPTY, "card", f"every layout, the observer's first, then clockwise; {marks}"),
        ("known", cells, LOWEST, EMPTY, "card", f"hidden cards that the observer knows; {EMPTY} elsewhere"),
        ("knowers", cells, 0, (1 << players) - 1, "number", "who knows a hidden card, as bits by place"),
        ("held", (players, len(KINDS)), 0, state.COPIES, "number", "action cards beside each layout, by kind"),
        ("hidden_left", (players,), 0, CELLS, "number", "hidden cards of each layout"),
        ("open_sums", (players,), LOWEST * CELLS, state.HIGHEST * CELLS, "number", "sums of open cards, by layout"),
        ("totals", (players,), -LARGEST, LARGEST, "number", "totals of all rounds scored"),
        ("claims", (players,), 0, CELLS, "number", "action cards earned by stars and not yet taken"),
        ("bonus", (players,), -MOST_BONUS, 0, "number", "points of lines of stars that were cleared"),
        ("changed", (players,), 0, state.ALL_LINES, "number", "lines that changed since they were looked at, as bits"),
    ]


def usual_sizes(rules: Rules) -> dict[str, int]:
    """The usual size of numbers that stay far from their bounds."""
    usual = {"round": 10, "turns": 50, "reshuffles": 1, "totals": rules.target_score, "open_sums": 48, "extra_turns": 2}
    return usual | {"bonus": 10, "claims": 2, "hidden_left": 12}


@dataclass(eq=False)
class View:
    """The slices of observations by name, each with the axes of a batch before its own; the page of the environment
    lists shapes and meanings.
    """

    phase: Numbers
    decider: Numbers
    mover: Numbers
    discard_top: Numbers
    draw_pile_size: Numbers
    discard_pile_size: Numbers
    buried: Numbers
    ender: Numbers
    turns_left: Numbers
    extra_turns: Numbers
    starter: Numbers
    played: Numbers
    attacked: Numbers
    line: Numbers
    accepted: Numbers
    is_reveal: Numbers
    chosen: Numbers
    chosen_with: Numbers
    picked: Numbers
    seat: Numbers
    round: Numbers
    turns: Numbers
    reshuffles: Numbers
    action_pile_size: Numbers
    action_top: Numbers
    hand: Numbers
    strays: Numbers
    open_actions: Numbers
    fresh: Numbers
    action_discards: Numbers
    unseen: Numbers
    known_draws: Numbers
    discards: Numbers
    cells: Numbers
    known: Numbers
    knowers: Numbers
    held: Numbers
    hidden_left: Numbers
    open_sums: Numbers
    totals: Numbers
    claims: Numbers
    bonus: Numbers
    changed: Numbers


class ObservationSpec(SliceSpec[View]):
    """How to read an observation under given rules.

    >>> from skyjo_action_env import ACTION, Game, ObservationSpec
    >>> spec = ObservationSpec(ACTION)
    >>> view = spec.view(Game(ACTION).observation())
    >>> spec.size, view.cells.shape, int(view.hidden_left[0])
    (203, (2, 12), 12)
    """

    view_type = View

    def __init__(self, rules: Rules | str) -> None:
        self.rules = Rules.check(rules)
        super().__init__(_parts(self.rules), SHOWN_CARDS, usual_sizes(self.rules))

    def _agreements(self, view: View) -> dict[str, Any]:
        """The cards shown and counted must be those of the decks: the kernel relies on it when it samples."""
        secret = (view.cells == HIDDEN) & (view.known == EMPTY)
        others_hand = (view.hand == HIDDEN).sum(-1)
        to_deal = secret.sum((-1, -2)) + view.buried + view.draw_pile_size + others_hand
        codes = np.arange(LOWEST, STAR + 1)
        lying = [view.cells, view.known, view.hand]
        seen = sum((part[..., None] == codes).reshape(*view.phase.shape, -1, CARDS).sum(-2) for part in lying)
        kinds = len(KINDS) if self.rules.action_deck == "all" else state.CERTAIN_KINDS
        action_codes = np.arange(len(KINDS))
        actions = view.held.sum(-2) + view.action_discards
        actions = actions + (view.open_actions[..., None] == action_codes).sum(-2)
        copies = state.COPIES * (action_codes < kinds)
        top = view.action_top
        is_bare = (view.discard_top == EMPTY) & (view.discard_pile_size == 0)
        is_buried = (view.discard_top == HIDDEN) & (view.buried > 0)
        return {
            "cells": ((view.cells == HIDDEN) | (view.known == EMPTY)).all((-1, -2)),
            "known": ((view.known != HIDDEN) & ((view.known == EMPTY) == (view.knowers & 1 == 0))).all((-1, -2)),
            "knowers": ((view.cells == HIDDEN) | (view.knowers == 0)).all((-1, -2)),
            "hidden_left": ((view.cells == HIDDEN).sum(-1) == view.hidden_left).all(-1),
            "open_sums": (np.where(view.cells < STAR, view.cells, 0).sum(-1) == view.open_sums).all(-1),
            "the deck": (seen + view.unseen + view.known_draws + view.discards == np.array(state.COUNTS)).all(-1),
            "unseen": view.unseen.sum(-1) + view.known_draws.sum(-1) == to_deal,
            "known_draws": view.known_draws.sum(-1) <= view.draw_pile_size + others_hand,
            "discards": view.discards.sum(-1) + view.buried == view.discard_pile_size,
            "discard_top": _counts(view.discard_top, LOWEST, view.discards) | is_bare | is_buried,
            "the action cards": (actions <= copies).all(-1) & ((copies - actions).sum(-1) == view.action_pile_size),
            "action_top": np.where(top < 0, view.action_discards.sum(-1) == 0, _counts(top, 0, view.action_discards)),
        }


def _counts(card: Any, lowest: int, counts: Any) -> Any:
    """Is this one of the cards that are counted, from the lowest on?"""
    return ((card[..., None] == lowest + np.arange(counts.shape[-1])) & (counts > 0)).any(-1)


spec_of = lru_cache(maxsize=64)(ObservationSpec)
"""The spec of given rules, made once."""
