"""Tables for tests: random rules, and random play that ends rounds."""

import random
from typing import Any

from skyjo_action_env.kernel.state import OPTIONS, SWITCHES
from skyjo_action_env.rules import Rules


def random_rules(chance: random.Random) -> Rules:
    """Rules with every field drawn at random, the first values often enough to matter."""
    options: dict[str, Any] = {
        name: known[0] if chance.random() < 0.4 else chance.choice(known) for name, known in OPTIONS.items()
    }
    options |= {name: chance.random() < 0.5 for name in SWITCHES}
    return Rules(
        players=chance.randint(2, 8),
        target_score=chance.choice((1, 60, 100)),
        max_turns=chance.choice((1, 9, 30, 1000, 1000)),
        max_rounds=chance.choice((1, 3, 1000)),
        **options,
    )
