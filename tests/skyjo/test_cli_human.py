"""The agent `human`: asks whoever sits at the terminal."""

import io
import sys

import numpy as np
import pytest

from cardtable.agents import choose
from skyjo_env import AgentError, Game, Rules, make_agent
from tests.skyjo.cli import Skyjo


def ask(game: Game, typed: str, monkeypatch: pytest.MonkeyPatch, tables: int = 1) -> list[int]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    observations, masks = np.tile(game.observation(), (tables, 1)), np.tile(game.mask(), (tables, 1))
    agent = make_agent("human", game.rules)
    return [int(action) for action in choose(agent, "human", observations, masks)]


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
