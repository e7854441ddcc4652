"""The scripted players' own record, and how their scripts are compiled: as the kernel is, in a cache of their own.

A script is a function `script(view, rules, player)` that returns an action: `view` is one observation, `rules` the
rules' record, `player` a record with the script's numbers, its generator's state and some room to reckon in.
"""

import numpy as np

from skyjo_env.kernel.jit import compiler_of
from skyjo_env.kernel.state import SPAN

NUMBERS = 16  # that a script may have

PLAYER_DTYPE = np.dtype(
    (
        np.record,
        [
            ("chance", "u8"),  # state of the generator (10.1)
            ("script", "i8"),  # who plays: index in agents.crew.SCRIPTS
            ("numbers", "f8", NUMBERS),  # the parameters
            ("room", "f8", SPAN),  # a number for each value of the deck
        ],
    ),
    align=True,
)

scripted = compiler_of(__file__)
