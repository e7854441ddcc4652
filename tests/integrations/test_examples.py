"""The examples for other libraries: they print margins, and refuse what cannot be."""

import re
import subprocess
import sys

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
    "openspiel_exploitability.py": "pyspiel",
    "rllib_ppo.py": "ray.rllib",
    "tianshou_dqn.py": "tianshou",
    "torchrl_ppo.py": "torchrl",
    "pufferlib_ppo.py": "pufferlib",
}
LEARNERS = [name for name in NEEDED if name != "openspiel_exploitability.py"]


def run(name: str, *options: str) -> list[str]:
    """The lines that an example prints."""
    pytest.importorskip(NEEDED[name])
    command = [sys.executable, str(ROOT / "examples" / name), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", LEARNERS)
def test_the_example_learns_and_prints_its_margin(name: str) -> None:
    updates = ("--iterations", "1") if name == "rllib_ppo.py" else ()
    lines = run(name, "--players", "3", "--against", "naive", "--decisions", "300", "--deals", "10", *updates)
    assert re.fullmatch(r"against naive: [+-]\d+\.\d+ ± \d+\.\d+ points a round", lines[-1])
    assert len(lines) == 1 or name in ("benchmarl_ippo.py", "rllib_ppo.py")  # their logs


def test_the_example_for_rllib_learns_skipbo_in_two_processes() -> None:
    game = ("--game", "skipbo", "--rules", "stock=3 symmetric=lowest", "--env-runners", "2")
    last = run("rllib_ppo.py", *game, "--iterations", "1", "--decisions", "200", "--deals", "10")[-1]
    assert re.fullmatch(r"against greedy:pile=smallest: .* points a round", last)


def test_the_example_finds_agents_more_exploitable_than_the_policy_that_it_solves_for() -> None:
    lines = run("openspiel_exploitability.py", "naive", "tempo", "--openings", "2")
    values = {name: float(value) for name, value in map(str.split, lines[1:])}
    assert list(values) == ["uniform", "naive", "tempo", "CFR+"]
    assert 0 <= values["CFR+"] < 0.05 < min(values["uniform"], values["naive"])
    assert values["tempo"] < values["naive"]


REFUSED = [
    *((name, "--players 9", "players=9") for name in LEARNERS),
    *((name, "--against nobody", "unknown agent 'nobody'") for name in LEARNERS),
    ("rllib_ppo.py", "--env-runners 0", "--env-runners must be at least 1"),
    ("openspiel_exploitability.py", "nobody", "unknown agent 'nobody'"),
    ("openspiel_exploitability.py", "--openings 0", "--openings must be at least 1"),
]


@pytest.mark.parametrize(("name", "options", "told"), REFUSED)
def test_the_example_refuses_bad_input_in_one_line(name: str, options: str, told: str) -> None:
    pytest.importorskip(NEEDED[name])
    done = run_program(f"examples/{name}", *options.split())
    assert done.status == 2
    assert told in done.err.splitlines()[-1]
