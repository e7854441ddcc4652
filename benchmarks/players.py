"""How fast the agents are: whole rounds in compiled code, decisions at many tables from Python, and the search.

.venv/bin/python benchmarks/players.py
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from figures import Figure, parser_for, report, seconds

import skipbo_env
from cardtable.card_game import Setup
from cardtable.play.decisions import play_rounds
from skyjo_agents.rollout import RolloutAgent
from skyjo_env import OFFICIAL, Game, GameBatch, make_agent

SCRIPTED = {
    "naive": 0,
    "threshold:t=2": 100_000,
    "threshold:t=2,columns=true": 100_000,
    "expected": 0,
    "tempo": 0,
}  # and the rounds a second that are asked for
SKIPBO = {
    ("hpvp", "greedy"): 15_000,
    ("hpvp", "hpvp"): 0,
    ("greedy:pile=smallest", "greedy:pile=smallest"): 0,
    ("random:plays_first=true", "random:plays_first=true"): 0,
    ("planner", "greedy:pile=smallest"): 0,
    ("planner", "planner"): 0,
}  # and the rounds a second that are asked for
TABLES = 4096
LATE = 30  # decisions into a round


def rounds_a_second(agents: list[Any], rules: Any, deals: int, runs: int) -> float:
    """Compiled rounds, observations included, on one core."""
    return deals / seconds(lambda: play_rounds(agents, Setup(rules), range(deals)), runs)


def decisions_a_second(agent: Any, batch: Any, runs: int) -> float:
    """`act` on observations of the agent's own play, a few decisions into a round."""
    chances = np.arange(TABLES, dtype=np.uint64)
    for _ in range(LATE):
        batch.step(agent.act(batch.observations, batch.masks, chances))
    return TABLES / seconds(lambda: agent.act(batch.observations, batch.masks, chances), runs)


def rollouts_a_second(base: str, guesses: int, runs: int) -> float:
    """From the middle of a round, one thread: the median over several games."""
    agent, rates = RolloutAgent(OFFICIAL, base, n=guesses), []
    for seed in range(5):
        game = middle_of_a_round(seed)
        tried = len(agent.values(game.observation(), game.mask(), 1))
        rates.append(guesses * tried / seconds(lambda game=game: look(agent, game), runs))  # type: ignore[misc]
    return float(np.median(rates))


def look(agent: RolloutAgent, game: Game) -> Any:
    return agent.values(game.observation(), game.mask(), 1)


def middle_of_a_round(seed: int) -> Game:
    """A game of two threshold players after some turns, a drawn card in hand."""
    game, agent = Game(OFFICIAL, seed=seed), make_agent("threshold:t=2,columns=true")
    chance = np.array([seed], np.uint64)
    while game.turns < 12 or game.phase != "drawn":
        game.apply(int(agent.act(game.observation()[None], game.mask()[None], chance)[0]))
    return game


def figures(runs: int, is_quick: bool) -> Iterator[Figure]:
    """All figures."""
    deals, guesses = (2000, 50) if is_quick else (20_000, 400)
    for name, target in SCRIPTED.items():
        rate = rounds_a_second([make_agent(name), make_agent(name)], OFFICIAL, deals, runs)
        yield Figure(f"{name}: compiled rounds", 2, rate, "rounds/s", target or None)
    for name in SCRIPTED:
        rate = decisions_a_second(make_agent(name), GameBatch(OFFICIAL, TABLES, seed=3), runs) / 1e6
        yield Figure(f"{name}: act on {TABLES} tables", 2, rate, "M decisions/s", 1.0)
    for base, target in (("threshold:t=2", 60_000), ("threshold:t=2,columns=true", 60_000), ("tempo", 0)):
        rate = rollouts_a_second(base, guesses, runs)
        yield Figure(f"rollout, base {base}", 2, rate, "rollouts/s", target or None)


def skipbo_figures(runs: int, is_quick: bool) -> Iterator[Figure]:
    """The same of Skip-Bo, whose rounds take about 300 decisions."""
    rules, deals = skipbo_env.OFFICIAL, 200 if is_quick else 2000
    for names, target in SKIPBO.items():
        rate = rounds_a_second([skipbo_env.make_agent(name, rules) for name in names], rules, deals, runs)
        yield Figure(f"Skip-Bo, {' : '.join(names)}", 2, rate, "rounds/s", target or None)
    for name in dict.fromkeys(name for names in SKIPBO for name in names):
        batch = skipbo_env.GameBatch(rules, TABLES, seed=3)
        rate = decisions_a_second(skipbo_env.make_agent(name, rules), batch, runs) / 1e6
        yield Figure(f"Skip-Bo, {name}: act on {TABLES} tables", 2, rate, "M decisions/s")


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    parts = (part(options.runs, options.quick) for part in (figures, skipbo_figures))
    report((figure for part in parts for figure in part), options.json)


if __name__ == "__main__":
    main()
