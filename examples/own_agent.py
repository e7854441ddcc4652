"""An agent of your own, against one that comes with the package.

In a package of yours, the line `picky = "my_package:Picky"` under `[project.entry-points."skyjo_env.agents"]` in its
pyproject.toml makes it known by name.
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_env import AgentError, ObservationSpec, Rules, make_agent
from skyjo_env.envs.vector import SkyjoVectorEnv


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
    """Play a round at many tables and print the mean margin."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default="naive", help="the opponent by name (default naive)")
    parser.add_argument("--tables", type=int, default=2000, help="rounds to play (default 2000)")
    parser.add_argument("--most", type=int, default=4, help="the highest discard that it takes (default 4)")
    options = parser.parse_args()
    if options.tables < 1:
        parser.error("--tables must be at least 1")
    try:
        envs = SkyjoVectorEnv(options.tables, opponents=[options.against])
    except AgentError as error:
        parser.error(str(error))
    agent, chances = Picky(envs.rules, options.most), np.arange(options.tables, dtype=np.uint64)
    observations, infos = envs.reset(seed=1)
    margins, is_over = np.zeros(options.tables), np.zeros(options.tables, np.bool_)
    while not is_over.all():
        masks = infos["action_mask"]
        observations, rewards, ended, stopped, infos = envs.step(agent.act(observations, masks, chances))
        margins += np.where(is_over, 0, 100 * rewards)
        is_over |= ended | stopped
    half = 1.96 * margins.std() / options.tables**0.5
    print(f"Picky against {options.against}: {margins.mean():+.1f} ± {half:.1f} points a round")


if __name__ == "__main__":
    main()
