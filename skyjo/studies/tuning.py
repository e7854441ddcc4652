"""Searches for the parameters of an agent that win the most: one at a time, up or down, on the same deals.

    python -m skyjo.studies.tuning tempo --against threshold:t=2,columns=true --against self

Every candidate plays all opponents on the deals of the sweep, so that two candidates differ by their play and not by
their luck; a step is taken if the difference is at least three
standard errors above 0, since many are tried. Each sweep has deals of its own.
`self` is the agent as the search began.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.errors import AgentError, TableError
from cardtable.play.pairing import play_paired
from cardtable.statistics import estimate
from skyjo_env.agents import describe_agent, make_agent
from skyjo_env.card_game import SKYJO
from skyjo_env.rules import OFFICIAL, Rules

YARDSTICK = SKYJO.yardstick
STRICT = 1.5  # half-widths of a 95 % interval
Numbers = dict[str, float]


def text_of(name: str, numbers: Numbers) -> str:
    """The agent with these parameters, by name."""
    return f"{name}:" + ",".join(f"{key}={number:.4g}" for key, number in numbers.items())


def start_of(text: str) -> tuple[str, Numbers]:
    """The name of an agent and all its parameters, as given or by default; AgentError if there is none such."""
    make_agent(text)
    name, _, rest = text.partition(":")
    defaults = describe_agent(name)[1]
    if not defaults:
        raise AgentError(f"agent {name} has no parameters to tune")
    if not all(type(default) is float for default in defaults.values()):
        raise AgentError(f"agent {name} has parameters that are no numbers; only numbers can be tuned")
    given = dict(part.split("=") for part in rest.split(",") if part)
    return name, {key: float(given.get(key, default)) for key, default in defaults.items()}


@dataclass(frozen=True)
class Trial:
    """Where candidates are tried: against whom, and on which deals."""

    opponents: Sequence[str]
    rules: Rules
    seed: int
    deals: range
    threads: int

    def margins(self, agent: str) -> NDArray[np.float64]:
        """The agent's mean margin on every deal, each opponent in turn in all other seats."""
        total = np.zeros(len(self.deals))
        for opponent in self.opponents:
            table = [agent] + [opponent] * (self.rules.players - 1)
            total += play_paired(table, Setup(self.rules, self.seed), self.deals, self.threads).margins[:, 0]
        return total / len(self.opponents)


def search(
    name: str,
    numbers: Numbers,
    opponents: Sequence[str],
    rules: Rules = OFFICIAL,
    deals: int = 10_000,
    sweeps: int = 8,
    seed: int = 0,
    threads: int = 1,
) -> Numbers:
    """The best parameters found; every sweep is reported on standard error."""
    steps = {key: abs(number) * 0.3 or 0.5 for key, number in numbers.items()}
    for sweep in range(sweeps):
        trial = Trial(opponents, rules, seed, range(sweep * deals, (sweep + 1) * deals), threads)
        best = trial.margins(text_of(name, numbers))
        print(f"sweep {sweep}: {estimate(best)}  {text_of(name, numbers)}", file=sys.stderr, flush=True)
        for key in numbers:
            steps[key] *= 0.6
            for step in (steps[key], -steps[key]):
                candidate = numbers | {key: numbers[key] + step}
                tried = trial.margins(text_of(name, candidate))
                gain = estimate(tried - best)
                if gain.mean > STRICT * gain.half:
                    numbers, best = candidate, tried
                    steps[key] *= 2.5
                    print(f"  {key}={numbers[key]:.4g}: {gain}", file=sys.stderr, flush=True)
                    break
    return numbers


def main() -> None:
    """Read the command line, search, and print the agent that was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agent", help="such as tempo, or tempo:cut=5 to begin there")
    parser.add_argument("--against", action="append", help=f"an opponent, or self (default {YARDSTICK} and self)")
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--deals", type=int, default=10_000, help="deals in a sweep (default 10000)")
    parser.add_argument("--sweeps", type=int, default=8, help="how often every parameter is tried (default 8)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals (default 0)")
    parser.add_argument("--threads", type=int, default=1, help="that play at once (default 1)")
    parser.add_argument("--json", action="store_true", help="print the parameters as JSON")
    options = parser.parse_args()
    if options.deals < 2:
        parser.error("--deals must be at least 2")
    try:
        name, numbers = start_of(options.agent)
        opponents = [options.agent if one == "self" else one for one in options.against or (YARDSTICK, "self")]
        rules = OFFICIAL.replace(players=options.players)
        found = search(name, numbers, opponents, rules, options.deals, options.sweeps, options.seed, options.threads)
    except TableError as error:
        parser.error(str(error))
    print(json.dumps({"agent": text_of(name, found), "parameters": found}) if options.json else text_of(name, found))


if __name__ == "__main__":
    main()
