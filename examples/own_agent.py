"""An agent of your own, against one that comes with the package.

In a package of yours, the line `picky = "my_package:Picky"` under `[project.entry-points."skyjo_env.agents"]` in its
pyproject.toml registers it by name.
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from cardtable.statistics import estimate
from skyjo_env import OFFICIAL, AgentError, ObservationSpec, Rules, make_agent


class Picky:
    """Takes the discard if it is at most `most`, else draws; everything else it leaves to another agent."""

    def __init__(self, rules: Rules, most: int = 4) -> None:
        self.spec, self.most = ObservationSpec(rules), most
        self.helper = make_agent("threshold:columns=true", rules)

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One legal action for every table."""
        takes = (self.spec.view(observations).discard_top <= self.most) & (masks[:, 1] == 1)
        draws = ~takes & (masks[:, 0] == 1)
        return np.select([takes, draws], [1, 0], self.helper.act(observations, masks, chances))


def main() -> None:
    """Play deals from both seats and print the mean margin."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default="expected", help="the opponent by name (default expected)")
    parser.add_argument("--deals", type=int, default=1000, help="each played from both seats, 2 or more (default 1000)")
    parser.add_argument("--most", type=int, default=4, help="the highest discard that it takes (default 4)")
    options = parser.parse_args()
    if options.deals < 2:
        parser.error("--deals must be at least 2")
    try:
        seats = [Picky(OFFICIAL, options.most), options.against]
        margins = play_paired(seats, Setup(OFFICIAL), range(options.deals)).margins
    except AgentError as error:
        parser.error(str(error))
    print(f"Picky against {options.against}: {estimate(margins[:, 0])} points a round")


if __name__ == "__main__":
    main()
