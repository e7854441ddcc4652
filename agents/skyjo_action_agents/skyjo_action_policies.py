"""Skyjo Action's declaration of its policies; `cardtable.table.agents.policies` does the rest."""

from pathlib import Path

from cardtable.table.agents.policies.model_card import PolicyKind
from skyjo_action_env.card_game import OBSERVATION_VERSION
from skyjo_action_env.rules import ACTION, RANGES

WIDEST = 1024


SKYJO_ACTION_POLICIES = PolicyKind(
    official=ACTION,
    free=("target_score", "max_rounds"),  # a network does not look at the totals, so it plays every round alike
    observation=OBSERVATION_VERSION,
    version=1,
    widths={"seats": (2, RANGES["players"][1]), "cell": (1, WIDEST), "table": (1, WIDEST)},
    network="skyjo_action_agents.network:LayoutNetwork",
    shipped=Path(__file__).with_name("policies"),
)
