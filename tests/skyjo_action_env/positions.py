"""Written positions of Skyjo Action, and what spoils them."""

from typing import Any

LAYOUT = "? ? ? ? | ? ? ? ? | ? ? ? ?"  # a layout as dealt
WRITTEN = f"""\
skyjo_action-position 1
rules players=3 delay_counts_extra_moves=false star_lines=owner_may_discard foreign_clear=end_of_own_turn
episode round
chance 00000000000000ff 0000000000000001
round 2
turns 7
reshuffles 1
starter 1
extra_turns 2
totals 12 -3 0
scores 12 -3 0
bonus 0 0 -10
plays 1 0 2
earned 0 1 0
held double | | steal steal
changed 4 | | 0 6
fresh double
layout 9 9 * -1 | ? ?5@1 ? ?@0,2 | ? ? ?* ?
layout {LAYOUT}
layout 1 2 . 3 | 4 5 . 6 | 7 8 . 9
discard ?4 ? ?* 3 12
draw 9 ...
strays 9
open . look ? swap
action_discard three
action_pile remove ...
seat 0 drawn ?
"""


SHORT = f"skyjo_action-position 1\nlayout {LAYOUT}\nlayout {LAYOUT}\ndiscard 3\ndraw ...\nseat 0 turn\n"
LAST = "seat 0 turn"
FIRST, SECOND = f"1\nlayout {LAYOUT}", f"layout {LAYOUT}\nd"
ALL_OPEN = "1 2 3 4 | 5 6 7 8 | 9 10 11 12"
DAMAGES = [  # lines that cannot be read, and tables that cannot be
    ("? ? ? ? |", "? ? ? |", "line 2: .*3 parts of 4 words"),
    ("? ? ? ? |", "? ? 13 ? |", "line 2: .*'13' has no meaning here; known are -2, -1, 0"),
    ("? ? ? ? |", "? ?5@2 ? ? |", "line 2: .*known are 0, 1"),
    ("? ? ? ? |", "? 5@1 ? ? |", "knowers: does not match"),
    ("discard 3", "discard" + " 3" * 121, "more cards than the deck's 120"),
    ("discard 3", "discard", "a card must lie on the discard pile"),
    ("discard 3", "discard 3 ?", "the top card of the discard pile is one that was removed hidden"),
    ("draw ...", "draw 1 2", r"\+4 of card 1, .*a draw line that ends in"),
    (LAST, "seat 0 drawn", "line 6: .*cards in hand go with drawn, taken, three"),
    (LAST, "seat 0 three 1 2 .", "cards in hand go with .* as many as the phase needs"),
    (LAST, "seat 0 three-place 1 2 3", "line 6: .*known are opening, .*three_place"),
    (LAST, "seat 0 line 3", "line: does not match"),
    (LAST, f"{LAST}\nmover 1", "mover: does not match"),
    (LAST, f"{LAST}\nmover -1", "mover: does not match"),
    (LAST, f"{LAST}\nattacked 1", "attacked: does not match"),
    (LAST, f"{LAST}\npicked 0", "picked: does not match"),
    (LAST, f"{LAST}\nheld twice |", "line 7: .*known are double, swap, three, defence"),
    (LAST, f"{LAST}\naccepted 1", "accepted: does not match"),
    (LAST, f"{LAST}\nplayed double", "played: does not match"),
    (LAST, f"{LAST}\nchosen 3 of 0", "chosen: does not match"),
    (LAST, f"{LAST}\nchosen_with 3 of 0", "chosen_with: does not match"),
    (LAST, f"{LAST}\nstrays 3", "strays: these are cards of the draw pile"),
    (LAST, f"{LAST}\nturns_left 1", "turns_left goes with an ender"),
    (LAST, f"{LAST}\ntotals 0 100", "a total of 100 has reached target_score=100"),
    (LAST, "seat 1 opening", "seat 0 has opened 0 cards, but 1 opens"),
    (LAST, "seat 0 claim", "seat 0 has no claim"),
    (LAST, "seat 0 over", "the round is over, but a card is hidden"),
    (LAST, "seat 0 replay", "nothing to choose in the phase replay"),
    (LAST, "seat 0 steal", "there is nothing to choose in the phase steal"),
    (LAST, "seat 1 defence\nmover 0\nplayed steal\nrules defence=owner_decides", "seat 1 has no defence"),
]
STATES: list[tuple[str, dict[str, Any], str]] = [  # rules, and saved numbers that no table has
    ("", {"round_number": 0}, "round 0 is not from 1 to 1000"),
    ("", {"seat": 2}, "seat 2 is not from 0 to 1"),
    ("", {"mover": -2}, "mover -2 is not from -1 to 1"),
    ("", {"hand": 3}, "the cards do not add up to the deck"),
    ("", {"discard_size": 2}, "the cards do not add up to the deck"),
    ("", {"discard_size": 121}, "discard_size 121 is not from 0 to 120"),
    ("", {"pile_left": 94}, "the cards do not add up to the deck"),
    ("", {"action_pile_left": 24}, "the cards do not add up to the deck"),
    ("", {"open_actions": 9}, "open_actions 9 is not from -1 to 8"),
    ("", {"known_draws": 1}, "known_draws: these are cards of the draw pile"),
    ("", {"unseen": 1}, "unseen: does not match"),
    ("", {"held": 4}, "held 4 is not from 0 to 3"),
    ("", {"chosen": 24}, "chosen 24 is not from -1 to 23"),
    ("", {"knowers": 4}, "knowers 4 is not from 0 to 3"),
    ("", {"changed": 128}, "changed 128 is not from 0 to 127"),
    ("", {"buried": 1}, "buried: does not match"),
    ("", {"is_reveal": 1}, "is_reveal: does not match"),
    ("players=3", {"totals": [0, 0, 0, 5, 0, 0, 0, 0]}, "totals: does not match"),
]

