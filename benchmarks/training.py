"""Measure the speed of self-play at the settings of the presets `demo`, without measurements and without a teacher.

.venv/bin/python benchmarks/training.py
"""

from collections.abc import Iterator
from typing import Any

from figures import Figure, parser_for, report, seconds

from skyjo_training.compiled_ppo import CompiledPPO
from skyjo_training.learned_game import learned_game

GAMES = {"Skyjo": "skyjo", "Skip-Bo": "skipbo", "Skyjo Action": "skyjo_action"}
ALONE = {"device": "cpu", "teacher": "", "teacher_decisions": 0}


def decisions_a_second(config: Any, runs: int) -> float:
    """Return the decisions of a rollout over the seconds that it takes with its update."""
    model, size = CompiledPPO(config), config.tables * config.n_steps
    rate: float = size / seconds(lambda: model.learn(model.num_timesteps + size), runs)
    return rate


def figures(runs: int) -> Iterator[Figure]:
    """Measure every game."""
    for name, game in GAMES.items():
        config = learned_game(game).preset("demo").with_changes(ALONE)
        yield Figure(f"{name}, self-play", 2, decisions_a_second(config, runs), "decisions/s")


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    report(figures(1 if options.quick else options.runs), options.json)


if __name__ == "__main__":
    main()
