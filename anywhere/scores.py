"""What pages ask of Skyjo Action's scores."""

import numpy as np

from anywhere.entries import Entries, Records, with_types
from cardtable.table.compiling.compiler import Decorator
from skyjo_action_env.kernel import rounds


def score_entries(records: Records, compiled: Decorator) -> Entries:
    """What the module exports."""

    @compiled
    def is_doubled(game, rules):
        """Has the score of the seat that ended the round been doubled? Doubling it does not change the answer (9.6)."""
        return np.int64(rounds.is_doubled(game, rules))

    return with_types(records, is_doubled)
