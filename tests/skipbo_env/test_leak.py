"""No observation and no mask depends on what its seat cannot know (8.1 to 8.4)."""

import random
from typing import Any

from skipbo_env import Game, Rules
from skipbo_env.kernel import DISCARD
from tests.games.players import random_legal
from tests.skipbo_env.marked import MarkedTable, Older
from tests.skipbo_env.oracle import DECK

Place = tuple[str, Any]  # a field of the kernel's record, and where in it


def older_and_newer(table: MarkedTable, observer: int) -> tuple[list[Place], list[Place]]:
    """Where the older and the newer cards lie that a seat cannot see, other hands included."""
    size, newer_exist = table.stock_size(), table.has_newer_cards()
    older: list[Place] = []
    for seat, stock in enumerate(table.stocks):
        older += [("stocks", size * seat + height) for height in range(len(stock) - 1)]
    newer: list[Place] = [("piles", len(DECK) - 1 - at) for at in range(len(table.draw_pile))]
    for seat, hand in enumerate(table.hands):
        if seat != observer:
            for at, card in enumerate(hand):
                (older if isinstance(card, Older) else newer).append(("hands", (seat, at)))
    return (older, newer) if newer_exist else (older + newer, [])


def not_in_view(table: MarkedTable, observer: int) -> list[Place]:
    """Where cards lie face up that a seat does not see in the views that show less (8.2)."""
    others_too = table.rules.view == "own"
    places: list[Place] = []
    first = 0
    for seat, piles in enumerate(table.discards):
        for pile in piles:
            top_is_seen = seat == observer or not others_too
            places += [("piles", first + at) for at in range(len(pile) - top_is_seen)]
            first += len(pile)
        stock = len(table.stocks[seat])
        if others_too and seat != observer and stock > 0:
            places.append(("stocks", table.stock_size() * seat + stock - 1))
    return places


def permute(record: Any, places: list[Place], chance: random.Random) -> None:
    """Exchange the cards in these places at random."""
    cards = [int(record[field][at]) for field, at in places]
    chance.shuffle(cards)
    for (field, at), card in zip(places, cards, strict=True):
        record[field][at] = card


def permuted(game: Game, table: MarkedTable, observer: int, chance: random.Random) -> Game:
    """A game that differs in everything that a seat cannot know: hidden cards, draw pile, and the chance to come."""
    state = game.state.copy()
    older, newer = older_and_newer(table, observer)
    if game.rules.view == "table":
        permute(state[0], older, chance)
        permute(state[0], newer, chance)
    else:
        permute(state[0], older + newer + not_in_view(table, observer), chance)
    state["key"], state["chance"] = chance.randrange(2**64), chance.randrange(2**64)
    return Game.standing(game.rules, state)


def test_the_permutation_moves_older_and_newer_cards() -> None:
    rules = Rules(players=3, view="table")
    game, table, chance = Game(rules, 1), MarkedTable(rules, 1), random.Random(0)
    while not (table.has_newer_cards() and len(table.draw_pile) > 8 and len(set(table.hands[1])) > 2):
        action = random_legal(game.legal_actions(), chance, DISCARD, eagerness=1)
        game.apply(action)
        table.apply(action)
    other = permuted(game, table, 0, chance)
    moved = {field: int((game.state[field] != other.state[field]).sum()) for field in ("stocks", "piles", "hands")}
    assert moved["stocks"] > 10
    assert moved["piles"] > 5
    assert moved["hands"] > 0
    assert game.hand(0) == other.hand(0)
    assert game.observation(1).tolist() != other.observation(1).tolist()
