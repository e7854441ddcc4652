"""The command `exam`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cardtable.arena.exam.questions import Draw, Exam
from skipbo_agents import judging
from skyjo_env import Game
from tests.skyjo.cli import Skyjo, complaint


def test_it_prints_what_each_agent_gives_away_by_table_and_phase_and_the_worst_decisions(skyjo: Skyjo) -> None:
    out = skyjo("exam", "naive").out
    assert "2 players 4 players 8 players" in " ".join(out.split())
    for words in (
        " phase ",
        "opening",
        "draw or take",
        "place",
        "final lap",
        "1. ",
        "5. ",
        "; best: ",
    ):
        assert words in out
    assert " phase " not in (out := skyjo("exam", "tempo", "look").out)
    assert ("–" in out) == ("look cannot play at 4 and 8 players: " in out)


def test_its_json_has_the_same_and_positions_that_can_be_read(skyjo: Skyjo) -> None:
    document = json.loads(skyjo("exam", "naive", "tempo", "--json").out)
    naive, tempo = document["agents"]
    assert naive["lost"]["mean"] > tempo["lost"]["mean"] + 2 * tempo["lost"]["half"]
    assert [*naive["by_players"]] == [*document["tables"]] == ["2", "4", "8"]
    assert document["tables"]["2"]["label_error"] > 0
    assert document["recipe"]["seed"] == 1
    worst = naive["worst"][0]
    assert Game.from_position(worst["position"]).rules.players == worst["players"]
    assert worst["lost"] >= naive["worst"][4]["lost"] > 0


def test_fresh_questions_can_be_kept(skipbo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = Draw(questions=30, rollouts=2, agents=("random", "greedy"))
    monkeypatch.setattr(judging, "SKIPBO_EXAM", replace(judging.SKIPBO_EXAM, draws={2: few, 4: few}))
    done = skipbo("exam", "greedy", "--fresh", "5", "--share", "0.3", "--questions", str(tmp_path))
    assert done.out.endswith(f"Written: {tmp_path}/exam.npz\n")
    kept = Exam.read(tmp_path / "exam.npz")
    assert kept.recipe["seed"] == 5
    assert [*kept.tables] == [2, 4]
    assert "Questions: 9 at tables of 2, 9 at tables of 4; " in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name the agents to examine"),
        (("peek",), "agent peek cannot be examined: it sees hidden cards"),
        (("human",), "agent human cannot be examined"),
        (("nobody",), "unknown agent 'nobody'"),
        (("policy:path=/no/such",), "/no/such"),
        (("tempo", "--questions", "x.npz"), "need --fresh"),
        (("tempo", "--share", "0.5"), "need --fresh"),
        (("tempo", "--fresh", "-1"), "--fresh -1 must be from 0"),
        (("tempo", "--fresh", "1"), "--fresh 1 would draw the package's own questions"),
        (("tempo", "nobody", "--fresh", "2"), "unknown agent 'nobody'"),
        (("tempo", "--fresh", "1", "--share", "0"), "--share 0.0 must be from 0.01"),
        (("tempo", "--fresh", "1", "--threads", "0"), "--threads=0 must be"),
        (("tempo", "--fresh", "1", "--questions", "/no/such/x.npz"), "/no/such: there is no such folder"),
    ],
)
def test_bad_input_is_one_line(skyjo: Skyjo, arguments: tuple[str, ...], words: str) -> None:
    assert words in complaint(skyjo("exam", *arguments))
