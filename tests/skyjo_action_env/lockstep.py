"""Skyjo Action's kernel and oracle in the same words, and random rules to compare them under."""

import random
from collections import Counter
from typing import Any

from skyjo_action_env import Game, Rules
from skyjo_action_env.kernel import BURIED, OPTIONS, SWITCHES
from tests.games.lockstep import assert_equal
from tests.skyjo_action_env.oracle import CELLS, KINDS, PHASES, STAR, Card, Table, hidden_cells

HIDDEN = 14  # a card that is hidden, in place of its number
EMPTY = 15  # no card there
NOBODY = -1

NUMBERS = (
    *("phase", "seat", "mover", "ender", "starter", "turns", "turns_left", "extra_turns", "round_number"),
    *("reshuffles", "played", "attacked", "line", "is_reveal"),
)
LISTS = (
    *("totals", "round_scores", "hand", "draw_pile", "action_pile", "action_discard", "open_actions", "fresh"),
    *("claims", "bonus", "plays", "earned"),
)
IN_PRIVATE = ("drawn", "three", "three place", "three top")  # phases in which the hand is the player's alone (12.1)


def random_rules(chance: random.Random) -> Rules:
    """Rules with every field drawn at random."""
    options: dict[str, Any] = {name: chance.choice(known) for name, known in OPTIONS.items()}
    switches: dict[str, Any] = {name: chance.random() < 0.5 for name in SWITCHES}
    return Rules(
        players=chance.randint(2, 8),
        target_score=chance.choice((1, 20, 100)),
        max_turns=chance.choice((5, 40, 300, 1000)),
        max_rounds=chance.choice((1, 3, 1000)),
        **options,
        **switches,
    )


def kernel_fields(game: Game) -> dict[str, Any]:
    """Everything in the kernel's record that the rules speak of, in the oracle's words."""
    record, players = game._games[0], game.rules.players
    piles, actions = record["piles"].tolist(), record["action_piles"].tolist()
    size, action_size = int(record["discard_size"]), int(record["action_discard_size"])
    by_seat = ("totals", "round_scores", "claims", "bonus", "plays", "earned")
    by_cell = ("held", "shown", "cards", "knowers")
    numbers = ("turns", "turns_left", "extra_turns", "round_number", "reshuffles", "buried")
    return {
        "phase": game.phase,
        **{name: getattr(game, name) for name in ("seat", "mover", "ender", "attacked")},
        "starter": None if game.phase == "opening" or game.mover is None else game.starter,
        **{name: int(record[name]) for name in numbers},
        **{name: none_below_0(record[name]) for name in ("played", "line")},
        **{name: record[name][:players].tolist() for name in by_seat + by_cell},
        **{name: record[name].tolist() for name in ("fresh", "unseen", "known_draws", "discards")},
        "is_reveal": bool(record["is_reveal"]),
        "hand": [None if card == EMPTY else card for card in record["hand"].tolist()],
        "draw_pile": piles[len(piles) - int(record["pile_left"]) :],
        "action_pile": actions[len(actions) - int(record["action_pile_left"]) :],
        "action_discard": actions[:action_size],
        "open_actions": [none_below_0(kind) for kind in record["open_actions"]],
        "chosen": cell_or_none(record["chosen"]),
        "chosen_with": cell_or_none(record["chosen_with"]),
        "accepted": [line for line in range(7) if int(record["accepted"]) >> line & 1],
        "discard_pile": [card - BURIED if card > EMPTY else card for card in piles[:size]],
        "face_down": [card > EMPTY for card in piles[:size]],
    }


def none_below_0(number: Any) -> int | None:
    """A number of the kernel, which writes -1 for none."""
    return None if number < 0 else int(number)


def cell_or_none(number: Any) -> list[int] | None:
    """A cell by seat and number within its layout."""
    return None if number < 0 else list(divmod(int(number), 12))


def assert_same(game: Game, oracle: Table, rules: Rules, decisions: int) -> None:
    """Fail unless kernel and oracle agree in everything."""
    ours, theirs = kernel_fields(game), oracle_fields(oracle)
    where = f"after {decisions} decisions of seed {game.seed}, deal {game.deal}"
    assert_equal(ours, theirs, rules, where)
    legal = [] if oracle.phase in ("over", "truncated") else oracle.legal_actions()
    assert_equal({"legal": game.legal_actions()}, {"legal": legal}, rules, where)
    assert_equal({"winners": list(game.winners)}, {"winners": list(oracle.winners())}, rules, where)


def oracle_fields(table: Table) -> dict[str, Any]:
    """Everything in the oracle's table that the rules speak of, as plain numbers and lists."""
    return {
        **{name: getattr(table, name) for name in NUMBERS},
        **{name: list(getattr(table, name)) for name in LISTS},
        "held": [list(held) for held in table.held],
        "chosen": None if table.chosen is None else list(table.chosen),
        "chosen_with": None if table.chosen_with is None else list(table.chosen_with),
        "accepted": sorted(table.accepted),
        "discard_pile": [card.value for card in table.discard],
        "face_down": [not card.is_open for card in table.discard],
        "buried": buried(table),
        "shown": [[shown(card) for card in layout] for layout in table.layouts],
        "cards": [[EMPTY if card is None else card.value for card in layout] for layout in table.layouts],
        "knowers": [[knowers(card, list(table.seats)) for card in layout] for layout in table.layouts],
        "unseen": by_card(table.unseen),
        "known_draws": by_card(table.known_draws),
        "discards": open_discards(table),
    }


