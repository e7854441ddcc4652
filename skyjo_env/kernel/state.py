"""The two records that the kernel works on: a game, and the rules it is played by.

Every number is signed, so that differences never wrap. A card is its value; pools count cards at index value − LOWEST.
"""

import numpy as np

MAX_PLAYERS = 8
MAX_CELLS = 24
MAX_DECK = 300
LOWEST, HIGHEST = -20, 20  # card values
SPAN = HIGHEST - LOWEST + 1

HIDDEN = 21  # shown in a cell whose card lies face down
EMPTY = 22  # shown where no card is: a cleared cell, an empty hand or discard pile
NOBODY = -1  # no seat: no ender, a starter not yet known

PHASES = ("opening", "turn", "drawn", "taken", "confirm", "over", "truncated")  # index = code (9.4)
OPENING, TURN, DRAWN, TAKEN, CONFIRM, OVER, TRUNCATED = range(7)
ENDS, STOPS = TRUNCATED + 1, TRUNCATED + 2  # phases between `act` and `end_round`: no seat ever sees them

# Numbers that are handed to functions are 64 bits wide, so that numba sees one type of number and compiles every
# function once. What is copied to an observation is as wide as that, 16 bits. The widest come first and nothing is left
# between them: every number lies where the processor reads it in one go, and equal games are equal byte by byte.
GAME_DTYPE = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),  # of this game, from seed and deal (10.3)
            ("chance", "u8"),  # state of the generator (10.1)
            ("phase", "i8"),
            ("seat", "i8"),  # who decides; after the end, who decided last
            ("ender", "i8"),  # of this round, or NOBODY
            ("starter", "i8"),  # of this round, or NOBODY while the opening decides
            ("episode", "i8"),
            ("totals", "i4", MAX_PLAYERS),
            ("turns", "i2"),  # completed in this round
            ("turns_left", "i2"),  # in the final lap, the current turn included; else 0
            ("pile_left", "i2"),  # cards in the draw pile
            ("discard_size", "i2"),
            ("reshuffles", "i2"),  # in this round
            ("opening_left", "i2"),  # opening flips that the seat still has to make
            ("round_number", "i2"),  # numpy records have a method called round
            ("last_seat", "i2"),  # who decided last, and what; NOBODY before the first decision
            ("last_action", "i2"),
            ("hand", "i2"),  # the drawn or taken card, or EMPTY
            ("hidden_left", "i2", MAX_PLAYERS),  # hidden cards on each board
            ("open_sum", "i2", MAX_PLAYERS),  # sum of the open cards on each board
            ("hidden_pool", "i2", SPAN),  # what everybody knows that a hidden card may be, counted by value
            ("draw_pool", "i2", SPAN),  # the same for the next draws (a drawn card in hand included)
            ("discard_counts", "i2", SPAN),
            ("shown", "i2", (MAX_PLAYERS, MAX_CELLS)),  # what everybody sees: a card, HIDDEN or EMPTY
            ("round_scores", "i2", MAX_PLAYERS),  # of the last round that was scored or stopped
            ("pile_next", "i2", MAX_PLAYERS),  # each part of the draw pile: its next card ...
            ("pile_end", "i2", MAX_PLAYERS),  # ... and where it ends (6.5); part 0 only without draw streams
            ("cards", "i1", (MAX_PLAYERS, MAX_CELLS)),  # what lies there: a card or EMPTY
            ("piles", "i1", MAX_DECK),  # from the front the discards, bottom to top; up to the deck's size the draws
            ("spare", "i1", 2),  # always 0: fills up the last 64 bits
        ],
    )
)

# Codes of the rules' options: index in this tuple = code in the record, the official default first.
OPTIONS: dict[str, tuple[str, ...]] = {
    "initial_flip": ("choose", "random"),
    "first_starter": ("highest_sum", "seat_0"),
    "start_tie": ("highest_card_then_lowest_seat", "lowest_seat", "random"),
    "next_starter": ("previous_ender", "highest_sum"),
    "flip_after_discard": ("mandatory", "none"),
    "clear": ("automatic", "confirm"),
    "cleared_cards": ("to_discard", "out_of_play"),
    "reshuffle": ("keep_top", "all_then_turn_up_new"),
    "final_lap": ("each_other_once", "complete_current_round"),
    "ender_penalty_mode": ("strict_lowest_required", "ties_allowed", "off"),
}
OPENING_CHOOSE, OPENING_RANDOM = range(2)
START_HIGHEST_SUM, START_SEAT_0 = range(2)
TIE_HIGHEST_CARD, TIE_LOWEST_SEAT, TIE_RANDOM = range(3)
NEXT_PREVIOUS_ENDER, NEXT_HIGHEST_SUM = range(2)
AFTER_DISCARD_FLIP, AFTER_DISCARD_NONE = range(2)
CLEAR_AUTOMATIC, CLEAR_CONFIRM = range(2)
CLEARED_TO_DISCARD, CLEARED_OUT_OF_PLAY = range(2)
RESHUFFLE_KEEP_TOP, RESHUFFLE_ALL = range(2)
LAP_EACH_OTHER_ONCE, LAP_COMPLETE_ROUND = range(2)
PENALTY_STRICT, PENALTY_TIES_ALLOWED, PENALTY_OFF = range(3)

RULES_DTYPE = np.dtype(
    (
        np.record,
        [
            *((name, "i8") for name in ("players", "rows", "columns", "cells", "opening_flips")),
            *((name, "i8") for name in OPTIONS),
            *((name, "i8") for name in ("row_clear", "reveal_clear", "draw_streams", "penalty_on_negative")),
            *((name, "i8") for name in ("penalty_factor", "target_score", "max_turns", "max_rounds")),
            ("low", "i8"),  # lowest card of the deck
            ("values", "i8"),  # how many values from there to the highest card
            # Actions (9.1-9.3): first of a group, or -1 for one that these rules do not have.
            *((name, "i8") for name in ("first_flip", "discard_drawn", "clear_lines", "keep_lines", "actions")),
            ("deck_size", "i8"),
            ("deck", "i1", MAX_DECK),  # lowest card first
        ],
    ),
    align=True,
)

# Kinds of events, in the order of their classes in `skyjo_env.events`.
PILE_RESHUFFLED, CARD_DRAWN, DISCARD_TAKEN, CARD_PLACED, CARD_DISCARDED, CARD_TURNED_UP = range(6)
LINES_CLEARED, LINES_KEPT, TURNS_BEGAN, ROUND_ENDED, CARD_REVEALED, ENDER_PENALISED = range(6, 12)
ROUND_SCORED, ROUND_STOPPED, ROUND_DEALT, GAME_OVER = range(12, 16)

DRAW, TAKE, FIRST_PLACE = 0, 1, 2  # the action numbers that are the same under all rules
