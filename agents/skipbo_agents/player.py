"""The scripted players' own record, and how their scripts are compiled: as the kernel is, in a cache of their own.

A script is a function `script(view, rules, player)` that decides: `view` is one observation, `rules` the rules' record,
`player` a record with the script's parameters, its generator's state and room to reckon in. Nothing in it but the
generator's state outlives a decision.
"""

import numpy as np

from cardtable.kernel.compiler import compiler_of
from skipbo_env import kernel, measuring
from skipbo_env.kernel.state import CARDS, HAND, PLACES

NUMBERS = 16  # that a script may have
MOST_CHOICES = PLACES + PLACES * HAND + PLACES * PLACES + PLACES * HAND  # stock, hand, discard piles; discards

PLAYER_DTYPE = np.dtype(
    (
        np.record,
        [
            ("chance", "u8"),  # state of the generator (9.1)
            ("script", "i8"),  # who plays: a code of skipbo_agents.crew
            ("numbers", "f8", NUMBERS),  # the parameters; a word stands as its place among the words allowed
            ("places", "i8", CARDS + 1),  # the building place for every card, -1 where none takes it
            ("choices", "i8", MOST_CHOICES),  # legal actions
        ],
    ),
    align=True,
)

scripted = compiler_of(__file__, kernel.__file__, measuring.__file__)
inlined_script = compiler_of(
    __file__, kernel.__file__, measuring.__file__, inline=True
)  # short functions: a call costs more than they do
