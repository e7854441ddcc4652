"""`skyjo analyse`, every decision of a written game judged; and `skyjo agents`, also those that cannot be loaded."""

import io
import json
import random
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import AgentPoint, agents_of, choose
from cardtable.table.game.card_game import find_game
from skyjo.commands.look_up import AgentDocument
from skyjo_env import Game, ObservationSpec, Rules, make_agent
from skyjo_env.card_game import SKYJO
from tests.outputs import mismatch
from tests.skyjo.cli import Skyjo

pytest.importorskip("torch")

from skyjo.analysis.analysed_game import AnalysisDocument, ChoiceDocument
from tests.helpers import play_at_random
from tests.skyjo.cli import written


def pensive(rules: Rules, depth: int, style: str = "slow") -> None:
    """Thinks
    for a [long] time.

    And then some more.
    """


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


def test_agents_of_other_packages_are_described_and_broken_ones_named_with_the_reason(
    skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"lost": "tests.nowhere:Nobody", "broken": "tests.skyjo.test_cli_analyse:pensive.nothing"}
    places |= {"mute": "builtins:int", "pensive": "tests.skyjo.test_cli_analyse:pensive"}
    points = {name: AgentPoint(name, value) for name, value in places.items()}
    monkeypatch.setattr(agents_of(SKYJO), "points", points)
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


@pytest.fixture(scope="module")
def game() -> Game:
    """A round played at random, so there are mistakes in it."""
    game = Game(seed=2, episode="round")
    play_at_random(game, random.Random(2), 10_000)
    return game


@pytest.fixture
def file(game: Game, tmp_path: Path) -> str:
    return written(game, tmp_path)


def test_it_says_what_was_given_away_and_what_was_luck_and_every_decision_if_asked(
    game: Game, file: str, skyjo: Skyjo
) -> None:
    done = skyjo("analyse", file)
    assert done.status == 0
    assert done.out.count("points a round") == 2
    assert done.out.count("without luck") == 2
    assert "The worst decisions:" in done.out
    assert done.out.count("better:") == 5
    lines = skyjo("analyse", file, "--moves").out.partition("Every decision:\n")[2].splitlines()
    assert [int(line[:5]) for line in lines] == list(range(1, len(game.record()["actions"]) + 1))


def test_json_holds_all_of_it(game: Game, file: str, skyjo: Skyjo) -> None:
    document = json.loads(skyjo("analyse", file, "--json").out)
    assert mismatch(document, AnalysisDocument) is None
    assert document["record"] == game.record()
    assert [move["action"] for move in document["moves"]] == game.record()["actions"]
    for player in document["players"]:
        assert player["lost"] > 0
    for move in document["moves"]:
        action_values = [choice["worth"] for choice in move["choices"]]
        assert action_values == sorted(action_values, reverse=True)
        mine = next(choice["worth"] for choice in move["choices"] if choice["action"] == move["action"])
        assert move["lost"] == pytest.approx(action_values[0] - mine, abs=2e-6)
    for worst in document["worst"]:
        position = Game.from_position(worst["position"])
        assert position.seat == document["moves"][worst["move"] - 1]["seat"]


@pytest.mark.long
def test_checks_stand_beside_what_they_check(tmp_path: Path, skyjo: Skyjo) -> None:
    """Only few decisions are made from this position on, so that it takes little time."""
    start = Game.from_position(
        "skyjo-position 1\nepisode round\nboard 1 1 2 | 3 3 4 | 0 0 2 | -1 12 ?7\nboard 5 5 6 | 7 7 8 | 9 9 2 | 2 ? ?\n"
        "discard 3\ndraw 4 ...\nseat 0 turn"
    )
    play_at_random(start, random.Random(1), 10_000)
    document = json.loads(skyjo("analyse", written(start, tmp_path), "--check", "--json").out)
    assert mismatch(document, AnalysisDocument) is None
    checked = [move for move in document["moves"] if move["check"]]
    assert checked
    assert all(move["check"]["guesses"] > 0 for move in checked)


def test_the_page_tells_the_same(game: Game, file: str, tmp_path: Path, skyjo: Skyjo) -> None:
    out = tmp_path / "page.html"
    assert f"Written: {out}" in skyjo("analyse", file, "--out", str(out)).out
    page = out.read_text()
    HTMLParser().feed(page)
    assert page.count("<tr class=") == len(game.record()["actions"])
    assert page.count("<summary>The answer") == 5
    assert "http" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )


def test_a_position_is_judged_as_it_stands(tmp_path: Path, skyjo: Skyjo) -> None:
    path = tmp_path / "position.txt"
    path.write_text(Game(seed=4).position())
    assert "Seat 0 decides." in skyjo("analyse", str(path)).out
    choices = json.loads(skyjo("analyse", str(path), "--json").out)
    assert [mismatch(choice, ChoiceDocument) for choice in choices] == [None] * 12
