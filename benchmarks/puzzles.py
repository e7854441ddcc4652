"""Draw puzzles of Skyjo on when to end a round, of which the examination has few, and value their actions by rollouts.

The positions come from rounds between the agents of the examination, at most one from each, in which the seat to move
has one hidden card left and nobody has ended the round. The file has the form of an examination.

.venv/bin/python benchmarks/puzzles.py --questions 80 --seed 11
"""

import argparse
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np

import skyjo_agents
from cardtable.agents import choose
from cardtable.exam.drawing import label
from cardtable.exam.questions import Exam, Questions
from skyjo_agents.exam import PHASES, PLAYERS, SKYJO_EXAM, phase_of
from skyjo_env import OFFICIAL, Game
from skyjo_env.card_game import SKYJO
from skyjo_env.observation import spec_of

PLAYERS_THERE, ROLLOUTS = 2, 1600
FILE = Path(skyjo_agents.__file__).with_name("puzzles.npz")

Position = tuple[np.ndarray, np.ndarray]  # what is seen, and what is legal


def positions(seed: int) -> Iterator[Position]:
    """Positions in which a round can be ended."""
    rules = OFFICIAL.replace(players=PLAYERS_THERE)
    agents = [(name, SKYJO.make_agent(name, rules)) for name in PLAYERS]
    for deal in range(10**6):
        chance, found = np.random.default_rng((seed, deal)), list[Position]()
        seats = [agents[each] for each in chance.integers(len(agents), size=PLAYERS_THERE)]
        game = Game(rules, seed=int(chance.integers(2**62)), episode="round")
        while not game.is_over:
            seen = game.observation().copy(), game.mask().copy()
            view = spec_of(rules).view(seen[0])
            if view.hidden_left[0] == 1 and view.ender < 0:
                found.append(seen)
            name, agent = seats[game.seat]
            game.apply(int(choose(agent, name, spec_of(rules), seen[0][None], seen[1][None])[0]))
        if found:
            yield found[int(chance.integers(len(found)))]


def main() -> None:
    """Draw them, value them, and write them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=80)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args()
    rules = OFFICIAL.replace(players=PLAYERS_THERE)
    search = SKYJO_EXAM.search(rules, SKYJO_EXAM.base)
    observations, worths, errors = [], [], []
    for number, (observation, mask) in zip(range(options.questions), positions(options.seed), strict=False):
        (key,) = np.random.SeedSequence((options.seed, number)).generate_state(1, np.uint64)
        labels = label(search, observation, mask, ROLLOUTS, key)
        observations.append(observation)
        worths.append(labels[0])
        errors.append(labels[1])
        print(f"{number + 1} of {options.questions}", end="\r", flush=True)
    phases = np.array([phase_of(rules, each) for each in observations], np.int8)
    questions = Questions(np.stack(observations), np.stack(worths, axis=1), np.array(errors, np.float32), phases)
    recipe = {"game": "skyjo", "seed": options.seed, "players": [PLAYERS_THERE], "rollouts": ROLLOUTS}
    recipe |= {"agents": [*PLAYERS], "base": SKYJO_EXAM.base, "phases": [*PHASES], "version": version("skyjo-env")}
    Exam(recipe, {PLAYERS_THERE: questions}).write(options.out)
    print(f"Written: {options.out}")


if __name__ == "__main__":
    main()
