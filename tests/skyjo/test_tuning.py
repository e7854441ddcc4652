"""The search for parameters climbs, and starts where it is told to."""

import json

import pytest

from skyjo.games.skyjo.tuning import Trials, search, start_of, text_of
from skyjo_env import AgentError
from tests.skyjo.cli import Skyjo, complaint


def test_it_starts_from_what_is_given_and_from_the_defaults() -> None:
    name, numbers = start_of("tempo:cut=5,stay=-2")
    assert (name, numbers["cut"], numbers["stay"]) == ("tempo", 5.0, -2.0)
    with pytest.raises(AgentError, match="only numbers can be tuned"):
        start_of("rollout")
    with pytest.raises(AgentError, match="no parameters"):
        start_of("naive")
    assert start_of("expected") == ("expected", {"pair": 0.2})
    assert text_of("expected", {"pair": 0.25}) == "expected:pair=0.25"
    with pytest.raises(AgentError, match="cannot read"):
        start_of("tempo:cutt=5")


@pytest.mark.slow
def test_it_climbs_to_better_parameters() -> None:
    """With pair=0 the player breaks every pair; 0.2 wins 4.5 points more."""
    found = search("expected", {"pair": 0.0}, Trials(["threshold:t=2,columns=true"], deals=2000, sweeps=5))
    assert 0.05 < found["pair"] < 0.5


def test_the_command_prints_what_it_found_and_names_what_is_wrong(skyjo: Skyjo) -> None:
    options = "tune", "expected", "--deals", "50", "--sweeps", "1"
    found = json.loads(skyjo(*options, "--json").out)
    assert found["agent"] == text_of("expected", found["parameters"])
    assert skyjo(*options).out == f"{found['agent']}\n"
    assert skyjo(*options, "--against", "threshold:t=2,columns=true", "self").out == f"{found['agent']}\n"
    assert "unknown agent 'nobody'" in complaint(skyjo("tune", "nobody"))
    assert "deals=1 must be a whole number from 2" in complaint(skyjo(*options, "--deals", "1"))
    assert "players" in complaint(skyjo(*options, "--players", "9"))
