"""How far agents are from perfect play, where that can be computed: the last turns of rounds under official rules,
with few hidden cards, and whole rounds on a tiny board.

.venv/bin/python benchmarks/perfect_play.py
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from skyjo_agents.perfect_play import PerfectPlay, decision
from skyjo_env import OFFICIAL, Agent, Game, ObservationSpec, Rules, make_agent

PLAYER = "policy"  # whose rounds have the last turns
JUDGED = ("look", "policy", "tempo", "expected", "threshold:t=2,columns=true")
MOST_HIDDEN = 2
EQUAL = 1e-6  # points
CHOICES = {"turn": "draw or take", "drawn": "where to place", "taken": "where to place"}  # or to discard, and turn up

TINY = Rules.from_text("rows=2 columns=2 opening_flips=3 deck=-1:3,2:4,6:3 max_turns=8")
SCRIPTS = ("tempo", "expected", "threshold:t=2,columns=true")


@dataclass(frozen=True)
class LastTurns:
    """What an agent gave away in decisions of last turns in which not all choices were worth the same."""

    agent: str
    chooses: str
    hidden: int  # cards when it decided
    decisions: int
    optimal: float  # share
    lost: float  # points a decision
    error: float  # standard error of that
    largest: float


@dataclass(frozen=True)
class TinyRound:
    """What perfect play takes from an agent that it knows, in points a round on the tiny board."""

    agent: str
    taken: float  # the mean over both seats
    seats: tuple[float, float]  # by the seat that the agent has
    tables: int  # that were tried


def last_turns(rounds: int, seed: int) -> Iterator[LastTurns]:
    """All agents in the same decisions."""
    agents, found = {name: make_agent(name) for name in JUDGED}, defaultdict(list)
    for deal in range(rounds):
        for game, worths in solved(Game(seed=seed, deal=deal, episode="round"), make_agent(PLAYER)):
            for name, agent in agents.items():
                lost = max(worths.values()) - worths[decision(agent, game)]
                found[name, CHOICES[game.phase], hidden_cards(game)].append(lost)
    for (name, chooses, hidden), losses in sorted(found.items()):
        error = float(np.std(losses, ddof=1) / len(losses) ** 0.5) if len(losses) > 1 else 0.0
        share = float(np.mean([lost < EQUAL for lost in losses]))
        mean = float(np.mean(losses))
        yield LastTurns(name, chooses, hidden, len(losses), share, mean, error, max(losses))


def solved(game: Game, player: Agent) -> Iterator[tuple[Game, dict[int, float]]]:
    """The decisions of a round's last turn that make a difference, and what every action is worth."""
    perfect = PerfectPlay()
    while not game.is_over:
        if game.ender is not None and hidden_cards(game) <= MOST_HIDDEN:
            worths = {action: perfect.worth(game, action) for action in game.legal_actions()}
            if max(worths.values()) - min(worths.values()) >= EQUAL:
                yield game, worths
        game.apply(decision(player, game))


def hidden_cards(game: Game) -> int:
    """On both boards."""
    return int(ObservationSpec(OFFICIAL).view(game.observation()).hidden_left.sum())


def tiny_rounds() -> Iterator[TinyRound]:
    """Perfect play against itself, and against every script."""
    alone = PerfectPlay()
    value = alone.round_value(TINY)
    yield TinyRound("perfect play", 0.0, (-value, value), len(alone.known))
    for name in SCRIPTS:
        agent = make_agent(name, TINY)
        first, second = PerfectPlay((agent, None)), PerfectPlay((None, agent))
        seats = -first.round_value(TINY), second.round_value(TINY)
        yield TinyRound(name, sum(seats) / 2, seats, len(first.known) + len(second.known))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=250, help="whose last turns are solved (default 250)")
    parser.add_argument("--seed", type=int, default=1, help="seed of their deals (default 1)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    turns, tiny = list(last_turns(options.rounds, options.seed)), list(tiny_rounds())
    if options.json:
        print(json.dumps({"last_turns": [*map(asdict, turns)], "tiny": [*map(asdict, tiny)]}, indent=2))
    else:
        print_tables(turns, tiny)


def print_tables(turns: list[LastTurns], tiny: list[TinyRound]) -> None:
    """Everything for people to read."""
    print(f"{'agent':28}{'chooses':15}{'hidden':>7}{'decisions':>11}{'optimal':>9}{'points lost':>18}{'largest':>9}")
    for row in turns:
        lost = f"{row.lost:.3f} ± {1.96 * row.error:.3f}"
        found = f"{row.hidden:7}{row.decisions:11}{row.optimal:9.1%}{lost:>18}{row.largest:9.2f}"
        print(f"{row.agent:28}{row.chooses:15}{found}")
    print(f"\n{TINY.to_text()}\n{'agent':28}{'perfect play takes':>20}{'in seat 0':>11}{'in seat 1':>11}{'tables':>10}")
    for each in tiny:
        print(f"{each.agent:28}{each.taken:20.3f}{each.seats[0]:11.3f}{each.seats[1]:11.3f}{each.tables:10,}")


if __name__ == "__main__":
    main()
