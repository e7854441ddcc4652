"""The examples for other libraries: they print returns or margins, and refuse what cannot be."""

import re
import subprocess
import sys

import numpy as np
import pytest

from tests.documents import ROOT, run_program

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # TorchRL's and RLlib's own
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # AgileRL's
    pytest.mark.filterwarnings("ignore::UserWarning:agilerl"),
    pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version:UserWarning"),
]

NEEDED = {
    "agilerl_ppo.py": "agilerl",
    "benchmarl_ippo.py": "benchmarl",
    "openspiel_round.py": "pyspiel",
    "openspiel_exploitability.py": "pyspiel",
    "rllib_ppo.py": "ray.rllib",
    "tianshou_rounds.py": "tianshou",
    "tianshou_dqn.py": "tianshou",
    "torchrl_rollout.py": "torchrl",
    "torchrl_ppo.py": "torchrl",
    "pufferlib_ppo.py": "pufferlib",
}


def run(name: str, *options: str) -> list[str]:
    """The lines that an example prints."""
    pytest.importorskip(NEEDED[name])
    command = [sys.executable, str(ROOT / "examples" / name), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


ROUNDS = ("openspiel_round.py", "tianshou_rounds.py", "torchrl_rollout.py")
LEARNERS = ("torchrl_ppo.py", "tianshou_dqn.py", "pufferlib_ppo.py", "agilerl_ppo.py", "benchmarl_ippo.py")


@pytest.mark.parametrize("name", ROUNDS)
def test_the_example_prints_every_seats_mean_return(name: str) -> None:
    *titles, one, two, three = run(name, "--players", "3", "--rounds", "4", "--seed", "2")
    assert titles == ([] if name == "openspiel_round.py" else ["4 rounds of 3 players"])
    told = [line.partition(": mean return ") for line in (one, two, three)]
    assert [seat for seat, _, _ in told] == ["seat 0", "seat 1", "seat 2"]
    assert any(float(mean) for _, _, mean in told)
    rounding = max(10.0 ** -len(mean.partition(".")[2]) for _, _, mean in told)
    assert sum(float(mean) for _, _, mean in told) == pytest.approx(0, abs=2 * rounding)


@pytest.mark.parametrize("name", LEARNERS)
def test_the_example_learns_and_prints_its_margin(name: str) -> None:
    *logged, line = run(name, "--players", "3", "--against", "naive", "--decisions", "300", "--deals", "10")
    assert not logged or name == "benchmarl_ippo.py"  # TorchRL's log
    assert re.fullmatch(r"against naive: [+-]\d+\.\d ± \d+\.\d points a round", line)


@pytest.mark.parametrize("options", [("--game", "skyjo"), ("--game", "skipbo", "--env-runners", "2")], ids=str)
def test_the_example_for_rllib_prints_the_return_before_and_after(options: tuple[str, ...]) -> None:
    lines = run("rllib_ppo.py", *options, "--iterations", "1", "--decisions", "200", "--rounds", "3")
    told = [line.split() for line in lines if " learning: " in line]
    assert [line[0] for line in told] == ["before", "after"]
    assert all(np.isfinite(float(line[2])) for line in told)


def test_the_example_for_rllib_measures_against_an_agent() -> None:
    short = ("--iterations", "1", "--decisions", "200", "--rounds", "1", "--against", "naive", "--deals", "10")
    last = run("rllib_ppo.py", *short)[-1]
    assert re.fullmatch(r"against naive: [+-]\d+\.\d ± \d+\.\d points a round", last)


def test_the_example_finds_agents_more_exploitable_than_the_policy_that_it_solves_for() -> None:
    lines = run("openspiel_exploitability.py", "naive", "tempo", "--openings", "2")
    values = {name: float(value) for name, value in map(str.split, lines[1:])}
    assert list(values) == ["uniform", "naive", "tempo", "CFR+"]
    assert 0 <= values["CFR+"] < 0.05 < min(values["uniform"], values["naive"])
    assert values["tempo"] < values["naive"]


REFUSED = [
    *((name, "--players 9", "players") for name in ROUNDS),
    *((name, "--rounds 0", "rounds") for name in ROUNDS),
    *((name, "--seed -1", "seed") for name in ROUNDS),
    *((name, "--players 9", "players=9") for name in LEARNERS),
    *((name, "--against nobody", "unknown agent 'nobody'") for name in LEARNERS),
    *((name, "--decisions 0", "--decisions must be at least 1") for name in LEARNERS),
    *((name, "--deals 1", "--deals at least 2") for name in LEARNERS),
    ("rllib_ppo.py", "--against nobody", "nobody"),
    ("rllib_ppo.py", "--players 9", "players"),
    ("rllib_ppo.py", "--rounds 0", "rounds"),
    ("rllib_ppo.py", "--env-runners 0", "env-runners"),
    ("openspiel_exploitability.py", "nobody", "unknown agent 'nobody'"),
    ("openspiel_exploitability.py", "--openings 0", "openings=0"),
]


@pytest.mark.parametrize(("name", "options", "told"), REFUSED)
def test_the_example_refuses_bad_input_in_one_line(name: str, options: str, told: str) -> None:
    pytest.importorskip(NEEDED[name])
    done = run_program(f"examples/{name}", *options.split())
    assert done.status == 2
    assert told in done.err.splitlines()[-1]
