"""Searches for the parameters of an agent that win the most: one at a time, up or down, on the same deals.

Every candidate plays all opponents on the deals of the sweep, so that two candidates differ by their play and not by
their luck. A step is taken if the gain is at least three standard errors above 0, since many steps are tried. Each
sweep has deals of its own.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.errors import AgentError
from cardtable.play.pairing import play_paired
from cardtable.statistics import estimate
from skyjo_env import make_agent
from skyjo_env.card_game import SKYJO
from skyjo_env.rules import OFFICIAL, Rules

YARDSTICK = SKYJO.yardstick
STRICT = 1.5  # half-widths of a 95 % interval
Numbers = dict[str, float]


def text_of(name: str, numbers: Numbers) -> str:
    """The agent with these parameters, by name."""
    return f"{name}:" + ",".join(f"{key}={number:.4g}" for key, number in numbers.items())


def start_of(text: str) -> tuple[str, Numbers]:
    """The name of an agent and all its parameters, given or default; AgentError if it cannot be tuned."""
    make_agent(text)
    name, _, rest = text.partition(":")
    defaults = SKYJO.agents.describe(name)[1]
    if not defaults:
        raise AgentError(f"agent {name} has no parameters to tune")
    if not all(type(default) is float for default in defaults.values()):
        raise AgentError(f"agent {name} has parameters that are not numbers; only numbers can be tuned")
    given = dict(part.split("=") for part in rest.split(",") if part)
    return name, {key: float(given.get(key, default)) for key, default in defaults.items()}


@dataclass(frozen=True)
class Trials:
    """How candidates are tried: against whom, and on how many deals in every sweep."""

    opponents: Sequence[str]
    rules: Rules = OFFICIAL
    deals: int = 10_000
    sweeps: int = 8
    seed: int = 0
    threads: int = 1

    def margins(self, agent: str, sweep: int) -> NDArray[np.float64]:
        """The agent's mean margin on every deal of a sweep, each opponent in turn in all other seats."""
        total, deals = np.zeros(self.deals), range(sweep * self.deals, (sweep + 1) * self.deals)
        for opponent in self.opponents:
            table = [agent] + [opponent] * (self.rules.players - 1)
            total += play_paired(table, Setup(self.rules, self.seed), deals, self.threads).margins[:, 0]
        return total / len(self.opponents)


def search(name: str, numbers: Numbers, trials: Trials) -> Numbers:
    """The best parameters found; every sweep is reported on standard error."""
    steps = {key: abs(number) * 0.3 or 0.5 for key, number in numbers.items()}
    for sweep in range(trials.sweeps):
        best = trials.margins(text_of(name, numbers), sweep)
        print(f"sweep {sweep}: {estimate(best)}  {text_of(name, numbers)}", file=sys.stderr, flush=True)
        for key in numbers:
            steps[key] *= 0.6
            for step in (steps[key], -steps[key]):
                candidate = numbers | {key: numbers[key] + step}
                tried = trials.margins(text_of(name, candidate), sweep)
                gain = estimate(tried - best)
                if gain.mean > STRICT * gain.half:
                    numbers, best = candidate, tried
                    steps[key] *= 2.5
                    print(f"  {key}={numbers[key]:.4g}: {gain}", file=sys.stderr, flush=True)
                    break
    return numbers