AS_DEALT = f"layout {LAYOUT}; layout {LAYOUT}; discard 3"
STARRED = "layout 5 ? ? ? | 5 ? ? ? | * ? ? ?"
MOMENTS = {  # by phase, without the first line
    "opening": f"layout ? 1 ? ? | ? ? ? ? | ? ? ? ?; layout {LAYOUT}; discard 3; seat 0 opening",
    "turn": f"{AS_DEALT}; held double | swap; seat 1 turn",
    "drawn": f"{AS_DEALT}; seat 0 drawn 4",
    "taken": f"{AS_DEALT}; seat 1 taken *",
    "claim": f"layout {LAYOUT}; layout * ? ? ? | ? ? ? ? | ? ? ? ?; discard 3; claims 0 1; seat 1 claim",
    "line": f"{STARRED}; layout {LAYOUT}; discard 3; seat 0 line 0",
    "swap": f"{AS_DEALT}; action_discard swap; seat 0 swap",
    "swap with": f"{AS_DEALT}; action_discard swap; chosen 3 of 1; seat 1 swap_with",
    "three": f"{AS_DEALT}; action_discard three; seat 0 three 5 -1 *",
    "three place": f"{AS_DEALT}; action_discard three; picked 2; seat 0 three_place 5 -1 *",
    "three top": f"{AS_DEALT}; action_discard three; seat 0 three_top 5 . *",
    "three flip": f"{AS_DEALT}; action_discard three; seat 0 three_flip",
    "look": f"{AS_DEALT}; action_discard look; seat 0 look",
    "exchange": f"{AS_DEALT}; action_discard exchange; seat 0 exchange",
    "exchange with": f"{AS_DEALT}; action_discard exchange; chosen 11 of 1; seat 1 exchange_with",
    "remove": f"{AS_DEALT}; action_discard remove; attacked 1; seat 0 remove",
    "replay": f"rules replay=any; {AS_DEALT}; action_discard look replay; seat 0 replay",
    "steal": f"{AS_DEALT}; action_discard steal; held | double; seat 0 steal",
    "steal card": f"{AS_DEALT}; action_discard steal; held double swap |; attacked 0; seat 1 steal_card",
    "defence": f"rules defence=owner_decides; {AS_DEALT}; held | defence; mover 0; played steal; seat 1 defence",
    "over": f"layout {ALL_OPEN}; layout {ALL_OPEN}; discard 3; ender 0; seat 1 over",
    "truncated": f"rules max_turns=5; turns 5; {AS_DEALT}; seat 0 truncated",
}
