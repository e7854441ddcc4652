"""Skyjo Action's module for the browser, with what pages ask of its scores."""

import numpy as np

from anywhere.entries import Entries, Records, with_types
from anywhere.modules import Module
from cardtable.table.compiling.compiler import Decorator
from skyjo_action_agents.all_scripts import decision
from skyjo_action_agents.player import PLAYER_DTYPE
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_action_env.kernel import rounds


def score_entries(records: Records, compiled: Decorator) -> Entries:
    """What the module exports."""

    @compiled
    def is_doubled(game, rules):
        """Has the score of the seat that ended the round been doubled? Doubling it does not change the answer (9.6)."""
        return np.int64(rounds.is_doubled(game, rules))

    return with_types(records, is_doubled)


MODULE = Module(SKYJO_ACTION, decision, PLAYER_DTYPE, more=score_entries)
