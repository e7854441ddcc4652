"""Written positions of Skip-Bo, and what spoils them."""

from typing import Any

WRITTEN = """\
skipbo-position 1
rules players=3 stock=4
episode round
chance 00000000000000ff 0000000000000001
round 2
turns 7
recycles 1
starter 1
ending blocked
totals 12 3 0
scores 12 3 0
wilds_discarded 0 1 0
completed_piles 2 0 0
building 3 0 5:2,4 0
completed 1 1 w
stock ? 5
stock ? ? w
stock 2
hand 4 4 w
hand
hand 7 ?
piles 1 2 | | 5 | w
piles | | |
piles | 9 | |
draw 8 ...
last 2 discard 9 on 1
seat 0 turn
"""


SHORT = "skipbo-position 1\nrules stock=3\nstock ? 5\nstock 1 2 w\nhand 4 w\nhand\ndraw 7 ...\nseat 0 turn\n"
LAST = "seat 0 turn"
DAMAGES = [  # lines that cannot be read, and tables that cannot be
    ("stock ? 5", "stock ? 13", "line 3: .*'13' has no meaning"),
    ("stock ? 5", "stock 1 2 3 4", "line 3: .*room for 3 cards"),
    ("draw 7 ...", "draw ... 7", "line 7: .*'...' has no meaning"),
    (LAST, f"{LAST}\nbuilding 1 2 3 12", "line 9: .*0 to 11"),
    (LAST, f"{LAST}\nbuilding 1 2 3:4 0", "line 9: .*which ranks are wild"),
    (LAST, f"{LAST}\npiles 1 | |\npiles | | |", "line 9: .*4 parts"),
    (LAST, f"{LAST}\nending lost", "line 9: .*known are won, blocked, no_cards, stopped"),
    (LAST, f"{LAST}\nlast 0 sleep", "line 9: .*unknown action 'sleep'"),
    (LAST, f"{LAST}\ndoubtful {'31 ' * 13}", "doubtful 31 is not from 0 to 30"),
    ("stock ? 5\n", "", "1 lines begin with 'stock', the rules have 2 players"),
    ("hand\n", "", "1 lines begin with 'hand', the rules have 2 players"),
    ("draw 7", "draw" + " 7" * 13, "-1 of card 7"),
    ("draw 7 ...", "draw 1 2", r"\+10 of card 1, .*a draw line that ends in"),
    (LAST, f"{LAST}\nlast 2 pass", "last_seat 2 is not from -1 to 1"),
    (LAST, f"{LAST}\nturns 3000", "turns 3000: the round is stopped"),
    (LAST, f"{LAST}\nstill_turns 2", "still_turns 2: the round is blocked"),
    ("stock 1 2 w", "stock", "seat 1 has no stock pile left"),
    (LAST, f"{LAST}\ntotals 0 500", "a total of 500 has reached target_score=500"),
    (LAST, f"{LAST}\nnewer 1{' 0' * 12}", "only after a recycling"),
    (LAST, f"{LAST}\nrecycles 1\nnewer 0{' 0' * 12}", "cards of the draw pile are newer ones"),
    (LAST, f"{LAST}\nrecycles 1\nodds 0 0 9 0 0\nodds 0 0 0 0 0", "seat 0 cannot hold more older cards"),
]
STATES: list[tuple[str, dict[str, Any], str]] = [  # rules, and saved numbers that no table has
    ("", {"round_number": 0}, "round"),
    ("", {"seat": 2}, "seat 2 is not from 0 to 1"),
    ("", {"hand_size": 6}, "hand_size 6 is not from 0 to 5"),
    ("", {"laid": 5}, "laid: does not match"),
    ("", {"wild_ranks": 1}, "wild_ranks: does not match"),
    ("", {"hands": 3}, "the cards do not add up to the deck"),
    ("", {"draw_left": 60}, "the cards do not add up to the deck"),
    ("", {"completed": 1}, "the cards do not add up to the deck"),
    ("", {"newer": 1}, "only after a recycling"),
]
