"""RLlib: its wrapper shows every seat the same as our environments, and the example learns with masks."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib")

EXAMPLE = Path(__file__).parents[2] / "examples" / "rllib_ppo.py"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # RLlib's own


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE))


@pytest.mark.parametrize(("game", "players", "seed"), [("skyjo", 3, 3), ("skipbo", 2, 2)])
def test_the_wrapped_table_shows_and_rewards_as_the_environment(
    example: dict[str, Any], game: str, players: int, seed: int
) -> None:
    """With these seeds somebody wins; at random, most rounds of Skip-Bo end with nobody able to."""
    wrapped = example["MaskedTable"]({"game": game, "players": players})
    own = example["table"](game, players, example["SHAPING"][game])
    chance, ended = np.random.default_rng(seed), False
    seen, _ = wrapped.reset(seed=seed)
    own.reset(seed=seed)
    rewards = dict.fromkeys(own.possible_agents, 0.0)
    given = dict(rewards)
    while not ended:
        ((seat, observed),) = seen.items()
        assert seat == own.agent_selection
        assert observed["observations"].tolist() == own.observe(seat)["observation"].tolist()
        assert observed["action_mask"].tolist() == own.observe(seat)["action_mask"].tolist()
        assert wrapped.observation_spaces[seat].contains(observed)
        action = int(chance.choice(np.flatnonzero(observed["action_mask"])))
        own.step(action)
        for each, reward in own.rewards.items():
            rewards[each] += reward
        seen, found, terminated, truncated, _ = wrapped.step({seat: action})
        for each, reward in found.items():
            given[each] += reward
        ended = terminated["__all__"] or truncated["__all__"]
    assert own.unwrapped.game.is_over
    assert given == pytest.approx(rewards, abs=1e-5)
    assert any(given.values())


@pytest.mark.parametrize("options", [("--game", "skyjo"), ("--game", "skipbo", "--env-runners", "2")], ids=str)
def test_the_example_prints_the_return_before_and_after(options: tuple[str, ...]) -> None:
    short = ("--iterations", "1", "--decisions", "200", "--rounds", "3")
    done = subprocess.run([sys.executable, str(EXAMPLE), *options, *short], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [line.split() for line in done.stdout.splitlines() if " learning: " in line]
    assert [line[0] for line in told] == ["before", "after"]
    assert all(np.isfinite(float(line[2])) for line in told)


def test_the_example_measures_against_an_agent() -> None:
    short = ("--iterations", "1", "--decisions", "200", "--rounds", "1", "--against", "naive", "--deals", "10")
    done = subprocess.run([sys.executable, str(EXAMPLE), *short], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"against naive: [+-]\d+\.\d ± \d+\.\d points a round", done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("option", "value"), [("--against", "nobody"), ("--players", "9"), ("--rounds", "0"), ("--env-runners", "0")]
)
def test_the_example_refuses_bad_input_in_one_line(
    option: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), option, value])
    with pytest.raises(SystemExit, match="2"):
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    named = value if option == "--against" else option.removeprefix("--")
    assert named in capsys.readouterr().err.splitlines()[-1]
