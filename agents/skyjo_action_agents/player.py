"""The scripted players' record, and the compilation of their scripts: like the kernel, in a separate cache.

A script is a function `script(view, rules, player)` of one observation, the rules' record and the player's, which has
the script's numbers and working space. Cards are counted from 0 here, lowest first; then come stars, hidden cards that
the player does not know, and none. A hidden card that the player knows is written as if it were open.
"""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of
from skyjo_action_env import kernel
from skyjo_action_env.kernel import CARDS, CELLS, EMPTY, HIDDEN, KINDS, LINES, LOWEST, MAX_PLAYERS, STAR

NUMBERS = 16  # that a script may have
FINAL = MAX_PLAYERS  # the place of a layout that is looked at as if the round ended
STAR_CODE, UNKNOWN, NONE = STAR - LOWEST, HIDDEN - LOWEST, EMPTY - LOWEST

PLAYER_DTYPE = np.dtype(
    (
        np.record,
        [
            ("chance", "u8"),  # state of the generator; the scripts need no chance
            ("script", "i8"),  # who plays: a code of skyjo_action_agents.all_scripts
            ("numbers", "f8", NUMBERS),  # the parameters
            ("card_mean", "f8"),  # numpy records have a method called mean
            ("odds", "f8", CARDS),  # the share of each card among hidden ones
            ("draw_odds", "f8", CARDS),  # the same for the next draw
            ("cards", "i8", (FINAL + 1, CELLS)),  # of every layout, the own one first
            ("hidden", "i8", MAX_PLAYERS),  # hidden cards
            ("held", "i8", MAX_PLAYERS),  # action cards
            ("chances", "f8", (2, CARDS, 2)),  # that a cell gets a card or a star; at the round's end; if it is hidden
            ("hopes", "f8", (FINAL + 1, LINES)),  # how likely each line will be cleared
            ("bonuses", "f8", (FINAL + 1, LINES)),  # what lines of stars count
            ("cost", "f8", FINAL + 1),  # what the layout is expected to cost
            ("changes", "f8", (FINAL + 1, CELLS, UNKNOWN + 1)),  # of that, by a card in a cell
            ("costs", "f8", NONE + 1),  # what each card counts
            ("final_costs", "f8", NONE + 1),  # the same at the end of the round
            ("others", "f8"),  # what they are expected to score, on average
            ("holding", "f8"),  # what the own action cards cost
            ("finals", "f8", MAX_PLAYERS),  # what the others are expected to score if this player ends the round
            ("worths", "f8", CARDS),  # what each card is worth that the player has to place ...
            ("places", "i8", CARDS),  # ... and in which own cell
            ("rivalry", "f8"),  # what it is worth that another player has a point more
            ("turns", "f8"),  # that are left at least, 0 in the final lap
            ("flip_worth", "f8"),  # what it is worth to turn up a card
            ("waiting", "f8"),  # the value of the table as it is, with one action card less to hold
            ("kind_gains", "f8", len(KINDS)),  # by carrying out an action card; -inf where that cannot be
            ("first", "i8"),  # the best choice of two cells, by place and cell
            ("second", "i8"),
        ],
    ),
    align=True,
)

scripted = compiler_of(__file__, kernel.__file__, whole=True)
inlined_script = compiler_of(__file__, kernel.__file__, inline=True)  # what the loops over deals contain runs faster
