"""Draw puzzles of Skyjo on when to end a round, of which the examination has few, in the form of an examination.

In each position the seat to move has one hidden card left, and no seat has ended the round.

.venv/bin/python benchmarks/puzzles.py --questions 80 --seed 11
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import skyjo_agents
from cardtable.arena.exam.drawing import draw
from cardtable.arena.exam.questions import Draw
from skyjo_agents.judging import PLAYERS, SKYJO_EXAM
from skyjo_env.card_game import spec_of

FILE = Path(skyjo_agents.__file__).with_name("puzzles.npz")


def phase_of(rules: Any, observation: NDArray[np.int16]) -> int:
    """Return 0 where the round can be ended."""
    view = spec_of(rules).view(observation)
    return 0 if view.hidden_left[0] == 1 and view.ender < 0 else 1


def main() -> None:
    """Draw them, value every action by rollouts, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=80, help="how many (default 80)")
    parser.add_argument("--seed", type=int, default=11, help="of the rounds and the rollouts (default 11)")
    parser.add_argument("--out", type=Path, default=FILE, help=f"the file (default {FILE.name} of the package)")
    options = parser.parse_args()
    draws = {2: Draw(options.questions, rollouts=1600, agents=PLAYERS)}
    kind = replace(SKYJO_EXAM, phases=("the end of a round",), phase_of=phase_of, draws=draws)
    draw(kind, options.seed, threads=1).write(options.out)
    print(f"Written: {options.out}")


if __name__ == "__main__":
    main()
