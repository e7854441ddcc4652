"""Tables of Skyjo Action made for tests: layouts and action cards as wished, everything else at random."""

import random
from typing import Any

import numpy as np

from skyjo_action_env import Game, Rules
from skyjo_action_env.kernel.state import (
    ACTION_DECK,
    CELLS,
    COPIES,
    COUNTS,
    DECK,
    EMPTY,
    HIDDEN,
    KINDS,
    LOWEST,
    OPTIONS,
    STAR,
    SWITCHES,
    TURN,
)

MARKS = {"*": STAR, "?": HIDDEN, ".": EMPTY}


def random_rules(chance: random.Random, **fixed: Any) -> Rules:
    """Any rules with a short game."""
    chosen: dict[str, Any] = {name: chance.choice(values) for name, values in OPTIONS.items()}
    chosen |= {name: chance.random() < 0.5 for name in SWITCHES}
    chosen |= {"players": chance.randint(2, 8), "max_turns": 1000, "max_rounds": 2}
    return Rules(**chosen | fixed)


def cards(text: str) -> list[int]:
    """Twelve cells, column by column: numbers, * star, ? hidden, . none."""
    found = [MARKS.get(word) if word in MARKS else int(word) for word in text.replace("|", " ").split()]
    assert len(found) == CELLS
    return [int(card) for card in found if card is not None]


def table(
    *layouts: str,
    top: int = 5,
    held: tuple[str, ...] = ("",) * 8,
    open_actions: str = "look look look double",
    rules: str = "",
    **fields: int,
) -> Game:
    """Seat 0 is to begin its turn; `held` are action cards by seat. Other fields of the record are given by name."""
    checked = Rules.from_text(rules).replace(players=len(layouts))
    game = Game(checked, seed=1, episode="round")
    state, chance = game.state.copy(), random.Random(1)
    record = state[0]
    deck = [LOWEST + k for k, count in enumerate(COUNTS) for _ in range(count)]
    shown = [cards(layout) for layout in layouts]
    for card in [card for layout in shown for card in layout if card < HIDDEN] + [top]:
        deck.remove(card)
    chance.shuffle(deck)
    for k in range(len(COUNTS)):
        record["unseen"][k] = deck.count(k + LOWEST)
    for seat, layout in enumerate(shown):
        record["shown"][seat] = layout
        record["cards"][seat] = [deck.pop() if card == HIDDEN else card for card in layout]
        record["hidden_left"][seat] = layout.count(HIDDEN)
        record["open_sum"][seat] = sum(card for card in layout if card < STAR)
    record["discards"][:] = 0
    record["discards"][top - LOWEST] = 1
    record["piles"][0], record["discard_size"] = top, 1
    gone = sum(layout.count(EMPTY) for layout in shown)  # cells that were cleared: their cards stay in the draw pile
    record["pile_left"] = len(deck)
    record["piles"][DECK - len(deck) :] = deck
    assert len(deck) + 1 + CELLS * len(shown) - gone == DECK
    lay_actions(record, held, open_actions)
    record["mover"], record["seat"], record["starter"], record["phase"] = 0, 0, 0, TURN
    for name, value in fields.items():
        record[name] = value
    return Game.standing(checked, state)


def lay_actions(record: Any, held: tuple[str, ...], open_actions: str) -> None:
    """The action cards beside the layouts and in the open places; the rest is the pile."""
    pile = np.repeat(np.arange(len(KINDS)), COPIES).tolist()
    record["open_actions"] = [KINDS.index(name) for name in open_actions.split()]
    record["held"][:] = 0
    for seat, names in enumerate(held):
        for name in names.split():
            record["held"][seat][KINDS.index(name)] += 1
            pile.remove(KINDS.index(name))
    for kind in record["open_actions"].tolist():
        pile.remove(kind)
    record["action_pile_left"], record["action_discard_size"] = len(pile), 0
    record["action_piles"][ACTION_DECK - len(pile) :] = pile
    record["action_discards"][:] = 0
