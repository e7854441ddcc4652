"""What a seat of Skyjo Action cannot see, exchanged (12.1 to 12.3)."""

import random
from typing import Any

import numpy as np

from skyjo_action_env import Game
from skyjo_action_env.kernel import BURIED, EMPTY, HIDDEN, LOWEST

SECRET = ("drawn", "three", "three place", "three top")
Place = tuple[str, Any]


def hidden_places(record: Any, players: int, seat: int | None) -> list[Place]:
    """Where cards lie that this seat does not know, or, without a seat, that nobody knows."""
    knows = record["knowers"][:players] >> seat & 1 if seat is not None else record["knowers"][:players]
    cells = np.argwhere((record["shown"][:players] == HIDDEN) & (knows == 0))
    buried = [at for at in range(int(record["discard_size"])) if record["piles"][at] >= BURIED + LOWEST]
    return [("cards", (owner, cell)) for owner, cell in cells] + [("piles", at) for at in buried]


def draw_places(game: Game, seat: int | None) -> list[Place]:
    """Where the cards of the draw pile lie, and cards drawn from it that this seat does not see."""
    record = game._games[0]
    pile: list[Place] = [("piles", at) for at in range(120 - int(record["pile_left"]), 120)]
    if game.phase in SECRET and seat is not None and seat != game.seat:
        pile += [("hand", k) for k in range(3) if record["hand"][k] != EMPTY]
    return pile


def permute(record: Any, places: list[Place], chance: random.Random) -> None:
    """Exchange the cards in these places at random."""
    offsets = [BURIED if record[field][at] >= BURIED + LOWEST else 0 for field, at in places]
    cards = [int(record[field][at]) - offset for (field, at), offset in zip(places, offsets, strict=True)]
    chance.shuffle(cards)
    for (field, at), card, offset in zip(places, cards, offsets, strict=True):
        record[field][at] = card + offset


def permuted(game: Game, chance: random.Random, seat: int | None = None) -> Game:
    """A game that differs in everything that a seat cannot see, or that nobody knows, and in the chance to come."""
    other = game.copy()
    record = other._games[0]
    hidden, draws = hidden_places(record, game.rules.players, seat), draw_places(other, seat)
    if record["known_draws"].any():
        permute(record, hidden, chance)
        permute(record, draws, chance)
    else:
        permute(record, hidden + draws, chance)
    permute(record, [("action_piles", at) for at in range(27 - int(record["action_pile_left"]), 27)], chance)
    record["key"], record["chance"] = chance.randrange(2**64), chance.randrange(2**64)
    other._begin(start=other.state.copy())  # writes mask and observation afresh
    return other
