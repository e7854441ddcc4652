"""Tables for tests: kernel records, dealt under many rules and played at random, and written tables."""

import random
from collections import Counter
from typing import Any

from skipbo_env import Game
from skipbo_env.kernel import OPTIONS
from skipbo_env.rules import Rules, card_name, card_number
from tests.skipbo_env.oracle import DECK, WILD


def random_rules(chance: random.Random) -> Rules:
    """Rules with every field drawn at random, official ones often enough to matter."""
    players = chance.randint(2, 6)
    options: dict[str, Any] = {
        name: known[0] if chance.random() < 0.4 else chance.choice(known) for name, known in OPTIONS.items()
    }
    return Rules(
        players=players,
        stock=chance.choice((None, 1, 2, chance.randint(3, 10), min(30, len(DECK) // players - 5))),
        compulsory=chance.random() < 0.3,
        discard_wild=chance.random() < 0.7,
        target_score=chance.choice((1, 60, 500)),
        max_turns=chance.choice((1, 30, 300, 3000, 3000)),
        max_rounds=chance.choice((1, 3, 1000)),
        **options,
    )


# The rest of a position in which nobody can move, if the two stock piles show neither a 1 nor a wild card.
NO_MOVE = "hand; hand; piles | | |; piles | | | 12; draw; seat 0 turn"


def table(text: str) -> Game:
    """The game of a written position, given without its first line."""
    return Game.from_position(f"skipbo-position 1; {text}")


def closed(text: str) -> Game:
    """The game of a written position, without its first line, that says which cards are in the draw pile.

    Cards that are written nowhere lie at the bottom of the last discard pile of the last seat.
    """
    lines = text.split("; ")
    if not any(line.startswith("piles") for line in lines):
        lines += ["piles | | |" for line in lines if line.startswith("stock")]
    last = max(number for number, line in enumerate(lines) if line.startswith("piles"))
    others, pile = lines[last].rsplit("|", 1)
    spare = Counter(DECK) - Counter(written_cards(lines))
    lines[last] = " ".join([others, "|", *map(card_name, sorted(spare.elements())), pile])
    return table("; ".join(lines))


def written_cards(lines: list[str]) -> list[int]:
    """All cards in these lines."""
    cards: list[int] = []
    for line in lines:
        word, *rest = line.split()
        if word == "building":
            for pile in rest:
                last, _, wild = pile.partition(":")
                cards += [WILD if str(rank) in wild.split(",") else rank for rank in range(1, int(last) + 1)]
        elif word in ("stock", "hand", "piles", "draw", "completed"):
            cards += [card_number(card) for card in rest if card != "|"]
    return cards
