"""Lessons of Skyjo Action. See `skyjo.table.game_text.GameLearning`."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from skyjo.table.game_text import Lesson
from skyjo_action_env import PHASES
from skyjo_action_env.card_game import spec_of

HEAD = "skyjo_action-position 1; episode round; starter 0; "
RIVAL = "layout ? 3 ? ? | ? ? 6 ? | ? ? ? ?; "
LESSONS = (
    Lesson(
        "Draw or take",
        "Every player has twelve cards, face down, and the fewest points win. On your turn you take the open card of "
        "the discard pile, or draw one. It replaces one of your cards. Or you discard the card that you drew, and "
        "flip a hidden card instead.",
        "Take the −1, and put it on your 12.",
        f"{HEAD}layout ? 12 ? ? | ? ? 9 ? | ? ? ? ?; {RIVAL}discard -1; open three look swap steal; seat 0 turn",
        ("take", "place 3"),
        "So far it is like Skyjo.",
        "3.2",
    ),
    Lesson(
        "Rows and columns",
        "Three equal cards in a column are cleared, and so are four equal cards in a row. Their points are gone.",
        "Take the 7, and complete the row of sevens.",
        f"{HEAD}layout 7 7 ? 7 | ? ? 9 ? | ? ? ? ?; {RIVAL}discard 7; open three look swap steal; seat 0 turn",
        ("take", "place 6"),
        "A row needs one card more than a column, but takes more points away.",
        "6.1",
    ),
    Lesson(
        "Stars",
        "A star counts nothing. It stands for any card in a line that you complete: two eights and a star make a "
        "column.",
        "Take the 8, and complete the column with the star.",
        f"{HEAD}layout 8 ? ? 1 | * ? 9 ? | ? ? ? ?; {RIVAL}discard 8; open three look swap steal; seat 0 turn",
        ("take", "place 2"),
        "You are asked whether to clear the line, because the star might serve you better elsewhere.",
        "6.3",
    ),
    Lesson(
        "Take an action card",
        "Instead of playing a card you may take one of the four open action cards. You can use it from your next turn "
        "on. But a card that you still hold when the round ends costs ten points.",
        "Take one of the open action cards.",
        f"{HEAD}layout ? 12 ? ? | ? ? 9 ? | ? ? ? ?; {RIVAL}discard 11; open double look swap three; seat 0 turn",
        ("open .",),
        "The card lies next to your cards, where every player sees it.",
        "4.1",
    ),
    Lesson(
        "Play an action card",
        "You hold a double: it gives you two more turns. Playing an action card is your whole turn. You do not draw as "
        "well.",
        "Play your double.",
        f"{HEAD}layout ? 12 ? ? | ? ? 9 ? | ? ? ? ?; {RIVAL}held double | ; discard 5; open three look swap steal; "
        "seat 0 turn",
        ("play double",),
        "The rules explain every action card, clause by clause.",
        "7.1",
    ),
)

THEMES: Mapping[str, str] = {}  # no puzzles: its decisions have not been judged yet


def theme_of(rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
    """Return an empty theme, as there are no puzzles."""
    del rules, observation, mask
    return ""


def phase_of(rules: Any, observation: NDArray[Any]) -> str:
    """Return the name of the phase."""
    return PHASES[spec_of(rules).view(observation).phase]
