"""The two forms of an observation: "compact", the vector itself, and "onehot", an expansion for plain networks."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardtable.table.game.card_game import CardGame, find_game


def observation_box(kind: CardGame, rules: Any, encoding: str) -> spaces.Box:
    """The space of observations in this form."""
    spec = kind.spec_of(rules)
    if encoding == "compact":
        return spaces.Box(spec.low, spec.high, dtype=np.int16)
    return spaces.Box(spec.onehot.low, spec.onehot.high, dtype=np.float32)


def observation_space(rules: Any) -> spaces.Box:
    """The space of compact observations under these rules."""
    return observation_box(find_game(rules.game), rules, "compact")


def encoded(kind: CardGame, rules: Any, encoding: str, observations: NDArray[np.int16]) -> NDArray[Any]:
    """Observations [N, D] in this form; the compact ones are not copied."""
    return observations if encoding == "compact" else kind.spec_of(rules).onehot.encode(observations)
