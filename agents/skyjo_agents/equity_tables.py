"""The tables of match equity that come with the package: read from their file, and packed for compiled code."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from cardtable.files import write_whole
from skyjo_agents.equity_play import FEWEST, MOST
from skyjo_agents.match_equity import expected_after
from skyjo_env.rules import OFFICIAL, Rules

FILE = Path(__file__).with_name("equities") / "official.safetensors"
LEFT = range(FEWEST, MOST + 1)
LARGEST_TARGET = 120  # so that there is room for negative totals
LOWEST_REST, RESTS = -32, 96  # see Equities.rests: the least number of points, and how many are told apart


class Equities(NamedTuple):
    """Chances to win between rounds, and what is needed to foresee scores within a round."""

    between_rounds: NDArray[np.float32]  # [points left, points left of the other]
    # [stages, own, other], how likely seats score this many points beside half the expected margin, which comes off the
    # score of the seat that decides and is added to the other's
    rests: NDArray[np.float32]

    def packed(self) -> NDArray[np.float32]:
        """All tables for compiled code: between rounds, then at every stage, [1 + stages, own left, other left]."""
        table = self.between_rounds.astype(np.float64)
        stages = [expected_after(table, chances.astype(np.float64), LOWEST_REST) for chances in self.rests]
        return np.stack([table, *stages]).astype(np.float32)

    def save(self, file: Path, made_from: dict[str, str]) -> None:
        """Write the file, whole or not at all, with what it was made from."""
        write_whole(file, save(self._asdict(), made_from))


@cache
def shipped_equities() -> NDArray[np.float32]:
    """The packed tables that come with the package."""
    return Equities(**load(FILE.read_bytes())).packed()


def has_equities(rules: Rules) -> bool:
    """Are the tables for these rules? They are for two players and official rounds, to targets up to the largest."""
    official: Any = OFFICIAL.replace(draw_streams=rules.draw_streams, target_score=rules.target_score)
    return bool(rules == official) and rules.target_score <= LARGEST_TARGET
