"""Lessons of Skip-Bo, and the themes of its puzzles. See `skyjo.table.game_text.GameLearning`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skipbo_env.card_game import spec_of
from skipbo_env.kernel import DISCARD, PASS
from skyjo.table.game_text import Lesson

HEAD = "skipbo-position 1; rules stock=4; episode round; starter 0; "
LESSONS = (
    Lesson(
        "Build upwards",
        "All players build on the same four piles in the middle, each from 1 to 12. Below each pile you see which card "
        "comes next.",
        "Pick up the 4 in your hand, and put it on the pile that shows a 3.",
        f"{HEAD}building 3 0 0 0; completed 1 2; stock ? ? 9; stock ? ? 8; hand 4 10 11 11 7; hand; "
        "piles | | |; piles | | |; seat 0 turn",
        ("hand 4 to 0",),
        "You may play as many cards as you like in a turn.",
        "3.3",
    ),
    Lesson(
        "Your stock pile",
        "You win by playing all cards of your stock pile, the pile at the left of your row. Only its top card is open. "
        "A move that gets rid of it is a good move.",
        "Play the top card of your stock pile.",
        f"{HEAD}building 6 2 0 0; completed; stock ? ? 7; stock ? ? 12; hand 9 10 11 12 9; hand; "
        "piles | | |; piles | | |; seat 0 turn",
        ("stock to 0",),
        "The next card of your stock pile is open now.",
        "3.2",
    ),
    Lesson(
        "Cards that lead there",
        "Your stock card is an 8, and a pile stands at 5. You need a 6 and a 7. You have no 7, but a wild card "
        "(★) stands for any number.",
        "Play the 6, then the wild card as a 7, then your stock card.",
        f"{HEAD}building 5 0 0 0; completed; stock ? ? 8; stock ? ? 12; hand 6 w 11 12 12; hand; "
        "piles | | |; piles | | |; seat 0 turn",
        ("hand 6 to 0", "hand w to 0", "stock to 0"),
        "Wild cards are rare: use them where they free a stock card.",
        "3.4",
    ),
    Lesson(
        "End your turn",
        "When nothing more fits, you lay a card from your hand on one of your four discard piles. That ends your turn. "
        "You can play the top card of each pile later. Lay equal or descending cards on each other.",
        "Lay the 11 on your 12.",
        f"{HEAD}building 3 0 0 0; completed; stock ? ? 9; stock ? ? 12; hand 11 8 6 10 10; hand; "
        "piles 12 | 3 | |; piles | | |; seat 0 turn",
        ("discard 11 on 0",),
        "Once you have played the 11, you can play the 12 beneath it.",
        "3.8",
    ),
    Lesson(
        "Win the round",
        "The player who plays their last stock card wins the round: 25 points, and 5 more for every card that the "
        "others have left in their stock piles.",
        "This is your last stock card. Find a way to play it: your discard piles help.",
        f"{HEAD}building 9 0 0 0; completed; stock 12; stock ? ? 8; hand 11 5 6 6 3; hand; "
        "piles 10 | 4 | |; piles | | |; seat 0 turn",
        ("pile 0 to 0", "hand 11 to 0", "stock to 0"),
        "You are ready for a game. The puzzles are harder: which cards to play, and which to keep.",
        "5.1",
    ),
)

THEMES = {"stop": "Play on, or keep your cards?", "which": "What to play", "discard": "What to discard"}


def theme_of(rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
    """Return the theme of a decision, from what is legal alone: it says nothing about the answer."""
    del rules, observation
    legal = np.flatnonzero(mask)
    discards = (legal >= DISCARD) & (legal < PASS)
    if discards.all():
        return "discard"
    return "stop" if discards.any() else "which"


def phase_of(rules: Any, observation: NDArray[Any]) -> str:
    """Return the name of the phase."""
    spec_of(rules).view(observation)
    return "turn"
