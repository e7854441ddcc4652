"""Matches: as many deals as asked for or as needed, the same in any pieces, and the command that plays them."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from arena import match
from arena.match import Match, seat_all
from arena.paired import Paired, play_paired
from arena.statistics import estimate, is_narrow
from skyjo.main import main
from skyjo_env import Rules, SkyjoError

PAIR = ("threshold:t=2", "expected")


def test_a_match_in_pieces_is_the_same_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "PIECE", 7)
    seen: list[int] = []

    def report(done: int, so_far: Paired) -> None:
        seen.append(len(so_far.margins) - done)

    played = Match(PAIR, seed=3, threads=2).play(100, report=report)
    assert np.array_equal(played.margins, play_paired(PAIR, seed=3, deals=range(100)).margins)
    assert len(seen) > 5
    assert set(seen) == {0}


def test_it_ends_when_the_margin_is_known_closely_enough() -> None:
    played = Match(PAIR).play(100_000, lambda margins: is_narrow(margins, 0.5))
    assert len(played.margins) < 20_000
    assert estimate(played.margins[:, 0]).half <= 0.5
    assert estimate(played.margins[: len(played.margins) // 2, 0]).half > 0.5
    assert len(Match(PAIR).play(100, lambda margins: is_narrow(margins, 0.001)).margins) == 100


@pytest.mark.parametrize(("other", "decision"), [("threshold:t=9", "H1"), ("tempo", "H0")])
def test_a_sequential_test_ends_the_match(other: str, decision: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "threshold", other, "--sprt", "0,1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"]["decision"] == decision
    assert document["played"] < 1000
    assert main(["match", "threshold", other, "--sprt", "0,1"]) == 0
    assert f"{1 if decision == 'H1' else 0} points rather than the other" in capsys.readouterr().out


def test_standings_are_means_over_all_seats() -> None:
    agents = ("tempo", "threshold", "threshold")
    rules = Rules(players=3)
    ours = Match(agents, rules)
    played = ours.play(60)
    standings = ours.standings(played)
    assert [standing.agent for standing in standings] == list(agents)
    assert sum(standing.wins.mean for standing in standings) == pytest.approx(1 - played.is_stopped.mean())
    assert sum(standing.margin.mean for standing in standings) == pytest.approx(0, abs=1e-9)
    assert standings[0].score.mean == pytest.approx(played.scores[:, 0].mean())


def test_identical_agents_are_alike_on_all_deals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "naive", "--sprt", "0,1", "--deals", "40", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == {"llr": None, "decision": None}
    assert main(["match", "naive", "--sprt", "0,1", "--deals", "40"]) == 0
    assert "undecided, more deals are needed (all deals are alike)" in capsys.readouterr().out


def test_games_go_on_to_the_target_score() -> None:
    played = play_paired(PAIR, Rules(target_score=30), deals=range(20), episode="game")
    assert (played.scores.max(axis=1) >= 30 / 2).all()  # one of both games at least
    assert played.scores.mean() > play_paired(PAIR, deals=range(20)).scores.mean()


def test_the_last_agent_takes_all_seats_that_are_left() -> None:
    assert seat_all(["a"], None) == ["a", "a"]
    assert seat_all(["a", "b"], 4) == ["a", "b", "b", "b"]
    with pytest.raises(SkyjoError, match="3 agents are too many for players=2"):
        seat_all(["a", "b", "c"], 2)
    with pytest.raises(SkyjoError, match="needs agents"):
        seat_all([], None)


def test_the_command_prints_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "tempo", "naive", "--players", "3", "--deals", "50", "--seed", "2"]
    assert main(arguments) == 0
    table = capsys.readouterr().out
    assert "points a round" in table
    assert "50 deals, each 3 times" in table
    assert main([*arguments, "--json"]) == 0
    document: Any = json.loads(capsys.readouterr().out)
    margins = play_paired(["tempo", "naive", "naive"], Rules(players=3), 2, range(50)).margins
    assert [one["agent"] for one in document["standings"]] == ["tempo", "naive", "naive"]
    assert document["standings"][0]["margin"]["mean"] == pytest.approx(margins[:, 0].mean())
    assert (document["played"], document["seed"], document["stopped"]) == (50, 2, 0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "needs agents"),
        (["nobody"], "no agent is called 'nobody'"),
        (["tempo", "--deals", "1"], "deals=1"),
        (["tempo", "--until", "-1"], "until=-1.0"),
        (["tempo", "--threads", "0"], "threads=0"),
        (["tempo", "--sprt", "0"], "--sprt 0 must be two numbers"),
        (["tempo", "--sprt", "1,0"], "high=0"),
        (["tempo", "--sprt", "0,1", "--until", "1"], "cannot be given together"),
        (["tempo", "--rules", "clear=never"], "clear='never'"),
        (["tempo", "peek"], "peek sees the hidden cards"),
        (["tempo", "naive", "naive", "--players", "2"], "too many"),
    ],
)
def test_what_cannot_be_played_is_named(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *arguments]) == 2
    *_, line = capsys.readouterr().err.strip().splitlines()
    assert reason in line


def test_peek_plays_where_it_may(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "peek:base=threshold,n=2", "threshold", "--deals", "4", "--peek", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["standings"][0]["margin"]["mean"] > 0


def test_what_is_not_installed_is_named_with_its_extra() -> None:
    code = "import sys; sys.modules['scipy'] = None\nfrom skyjo.main import main\nsys.exit(main(['match', 'naive']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.strip() == 'skyjo: this needs scipy: pip install "skyjo-env[arena]"'
