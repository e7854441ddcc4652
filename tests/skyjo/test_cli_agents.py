"""`skyjo agents`: all that are installed, also those that cannot be loaded."""

import io
import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import AgentPoint, agents_of, choose
from cardtable.table.game.card_game import find_game
from skyjo.commands.look_up import AgentDocument
from skyjo_env import AgentError, Game, ObservationSpec, Rules, make_agent
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
    points = {name: AgentPoint(name, value) for name, value in places.items()}
    monkeypatch.setattr(agents_of(SKYJO), "points", points)


@pytest.mark.parametrize(
    ("game", "name", "parameters"),
    [
        ("skyjo", "threshold", {"t": {"default": 2.0}, "columns": {"default": False}}),
        ("skipbo", "greedy", {"pile": {"default": "leftmost"}, "hand_order": {"default": "drawn"}}),
    ],
)
def test_every_agent_is_listed_with_its_parameters(game: str, name: str, parameters: Any, command: Skyjo) -> None:
    listed = {agent["name"]: agent for agent in json.loads(command("agents", "--json").out)}
    names = agents_of(find_game(game)).names()
    assert set(listed) == set(names)
    assert listed[name]["parameters"] == parameters
    assert listed["random"]["summary"] == "Plays any legal action, each equally likely."
    table = command("agents").out
    assert all(f" {each} " in table for each in names)
    assert all(f"{each}={value['default']}" in table for each, value in parameters.items())


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
    summary, defaults = agents_of(SKYJO).describe("pensive")
    assert summary == "Thinks for a [long] time."
    assert list(defaults) == ["depth", "style"]
    with pytest.raises(AgentError, match="unknown agent 'nobody'; installed: broken, lost"):
        agents_of(SKYJO).describe("nobody")


# The agent `human`, which asks whoever sits at the terminal


def ask(game: Game, typed: str, monkeypatch: pytest.MonkeyPatch, tables: int = 1) -> list[int]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    observations, masks = np.tile(game.observation(), (tables, 1)), np.tile(game.mask(), (tables, 1))
    agent = make_agent("human", game.rules)
    return [int(action) for action in choose(agent, "human", ObservationSpec(game.rules), observations, masks)]


def test_it_shows_every_table_and_takes_what_is_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(Game(Rules(players=3)), "f 3\nnonsense\n?\ntable\nflip 5\n", monkeypatch, tables=2) == [17, 19]
    out = capsys.readouterr().out
    assert out.count("you (seat 0), total 0") == 3  # two tables, one of them twice
    assert "'nonsense' is not understood" in out
    assert "put the card in hand on cell 3" in out
    assert "seat 1 " in out
    assert "seat 2\n" in out


@pytest.mark.parametrize(("typed", "words"), [("", "standard input is closed"), ("quit\n", "the player has left")])
def test_without_an_answer_it_says_so(typed: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AgentError, match=words):
        ask(Game(), typed, monkeypatch)


@pytest.mark.parametrize(
    ("game", "seed", "typed", "shown", "times"),
    [
        ("skyjo", "1", ["f 0", "f 1", "f 2", "f 3", "d", "p 5", "quit"], "human (seat 1): turned up", 1),
        ("skipbo", "3", ["d 2 0", "table", "quit"], "you (seat 1): stock 2, 30 left, total 0", 2),
    ],
)
def test_two_people_can_share_a_terminal(seed: str, typed: list[str], shown: str, times: int, command: Skyjo) -> None:
    done = command("play", "human", "--seed", seed, typed=typed)
    assert "you (seat 1)" in done.out
    assert done.out.count(shown) == times
    assert "agent human: the player has left" in done.err
