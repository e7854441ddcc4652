"""The scripted players' record, and the compilation of their scripts: like the kernel, in a separate cache.

A script is a function `script(view, rules, player)` that decides in a turn: `view` is one observation, `rules` the
rules' record, `player` a record with the script's numbers, its generator's state and working space. Nothing in it
but the generator's state outlives a decision.
"""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of
from skyjo_agents.network_blocks import BLOCKS
from skyjo_env import kernel
from skyjo_env.kernel.chance import MAX_COLUMNS
from skyjo_env.kernel.state import SPAN

NUMBERS = 16  # that a script may have

PLAYER_DTYPE = np.dtype(
    (
        np.record,
        [
            ("chance", "u8"),  # state of the generator (10.1); UNSET before its first number
            ("script", "i8"),  # who plays: a code of skyjo_agents.all_scripts or skyjo_agents.network_players
            ("numbers", "f8", NUMBERS),  # the parameters
            # What the unseen cards are like
            ("card_mean", "f8"),  # numpy records have a method called mean
            ("deviation", "f8"),
            ("odds", "f8", SPAN),  # the share of each value among hidden cards, lowest card of the deck first
            ("draw_odds", "f8", SPAN),  # the same for the next draw
            # The board that was read last (skyjo_agents.expected): where it begins in the observation, and by column
            ("board", "i8"),
            ("points", "f8", MAX_COLUMNS),  # what the cells cost
            ("cost", "f8", MAX_COLUMNS),  # what the column costs
            ("one", "i8", MAX_COLUMNS),  # the first value that is open in it ...
            ("ones", "i8", MAX_COLUMNS),  # ... and how often
            ("two", "i8", MAX_COLUMNS),  # the second
            ("twos", "i8", MAX_COLUMNS),
            # What the cells of a board are taken to cost
            ("hidden_cost", "f8"),
            ("mean_cost", "f8"),  # of a hidden card when it is turned up
            ("costs", "f8", SPAN),  # of an open card, by value
            ("completion_odds", "f8", SPAN),  # how likely a column that lacks one card of this value will be completed
            ("discard_costs", "f8", SPAN),  # what it costs to leave a card of this value on the discard pile
            ("hidden_discard_cost", "f8"),  # the same for a hidden card
            ("board_cost", "f8"),  # of the own board
            ("by_open", "f8", SPAN),  # the best change of the board's cost by placing a card of this value openly ...
            ("by_hidden", "f8", SPAN),  # ... or on a hidden card
            ("worths", "f8", SPAN),  # the value of having a card of this value to place
            # How the round stands
            ("others", "f8"),  # the mean expected score of the others
            ("turns", "f8"),  # that are left at least, 0 in the final lap
            ("end_worth", "f8"),  # what it is worth to end the round ...
            ("flip_worth", "f8"),  # ... and to turn up a card and come nearer to that
            # The network of a learned player (skyjo_agents.policy), and where its blocks lie
            ("weights", "u8"),  # its address
            ("layout", "i8", (BLOCKS, 3)),
            ("depth", "i8"),  # how far it looks ahead: 1 decision, or 2
            ("width", "i8"),  # how many actions it tries, 0 for all
            ("chooser", "u8"),  # the address of the network that chooses these
        ],
    ),
    align=True,
)

scripted = compiler_of(__file__, kernel.__file__, whole=True)
inlined_script = compiler_of(__file__, kernel.__file__, inline=True)  # what the loops over deals contain runs faster
