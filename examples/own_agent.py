"""An agent of your own, against one that comes with the package.

Every command takes it as `examples/own_agent.py:Picky`. In a package of yours, the line `picky = "my_package:Picky"`
under `[project.entry-points."skyjo_env.agents"]` in its pyproject.toml gives it a short name.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo.example_program import MeasuredOptions, run, tell_margin
from skyjo_env import ObservationSpec, Rules, make_agent


@dataclass(frozen=True)
class Args(MeasuredOptions):
    """The options of the rounds."""

    most: int = 4
    """The highest discard that it takes."""


class Picky:
    """Takes the discard if it is at most `most`, else draws; everything else it leaves to another agent."""

    def __init__(self, rules: Rules, most: int = 4) -> None:
        self.spec, self.most = ObservationSpec(rules), most
        self.helper = make_agent("threshold:columns=true", rules)

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[Any]:
        """Return one legal action for every table."""
        takes = (self.spec.view(observations).discard_top <= self.most) & (masks[:, 1] == 1)
        draws = ~takes & (masks[:, 0] == 1)
        return np.select([takes, draws], [1, 0], self.helper.act(observations, masks, rng_states))


def play(options: Args) -> None:
    """Play deals from every seat and print the mean margin."""
    tell_margin(Picky(options.table_rules(), options.most), options.opponent, options)


if __name__ == "__main__":
    run(Args, play, __doc__)
