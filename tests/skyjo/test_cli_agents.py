"""`skyjo agents`: all that are installed, also those that cannot be loaded."""

import json
from collections.abc import Sequence
from importlib.metadata import EntryPoint

import pytest

from skyjo.commands.agents import AgentDocument
from skyjo_env import AgentError, Rules, agent_names
from skyjo_env.card_game import SKYJO
from tests.skyjo.cli import Skyjo
from tests.typed_documents import mismatch


def pensive(rules: Rules, depth: int, style: str = "slow") -> None:
    """Thinks
    for a [long] time.

    And then some more.
    """


@pytest.fixture
def _strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if other packages had declared agents, some of them broken."""
    places = {"lost": "tests.nowhere:Nobody", "broken": "tests.skyjo.test_cli_agents:pensive.nothing"}
    places |= {"mute": "builtins:int", "pensive": "tests.skyjo.test_cli_agents:pensive"}
    points = {name: EntryPoint(name, value, SKYJO.agents.group) for name, value in places.items()}
    monkeypatch.setattr(SKYJO.agents, "points", points)


def test_every_agent_is_listed_with_its_parameters(skyjo: Skyjo) -> None:
    listed = {agent["name"]: agent for agent in json.loads(skyjo("agents", "--json").out)}
    assert set(listed) == set(agent_names())
    assert listed["threshold"]["parameters"] == {"t": {"default": 2.0}, "columns": {"default": False}}
    assert listed["random"]["summary"] == "Plays any legal action, each equally likely."
    table = skyjo("agents").out
    assert all(f" {name} " in table for name in agent_names())
    assert "columns=False" in table


@pytest.mark.usefixtures("_strangers")
def test_agents_of_other_packages_are_described_and_broken_ones_named_with_the_reason(skyjo: Skyjo) -> None:
    done = skyjo("agents", "--json")
    assert done.status == 0
    listed = {agent["name"]: agent for agent in json.loads(done.out)}
    assert mismatch(list(listed.values()), Sequence[AgentDocument]) is None
    assert listed["pensive"] == {
        "name": "pensive",
        "parameters": {"depth": {}, "style": {"default": "slow"}},
        "summary": "Thinks for a [long] time.",
    }
    assert "No module named 'tests.nowhere'" in listed["lost"]["error"]
    assert "nothing" in listed["broken"]["error"]
    table = " ".join(skyjo("agents").out.split())
    assert "pensive depth Thinks for a [long] time. style=slow" in table
    assert "lost cannot be loaded" in table


@pytest.mark.usefixtures("_strangers")
def test_an_agent_is_described_by_the_first_paragraph_of_its_documentation() -> None:
    summary, defaults = SKYJO.agents.describe("pensive")
    assert summary == "Thinks for a [long] time."
    assert list(defaults) == ["depth", "style"]
    with pytest.raises(AgentError, match="unknown agent 'nobody'; installed: broken, lost"):
        SKYJO.agents.describe("nobody")
