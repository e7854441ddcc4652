"""How fast Skyjo's learned agents decide: `policy` at many tables and at one, `look` also in matches; on one core.

.venv/bin/python benchmarks/policies.py
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from figures import Figure, parser_for, report, seconds

from cardtable.card_game import Setup
from cardtable.play.decisions import play_rounds
from cardtable.policies.policy_file import card_of, save_policy
from skyjo_agents.network import TableNetwork
from skyjo_env import OFFICIAL, Agent, GameBatch, Rules, make_agent

TABLES = 4096
LOOKED = 256
LATE = 30  # decisions into a round
DEALS = range(40)  # of a match
SIZES = ((2, 2), (8, 2), (8, 8))  # up to how many players a network serves, and how many sit at the table


def figures(runs: int) -> Iterator[Figure]:
    """All figures."""
    for seats, players in SIZES:
        name, rules = f"policy for up to {seats}", Rules(players=players)
        agent = fresh_agent("policy", rules, seats)
        many = middle_of_rounds(agent, rules)
        one = tuple(each[:1] for each in many)
        rate = TABLES / seconds(lambda agent=agent, many=many: agent.act(*many), runs) / 1e3  # type: ignore[misc]
        alone = seconds(lambda agent=agent, one=one: agent.act(*one), 50 * runs) * 1e3  # type: ignore[misc]
        yield Figure(f"{name}: act on {TABLES} tables", players, rate, "k decisions/s", 100 if players == 2 else None)
        yield Figure(f"{name}: act on one table", players, alone, "ms", 0.1, at_most=True)
        few, ahead = tuple(each[:LOOKED] for each in many), fresh_agent("look", rules, seats)
        rate = LOOKED / seconds(lambda ahead=ahead, few=few: ahead.act(*few), runs) / 1e3  # type: ignore[misc]
        yield Figure(
            f"look, {name}: act on {LOOKED} tables", players, rate, "k decisions/s", 8 if players == 2 else None
        )


def match_figures(runs: int) -> Iterator[Figure]:
    """`look` in whole rounds against itself, by the policy that comes with the package."""
    for name, target in (("look", 8), ("look:width=0", None)):
        match = partial(play_rounds, [make_agent(name)] * 2, Setup(OFFICIAL, seed=3), DEALS)
        rate = match().decisions.sum() / seconds(match, runs) / 1e3
        yield Figure(f"{name} in a match against itself", 2, rate, "k decisions/s", target)


def fresh_agent(kind: str, rules: Rules, seats: int) -> Agent:
    """`policy` or `look` by a network of the usual widths; what it has learned makes no difference."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "policy.safetensors"
        network = TableNetwork(rules, seats, judge=1)
        save_policy(file, network, card_of(network, (rules.players,)))
        return make_agent(f"{kind}:path={file}", rules)


def middle_of_rounds(agent: Agent, rules: Rules) -> tuple[Any, Any, Any]:
    """What the agent is asked at many tables, some decisions into its own rounds."""
    batch, chances = GameBatch(rules, TABLES, seed=3, episode="round"), np.arange(TABLES, dtype=np.uint64)
    for _ in range(LATE):
        batch.step(agent.act(batch.observations, batch.masks, chances))
    return batch.observations, batch.masks, chances


def main() -> None:
    options = parser_for(__doc__, 15).parse_args()
    report(chain(figures(options.runs), match_figures(options.runs)), options.json)


if __name__ == "__main__":
    main()
