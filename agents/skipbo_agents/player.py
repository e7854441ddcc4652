"""The scripted players' own record, and how their scripts are compiled: as the kernel is, in a cache of their own.

A script is a function `script(view, rules, player)` that decides: `view` is one observation, `rules` the rules' record,
`player` a record with the script's parameters, its generator's state and working space. Nothing in it but the
generator's state outlives a decision.
"""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of
from skipbo_env import kernel
from skipbo_env.kernel.state import CARDS, HAND, MAX_PLAYERS, PLACES, RANKS

NUMBERS = 16  # that a script may have
MOST_CHOICES = PLACES + PLACES * HAND + PLACES * PLACES + PLACES * HAND  # stock, hand, discard piles; discards

DEEP = 12  # cards of a discard pile that a search looks at
MOST_TABLES = 256  # that a search finds

PLAYER_DTYPE = np.dtype(
    (
        np.record,
        [
            ("chance", "u8"),  # state of the generator (9.1); UNSET before its first number
            ("script", "i8"),  # who plays: a code of skipbo_agents.all_scripts
            ("numbers", "f8", NUMBERS),  # the parameters; a word stands as its place among the words allowed
            ("places", "i8", CARDS + 1),  # the building place for every card, -1 where none takes it
            ("choices", "i8", MOST_CHOICES),  # legal actions
            # The tables that this turn can lead to (skipbo_agents.turn_search), the present one first
            ("hand", "i8", HAND),  # the own hand cards, as they were drawn
            (
                "stacks",
                "i8",
                (MAX_PLAYERS, PLACES, DEEP),
            ),  # the known uppermost cards of all discard piles, lowest first
            ("stack_sizes", "u8", MAX_PLAYERS),  # how many these are, packed as in a table
            ("reached", "i8"),  # how many tables were found
            ("tables", "u8", MOST_TABLES),  # each of them packed (skipbo_agents.packed_table)
            ("firsts", "i8", MOST_TABLES),  # the first action on the way there
            # What they are worth (skipbo_agents.planner)
            (
                "threats",
                "f8",
                (MAX_PLAYERS, RANKS),
            ),  # how likely each other plays its stock card on a pile of a last rank
            ("disorder", "f8", (PLACES, DEEP + 1)),  # of every own discard pile, by how many known cards are left
        ],
    ),
    align=True,
)

scripted = compiler_of(__file__, kernel.__file__, whole=True)
inlined_script = compiler_of(__file__, kernel.__file__, inline=True)  # short functions: a call costs more than they do
