"""Descriptions of policies without torch: their kinds, and the names and shapes of their networks' weights; see
`skyjo_agents.network`.
"""

from pathlib import Path

from cardtable.table.agents.policies.model_card import PolicyKind, Shapes
from skyjo_env.card_game import OBSERVATION_VERSION
from skyjo_env.kernel.state import PHASES
from skyjo_env.rules import OFFICIAL, RANGES, Rules

EXTRAS = ("discard_drawn", "clear_lines", "keep_lines")  # actions that only some rules have
COUNTS = 5  # inputs for a column: hidden, empty, sum, equal to the hand, equal to the discard
GAINS = 4  # what putting a card on an own cell would bring
NUMBERS = 5  # inputs for the table in addition to choices and cards
VALUE_NETWORK = "value_network."  # before the names of its weights
BOARD_NUMBERS = 3  # inputs for a board: hidden cards, open sum, expected sum


def extras_of(rules: Rules) -> int:
    """Return the number of extra actions under these rules."""
    return sum(int(rules.params[0][name]) >= 0 for name in EXTRAS)


def facts_of(rules: Rules, seats: int) -> int:
    """Return the number of inputs for phase, lap and piles."""
    return len(PHASES) + 2 * (seats + 1) + 2 * len(rules.values) + NUMBERS


def shapes_of(rules: Rules, seats: int, cell: int, column: int, table: int, value_network: int) -> Shapes:
    """Return the shape of every weight by its name."""
    kinds, facts = len(rules.values) + 2, facts_of(rules, seats)
    embeddings = {"in_cell": cell, "in_hand": cell, "on_discard": cell, "cell_of_cell": column}
    layers = {
        "columns.0": (column, cell + COUNTS),
        "columns.2": (column, column),
        "boards.0": (column, column + BOARD_NUMBERS + seats - 1),
        "table.0": (table, 2 * column + BOARD_NUMBERS + 2 * cell + facts),
        "table.2": (table, table),
        "cell_of_column": (column, column),
        "cell_of_gains": (column, GAINS),
        "cell_of_table": (column, table),
        "cell_logits": (2, column),
        "other_logits": (2 + extras_of(rules), table),
        "beyond.0": (table, table),
        "beyond.2": (1, table),
    }
    if seats > 2:
        layers |= {"rivals.0": (column, column + table), "rivals.2": (1, column)}
    shapes: Shapes = {f"{name}.weight": (kinds, width) for name, width in embeddings.items()}
    for name, shape in layers.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return shapes | {f"{VALUE_NETWORK}{name}": shape for name, shape in shapes.items()} if value_network else shapes


WIDEST = 1024


SKYJO_POLICIES = PolicyKind(
    official=OFFICIAL,
    # No seat can know which cards it will draw (6.5); and a network does not look at the totals, so it plays every
    # round alike, however many there are (8.2, 8.3).
    free=("draw_streams", "target_score", "max_rounds"),
    observation=OBSERVATION_VERSION,
    version=1,
    widths={
        "seats": (2, RANGES["players"][1]),
        "cell": (1, WIDEST),
        "column": (1, WIDEST),
        "table": (1, WIDEST),
        "value_network": (0, 1),
    },
    network="skyjo_agents.network:TableNetwork",
    shipped=Path(__file__).with_name("policies"),
)
