"""Written tables for tests: games from positions, and decisions by their names."""

from collections import Counter

import pytest

from skipbo_env import Game, IllegalActionError, action_names
from skipbo_env.actions import card_name, card_number
from tests.skipbo_env.games import play, table
from tests.skipbo_env.oracle import DECK, WILD

# The rest of a position in which nobody can move, if the two stock piles show neither a 1 nor a wild card.
NO_MOVE = "hand; hand; piles | | |; piles | | | 12; draw; seat 0 turn"


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


def lines(game: Game, word: str) -> list[str]:
    """What follows this word in the lines of the game's position."""
    found = (line.partition(" ") for line in game.position().splitlines())
    return [rest for first, _, rest in found if first == word]


def line(game: Game, word: str) -> str:
    """The same for a word that begins one line at most."""
    return "".join(lines(game, word))


def legal(game: Game, *words: str) -> list[str]:
    """The legal decisions by name, or those of them that begin with one of these words."""
    names = [action_names(game.rules)[action] for action in game.legal_actions()]
    return [name for name in names if not words or name.split()[0] in words]


def refuse(game: Game, name: str) -> None:
    """This decision is illegal, and trying it changes nothing."""
    before = game.position()
    with pytest.raises(IllegalActionError, match=name):
        play(game, name)
    assert game.position() == before
