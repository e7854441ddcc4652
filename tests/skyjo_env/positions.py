"""Written positions of Skyjo, and what spoils them."""

from typing import Any

from tests.helpers import BOARD, REST

WRITTEN = f"""\
skyjo-position 1
rules players=3
episode round
chance 00000000000000ff 0000000000000001
round 2
turns 7
starter 1
ender 2
turns_left 2
totals 12 -3 0
scores 12 -3 0
board 9 9 -1 | {REST}
board {BOARD}
board 1 2 3 | 4 5 6 | . . . | 7 8 9
discard 3 12
draw 9 ...
seat 0 drawn 11
"""


SHORT = f"skyjo-position 1\nboard {BOARD}\nboard {BOARD}\ndiscard 3\ndraw ...\nseat 0 turn\n"
LAST = "seat 0 turn"
DAMAGES = [  # lines that cannot be read, and tables that cannot be
    ("board ? ? ?", "board ? ?", "line 2: .*4 parts of 3 words"),
    (f"board {BOARD}\nd", f"board {BOARD} | ? ? ?\nd", "line 3: .*4 parts of 3 words"),
    ("board ? ? ?", "board ? ?-3 ?", "line 2: .*'.-3' has no meaning"),
    ("draw ...", "draw 1 | 2 ...", "line 5: .*1 part"),
    (LAST, "seat 0 drawn", "a card in hand goes with drawn"),
    (LAST, f"{LAST}\nrules draw_streams=true", "line 5: .*2 parts"),
    (LAST, f"{LAST}\nreshuffles 99999", "line 7: .*numbers go from -32767 to 32767"),
    (f"board {BOARD}\nd", "d", "1 lines begin with 'board', the rules have 2 players"),
    ("discard 3", "discard" + " 3" * 11, "-1 of card 3"),
    ("draw ...", "draw" + " 3" * 150, "more cards than the deck's 150"),
    ("draw ...", "draw 1 2", r"\+9 of card -1"),
    (LAST, f"{LAST}\nturns 1002", "turns 1002 is not from 0 to 1001"),
    (LAST, f"{LAST}\nturns_left 1", "turns_left"),
    ("discard 3", "discard", "card must lie on the discard pile"),
    (LAST, "seat 0 confirm", 'clear="confirm"'),
    (LAST, "seat 0 over", "a card is hidden"),
    (f"1\nboard {BOARD}", "1\nboard . . . | . . . | . . . | . . .", "seat 0 has no cards left"),
    (f"board {BOARD}\nd", "board . . . | . . . | . . . | . . .\nd", "seat 1 has no cards left"),
]
RUN_TOGETHER = (
    "pile_(next|end): does not match|pile_next -?[0-9]+ is not from 0 to 150|the cards do not add up to the deck"
)
STATES: list[tuple[str, dict[str, Any], str]] = [  # rules, and saved numbers that no table has
    ("", {"round_number": 0}, "round"),
    ("", {"discard_size": 126}, RUN_TOGETHER),  # with 125 draws and 24 cards on the boards one more than the deck
    ("", {"hand": 3}, RUN_TOGETHER),
    ("", {"pile_left": 124}, RUN_TOGETHER),
    ("", {"pile_next": [150, *[0] * 7]}, RUN_TOGETHER),
    ("", {"pile_end": [149, *[0] * 7]}, RUN_TOGETHER),
    ("draw_streams=true", {"pile_next": [25, 88, *[0] * 6]}, RUN_TOGETHER),
    ("draw_streams=true", {"pile_next": [25, 86, *[0] * 6]}, RUN_TOGETHER),
    ("draw_streams=true", {"pile_end": [87, 149, *[0] * 6]}, RUN_TOGETHER),
    ("draw_streams=true", {"pile_next": [25, 151, *[0] * 6], "pile_end": [151, 150, *[0] * 6]}, RUN_TOGETHER),
]
