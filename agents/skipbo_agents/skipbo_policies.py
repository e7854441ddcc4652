"""Skip-Bo's declaration of its policies; `cardtable.table.agents.policies` does the rest."""

from pathlib import Path

from cardtable.table.agents.policies.model_card import PolicyKind
from skipbo_env.card_game import OBSERVATION_VERSION
from skipbo_env.rules import OFFICIAL, RANGES

WIDEST = 1024


SKIPBO_POLICIES = PolicyKind(
    official=OFFICIAL,
    # A network does not look at the totals, so it plays every round alike, whoever starts and however many there are.
    # Of several places that are alike it takes the first, whether the others are legal too or not (7.4).
    free=("first_starter", "next_starter", "symmetric", "target_score", "max_rounds"),
    observation=OBSERVATION_VERSION,
    version=2,
    widths={"seats": (2, RANGES["players"][1]), "pile": (1, WIDEST), "rank": (1, WIDEST), "table": (2, WIDEST)},
    network="skipbo_agents.network:PileNetwork",
    shipped=Path(__file__).with_name("policies"),
)