def expected_view(table: Table, seat: int) -> dict[str, Any]:
    """The observation's slices as they should be, from the oracle's table as this seat sees it (12)."""
    clockwise = table.clockwise(seat)
    layouts = [table.layouts[other] for other in clockwise]
    unseen, known_draws = counts_of(table, seat)
    return {
        "phase": PHASES.index(table.phase),
        "decider": clockwise.index(table.seat),
        "mover": place_of(table.mover, clockwise),
        "hand": seen_hand(table, seat),
        "discard_top": shown(table.discard[-1]) if len(table.discard) > 0 else EMPTY,
        "draw_pile_size": len(table.draw_pile),
        "discard_pile_size": len(table.discard),
        "buried": buried(table),
        "ender": place_of(table.ender, clockwise),
        "turns_left": table.turns_left,
        "starter": place_of(table.previous_ender if table.starter is None else table.starter, clockwise),
        "extra_turns": table.extra_turns,
        "played": number_or_none(table.played),
        "attacked": place_of(table.attacked, clockwise),
        "line": number_or_none(table.line),
        "accepted": sum(2**line for line in table.accepted),
        "is_reveal": int(table.is_reveal),
        "chosen": named_cell(table.chosen, clockwise),
        "chosen_with": named_cell(table.chosen_with, clockwise),
        "seat": seat,
        "round": table.round_number,
        "turns": table.turns,
        "reshuffles": table.reshuffles,
        "action_pile_size": len(table.action_pile),
        "action_top": table.action_discard[-1] if len(table.action_discard) > 0 else NOBODY,
        "open_actions": [number_or_none(kind) for kind in table.open_actions],
        "cells": [[shown(card) for card in layout] for layout in layouts],
        "known": [[known(card, seat) for card in layout] for layout in layouts],
        "knowers": [[knowers(card, clockwise) for card in layout] for layout in layouts],
        "hidden_left": [len(hidden_cells(layout)) for layout in layouts],
        "open_sums": [sum(card.points for card in layout if card is not None and card.is_open) for layout in layouts],
        "totals": [table.totals[other] for other in clockwise],
        "held": [list(table.held[other]) for other in clockwise],
        "claims": [table.claims[other] for other in clockwise],
        "bonus": [table.bonus[other] for other in clockwise],
        "fresh": list(table.fresh),
        "unseen": by_card(unseen),
        "known_draws": by_card(known_draws),
        "discards": open_discards(table),
        "action_discards": [table.action_discard.count(kind) for kind in KINDS],
    }


def counts_of(table: Table, seat: int) -> tuple[Counter[int], Counter[int]]:
    """The unseen cards and the known draws as a seat counts them, which knows some of these cards (12.2 to 12.4)."""
    unseen, known_draws = Counter(table.unseen), Counter(table.known_draws)
    for layout in table.layouts:
        unseen.subtract(card.value for card in layout if card is not None and seat in card.known_by)
    if table.phase in IN_PRIVATE and seat == table.mover:
        for card in table.hand:
            if card is not None:
                counted_in = known_draws if known_draws[card] > 0 else unseen
                counted_in[card] -= 1
    return unseen, known_draws


def seen_hand(table: Table, seat: int) -> list[int]:
    """What a seat sees of the cards in hand (12.1)."""
    is_private = table.phase in IN_PRIVATE and seat != table.mover
    return [EMPTY if card is None else HIDDEN if is_private else card for card in table.hand]


def shown(card: Card | None) -> int:
    """A card as everybody sees it."""
    if card is None:
        return EMPTY
    return card.value if card.is_open else HIDDEN


def known(card: Card | None, seat: int) -> int:
    """A hidden card that this seat knows (12.2)."""
    return card.value if card is not None and seat in card.known_by else EMPTY


def knowers(card: Card | None, seats: list[int]) -> int:
    """Who of these seats knows a hidden card: 1 for the first, 2 for the second, 4 for the third, and so on."""
    return 0 if card is None else sum(2**place for place, seat in enumerate(seats) if seat in card.known_by)


def buried(table: Table) -> int:
    """How many cards lie face down in the discard pile."""
    return sum(not card.is_open for card in table.discard)


def open_discards(table: Table) -> list[int]:
    """Counts of the cards that lie open in the discard pile."""
    return by_card(Counter(card.value for card in table.discard if card.is_open))


def by_card(counts: Counter[int]) -> list[int]:
    """Counts of the cards from -2 to 12 and of the stars."""
    return [counts[card] for card in range(-2, STAR + 1)]


def place_of(seat: int | None, clockwise: list[int]) -> int:
    """How far a seat sits clockwise from the observer."""
    return NOBODY if seat is None else clockwise.index(seat)


def named_cell(chosen: tuple[int, int] | None, clockwise: list[int]) -> int:
    """A cell as the observer names it."""
    return NOBODY if chosen is None else len(CELLS) * clockwise.index(chosen[0]) + chosen[1]


def number_or_none(number: int | None) -> int:
    """A number, or -1 for none."""
    return NOBODY if number is None else number
