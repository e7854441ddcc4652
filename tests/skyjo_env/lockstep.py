"""Skyjo's kernel and oracle in the same words, and random rules to compare them under."""

import random
from typing import Any

from skyjo_env import Game, Rules
from skyjo_env.kernel.state import EMPTY, HIDDEN, LOWEST, OPTIONS, PHASES
from tests.games.lockstep import assert_equal
from tests.skyjo_env.oracle import Table


def random_rules(chance: random.Random) -> Rules:
    """Rules with every field drawn at random, official ones often enough to matter."""
    rows, columns, players = chance.randint(2, 4), chance.randint(2, 6), chance.randint(2, 8)
    if chance.random() < 0.3:
        rows, columns = 3, 4
    options: dict[str, Any] = {name: chance.choice(known) for name, known in OPTIONS.items()}
    flags: dict[str, Any] = {
        name: chance.random() < 0.5 for name in ("row_clear", "draw_streams", "reveal_clear", "penalty_on_negative")
    }
    return Rules(
        players=players,
        rows=rows,
        columns=columns,
        deck=random_deck(chance, players * rows * columns + 2),
        opening_flips=chance.randint(0, min(4, rows * columns - 1)),
        penalty_factor=chance.randint(1, 4),
        target_score=chance.choice((1, 20, 100)),
        max_turns=chance.choice((5, 40, 1000)),
        max_rounds=chance.choice((1, 3, 1000)),
        **options,
        **flags,
    )


def random_deck(chance: random.Random, least: int) -> tuple[tuple[int, int], ...]:
    """A deck that is just large enough or has cards to spare; few values make many lines complete."""
    size = min(300, least + chance.choice((0, 1, 5, 60)))
    values = chance.sample(range(-20, 21), chance.choice((1, 2, 3, 10)))
    cards = values + chance.choices(values, k=size - len(values))
    return tuple((value, cards.count(value)) for value in sorted(values))


def kernel_fields(game: Game) -> dict[str, Any]:
    """Everything in the kernel's record that the rules speak of, in the oracle's words."""
    record, rules = game._games[0], game.rules
    seats, cells = range(rules.players), slice(0, rules.cells)
    parts = range(rules.players if rules.draw_streams else 1)
    return {
        "cards": [[None if card == EMPTY else int(card) for card in record["cards"][seat, cells]] for seat in seats],
        "is_open": [[bool(card < HIDDEN) for card in record["shown"][seat, cells]] for seat in seats],
        "draw_parts": [
            record["piles"][record["pile_next"][part] : record["pile_end"][part]].tolist() for part in parts
        ],
        "discard": record["piles"][: record["discard_size"]].tolist(),
        "hand": game.hand,
        "phase": game.phase,
        "seat": game.seat,
        "starter": None if game.phase == "opening" else game.starter,
        "ender": game.ender,
        "turns_left": game.turns_left,
        "turns": game.turns,
        "round": game.round,
        "totals": list(game.totals),
        "round_scores": list(game.round_scores),
        "reshuffles": int(record["reshuffles"]),
        "key": int(record["key"]),
        "chance": int(record["chance"]),
        "legal": game.legal_actions(),
        "winners": list(game.winners),
    }


def oracle_fields(table: Table) -> dict[str, Any]:
    """The same of the oracle."""
    names = (
        *("cards", "is_open", "draw_parts", "discard", "hand", "phase", "seat", "starter", "ender", "turns_left"),
        *("turns", "round", "totals", "round_scores", "reshuffles", "key", "chance"),
    )
    return {name: getattr(table, name) for name in names} | {"legal": table.legal_actions(), "winners": table.winners()}


def cards_on_boards(table: Table, are_open: bool) -> list[list[int]]:
    """By seat, the cards that are open, or those that are not."""
    return [
        [card for card, is_open in zip(*board, strict=True) if card is not None and is_open == are_open]
        for board in zip(table.cards, table.is_open, strict=True)
    ]


def expected_counts(table: Table) -> dict[str, Any]:
    """The kernel's running counts, counted afresh from where the oracle's cards lie."""
    hidden_by_seat = cards_on_boards(table, are_open=False)
    hidden = [card for cards in hidden_by_seat for card in cards]
    draws = [card for part in table.draw_parts for card in part]
    if table.phase == "drawn" and table.hand is not None:
        draws.append(table.hand)
    together = hidden + draws
    return {
        "hidden_pool": by_value(together if table.reshuffles == 0 else hidden),
        "draw_pool": by_value(together if table.reshuffles == 0 else draws),
        "discard_counts": by_value(table.discard),
        "hidden_left": [len(cards) for cards in hidden_by_seat],
        "open_sum": [sum(cards) for cards in cards_on_boards(table, are_open=True)],
        "pile_left": sum(map(len, table.draw_parts)),
    }


def by_value(cards: list[int]) -> list[int]:
    counts = [0] * 41
    for card in cards:
        counts[card - LOWEST] += 1
    return counts


def kernel_counts(game: Game) -> dict[str, Any]:
    record, players = game._games[0], game.rules.players
    return {
        **{name: record[name].tolist() for name in ("hidden_pool", "draw_pool", "discard_counts")},
        **{name: record[name][:players].tolist() for name in ("hidden_left", "open_sum")},
        "pile_left": int(record["pile_left"]),
    }


def expected_view(table: Table, seat: int) -> dict[str, Any]:
    """The observation's slices as they should be, from the oracle's table as this seat sees it."""
    rules, players, counts = table.rules, table.players, expected_counts(table)
    clockwise = [(seat + place) % players for place in range(players)]
    mine = table.seat == seat
    hidden_pool, draw_pool = list(counts["hidden_pool"]), list(counts["draw_pool"])
    if table.phase == "drawn" and mine and table.hand is not None:
        draw_pool[table.hand - LOWEST] -= 1
        hidden_pool[table.hand - LOWEST] -= table.reshuffles == 0
    values = slice(rules.values[0] - LOWEST, rules.values[-1] + 1 - LOWEST)
    hand = EMPTY if table.hand is None else table.hand
    starter = {} if table.starter is None else {"starter": (table.starter - seat) % players}
    return starter | {
        "phase": PHASES.index(table.phase),
        "decider": (table.seat - seat) % players,
        "hand": HIDDEN if table.phase == "drawn" and not mine else hand,
        "discard_top": table.discard[-1] if table.discard else EMPTY,
        "draw_pile_size": counts["pile_left"],
        "discard_pile_size": len(table.discard),
        "ender": -1 if table.ender is None else (table.ender - seat) % players,
        "turns_left": table.turns_left,
        "seat": seat,
        "round": table.round,
        "turns": table.turns,
        "reshuffles": table.reshuffles,
        "cells": [[seen(table, other, cell) for cell in range(table.cells)] for other in clockwise],
        "hidden_left": [counts["hidden_left"][other] for other in clockwise],
        "open_sums": [counts["open_sum"][other] for other in clockwise],
        "totals": [table.totals[other] for other in clockwise],
        "hidden_pool": hidden_pool[values],
        "draw_pool": draw_pool[values],
        "discards": counts["discard_counts"][values],
    }


def seen(table: Table, seat: int, cell: int) -> int:
    """What everybody sees in a cell."""
    card = table.cards[seat][cell]
    if card is None:
        return EMPTY
    return card if table.is_open[seat][cell] else HIDDEN


def assert_same(game: Game, table: Table, rules: Rules, decisions: int) -> None:
    """Fail with the rules and the differing fields."""
    left, right = kernel_fields(game) | kernel_counts(game), oracle_fields(table) | expected_counts(table)
    assert_equal(left, right, rules, f"after {decisions} decisions")
