"""Lessons of Skyjo, and the themes of its puzzles. See `skyjo.table.game_text.GameLearning`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo.table.game_text import Lesson
from skyjo_env import EMPTY, PHASES
from skyjo_env.card_game import spec_of

LESSONS = (
    Lesson(
        "Flip two cards",
        "Every player has twelve cards, face down. You do not know your own cards either. Each card counts the points "
        "it shows, from −2 to 12, and the fewest points win. At the start of a round you flip two of your cards.",
        "Press two of your cards.",
        "skyjo-position 1; episode round; board ? ? ? | ? ? ? | ? ? ? | ? ? ?; "
        "board ? ? ? | ? ? ? | ? ? ? | ? ? ?; discard 5; seat 0 opening",
        ("flip .*", "flip .*"),
        "Your open cards count what they show. A hidden card is worth about five points on average.",
        "2.2",
    ),
    Lesson(
        "Take a good card",
        "On your turn you take the open card of the discard pile, or draw a hidden one. A −1 is almost as good as it "
        "gets: taking it is better than hoping for one. A card that you take must replace one of yours.",
        "Press the −1 on the discard pile, then one of your high cards.",
        "skyjo-position 1; episode round; board ? 12 ? | ? ? ? | ? ? 9 | ? ? ?; "
        "board ? 3 ? | ? ? ? | 6 ? ? | ? ? ?; discard -1; starter 0; seat 0 turn",
        ("take", "place (1|8)"),
        "The card that you replaced is on the discard pile now, where the next player may take it.",
        "4.2",
    ),
    Lesson(
        "Draw and discard",
        "When the open card is no good, draw. Only you see the card. You may put it in place of one of your cards. Or "
        "you discard it, and flip one of your hidden cards instead.",
        "Draw. If it is a high card, discard it and flip a hidden card.",
        "skyjo-position 1; episode round; board ? 2 ? | ? ? ? | ? ? 0 | ? ? ?; "
        "board ? 3 ? | ? ? ? | 6 ? ? | ? ? ?; discard 11; draw 12 ...; starter 0; seat 0 turn",
        ("draw", "flip .*"),
        "A 12 is the worst card there is. The hidden card that you flipped was probably lower.",
        "4.4",
    ),
    Lesson(
        "Three alike disappear",
        "Three equal cards in a column leave the board at once and count nothing. Even high cards are useful if you "
        "can get three of them.",
        "Take the 8 and complete the column of eights.",
        "skyjo-position 1; episode round; board 8 8 ? | 1 ? ? | ? ? 4 | ? ? ?; "
        "board ? 3 ? | ? 2 ? | 6 ? ? | ? ? 5; discard 8; starter 0; seat 0 turn",
        ("take", "place 2"),
        "Sixteen points and a hidden card are gone, and you have three cards fewer to look after.",
        "5.1",
    ),
    Lesson(
        "End the round",
        "The player who flips their last hidden card ends the round. The others have one more turn, and then all cards "
        "count. But if you ended it and another player has as few points or fewer, yours are doubled.",
        "You have few points, and your opponent has many: put the 1 on your last hidden card.",
        "skyjo-position 1; episode round; board 0 1 2 | -1 0 1 | 2 ? 0 | . . .; "
        "board 9 3 ? | 11 2 ? | 6 ? ? | 8 10 5; discard 1; starter 0; seat 0 turn",
        ("take", "place 7"),
        "You are ready for a game. The puzzles are harder: when to take a card, and when to end a round.",
        "7.6",
    ),
)

THEMES = {
    "end": "When to end the round",
    "take": "Draw or take?",
    "columns": "Columns",
    "place": "Where to put a card",
    "lap": "The last turn",
    "opening": "The opening",
}


def theme_of(rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
    """Return the theme of a decision, from what its seat sees alone: it says nothing about the answer."""
    del mask
    view = spec_of(rules).view(observation)
    phase = PHASES[view.phase]
    if phase == "opening":
        return "opening"
    if view.ender >= 0:
        return "lap"
    if view.hidden_left[0] == 1:
        return "end"
    card = view.discard_top if phase == "turn" else view.hand
    columns = np.asarray(view.cells[0]).reshape(rules.columns, rules.rows)
    if card != EMPTY and (columns == card).any():
        return "columns"
    return "take" if phase == "turn" else "place"


def phase_of(rules: Any, observation: NDArray[Any]) -> str:
    """Return the name of the phase."""
    return PHASES[spec_of(rules).view(observation).phase]
