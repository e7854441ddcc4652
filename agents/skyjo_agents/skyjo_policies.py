"""What Skyjo declares of its policies; `cardtable.table.agents.policies` does the rest."""

from pathlib import Path
from typing import TYPE_CHECKING

from cardtable.table.agents.policies.policy_kind import PolicyKind
from skyjo_env.observation import OBSERVATION_VERSION
from skyjo_env.rules import OFFICIAL, RANGES, Rules

if TYPE_CHECKING:
    from skyjo_agents.network import TableNetwork

WIDEST = 1024


def _network(rules: Rules, **widths: int) -> "TableNetwork":
    from skyjo_agents.network import TableNetwork

    return TableNetwork(rules, **widths)


SKYJO_POLICIES = PolicyKind(
    official=OFFICIAL,
    # Nobody can know which cards a seat will draw (6.5); and a network does not look at the totals, so it plays every
    # round alike, however many there are (8.2, 8.3).
    free=("draw_streams", "target_score", "max_rounds"),
    observation=OBSERVATION_VERSION,
    version=1,
    widths={
        "seats": (2, RANGES["players"][1]),
        "cell": (1, WIDEST),
        "column": (1, WIDEST),
        "table": (1, WIDEST),
        "judge": (0, 1),
    },
    network=_network,
    shipped=Path(__file__).with_name("policies"),
)
