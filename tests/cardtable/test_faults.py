"""What goes wrong while games are played: nothing is lost, counted twice or half written; whoever failed is named."""

import json
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardtable.arena.play import plan
from cardtable.arena.statistics import Moments
from cardtable.arena.stored import plan_store as folder
from cardtable.arena.stored.plan_store import store_for
from cardtable.arena.stored.store import Store, StoreError
from cardtable.arena.workers.local_workers import Worker
from cardtable.arena.workers.plan_run import PlanProgress, play
from tests.faulty_agents import faulty
from tests.processes import run_python
from tests.skyjo.cli import Skyjo, complaint, skyjo
from tests.skyjo_play import a_plan, a_tournament, files

__all__ = ["faulty", "skyjo"]

AGENTS = ("naive", "threshold", "expected", "tempo")


def margins(course: PlanProgress) -> list[Any]:
    return [course.standings(table) for table in sorted(course.tallies)]


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "MIN_PIECE", 8)


def command(folder: Path, *agents: str) -> list[str]:
    deals = ["--deals", "1500", "--slow-deals", "100", "--luck", "--seed", "4"]
    return [sys.executable, "-m", "skyjo", "tournament", *agents, *deals, "--store", str(folder), "--json"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agents", "times"),
    [
        (AGENTS, 1),
        pytest.param(AGENTS, 3, marks=pytest.mark.long),
        pytest.param(("naive", "rollout:base=naive,n=2"), 1, marks=pytest.mark.long),
    ],
)
def test_a_tournament_that_is_killed_again_and_again_comes_to_the_same(
    tmp_path: Path, agents: tuple[str, ...], times: int
) -> None:
    whole = json.loads(subprocess.run(command(tmp_path / "whole", *agents), capture_output=True, check=True).stdout)
    chance, kills = random.Random(1), 0
    while True:
        running = subprocess.Popen(
            command(tmp_path / "killed", *agents), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        before, start = len(files(tmp_path / "killed")), time.monotonic()
        while running.poll() is None and len(files(tmp_path / "killed")) < before + chance.randint(1, 6):
            time.sleep(0.002)
            assert time.monotonic() - start < 60
        if running.poll() is None and kills < times:
            time.sleep(chance.random() / 20)
            running.kill()
            kills += 1
        out, err = running.communicate()
        if running.returncode == 0:
            break
        assert running.returncode == -signal.SIGKILL, err
    assert kills == times
    done = json.loads(out)
    assert done | {"store": ""} == whole | {"store": ""}
    assert files(tmp_path / "killed") == files(tmp_path / "whole")


@pytest.mark.usefixtures("small_pieces")
def test_a_match_that_ends_early_resumes_to_the_same_end(tmp_path: Path) -> None:
    def is_enough(found: Moments) -> bool:
        return found.count >= 500

    asked = a_plan((("tempo", "threshold"),), (5000,), stop="soon")
    once = play(asked, store_for(tmp_path / "once", asked, ""), is_enough=is_enough)
    store = store_for(tmp_path / "twice", asked, "")
    for file in files(tmp_path / "once")[::2]:  # as if others had been in the middle of being written
        (tmp_path / "twice" / file).write_bytes((tmp_path / "once" / file).read_bytes())
    twice = play(asked, store, is_enough=is_enough)
    assert margins(once) == margins(twice)
    assert files(tmp_path / "once") == files(tmp_path / "twice")
    again = play(asked, Store.open(store.folder), is_enough=is_enough)
    assert margins(again) == margins(once)


def test_a_match_that_ended_otherwise_is_never_shortened(tmp_path: Path, skyjo: Skyjo) -> None:
    arguments = ["match", "naive", "tempo", "--store", str(tmp_path)]
    assert skyjo(*arguments, "--until", "3").status == 0
    before = files(tmp_path)
    for other in (["--until", "6"], ["--sprt", "0,100"], []):
        assert "holds other games: stop is 'until 3' there" in complaint(skyjo(*arguments, *other))
    assert files(tmp_path) == before


def test_the_command_says_that_the_disk_is_full(tmp_path: Path) -> None:
    code = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))\n"
    code += "from skyjo.main import main; sys.exit(main(sys.argv[1:], 'skyjo'))"
    arguments = ["match", "naive", "threshold", "--deals", "9000", "--store", str(tmp_path / "games")]
    done = run_python("-c", code, *arguments)
    assert done.returncode == 2
    assert re.search(r"skyjo: .*(File too large|No space left)", done.stderr.splitlines()[-1])


WORDS = {
    "raises": "ZeroDivisionError: too hard",
    "cheats": r"action \d+ .* of seat 1 is illegal",
    "hangs": "no answer in 10 seconds",
    "dies": "its process ended, with exit code 7",
    "leaves": "SystemExit: enough",
}


@pytest.mark.parametrize("how", list(WORDS))
@pytest.mark.usefixtures("faulty", "small_pieces")
@pytest.mark.slow
def test_agents_that_fail_are_named_and_the_others_go_on(tmp_path: Path, how: str) -> None:
    name = f"faulty:how={how}"
    asked = a_tournament([name, "naive", "threshold"], deals=24)
    store = store_for(tmp_path / "games", asked, "")
    course = play(asked, store, workers=1, limit=10 if how == "hangs" else 60, continue_on_error=True)
    (failure,) = course.failures.values()
    assert (failure.agent, failure.seat) == (name, 1)
    assert re.search(WORDS[how], failure.words)
    assert re.fullmatch(rf"deal \d+, seat 1, agent {re.escape(name)}: .*", str(failure))
    others = a_tournament(["naive", "threshold"], deals=24)
    assert course.standings(2) == play(others).standings()
    again = play(asked, Store.open(store.folder), continue_on_error=True)  # nothing is left to play
    assert {error.agent: str(error) for error in again.failures.values()} == {name: str(failure)}
    assert again.standings(2) == course.standings(2)


@pytest.mark.usefixtures("faulty", "small_pieces")
@pytest.mark.slow
def test_who_fails_leaves_the_same_games_behind_with_any_number_of_workers(tmp_path: Path) -> None:
    asked = a_tournament(["faulty:how=raises,odds=300", "naive", "tempo"], deals=80)
    for workers in (1, 3):
        play(asked, store_for(tmp_path / str(workers), asked, ""), workers=workers, continue_on_error=True)
    assert files(tmp_path / "1") == files(tmp_path / "3")


def test_a_worker_whose_last_answer_nobody_reads_ends_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    """As when the command is ended by SIGTERM."""
    asked = a_plan((("naive", "rollout:base=naive,n=1"),), (8,))
    worker, (piece,) = Worker(asked, with_games=False, limit=60), asked.pieces()
    worker.connection.send(piece)
    assert worker.connection.poll(120)
    worker.connection.close()
    worker.process.join(60)
    assert (worker.process.exitcode, capfd.readouterr().err) == (0, "")


@pytest.mark.usefixtures("faulty")
def test_a_match_keeps_what_was_played_before_an_agent_failed(tmp_path: Path, skyjo: Skyjo) -> None:
    arguments = ["match", "naive", "faulty:how=raises,odds=4000", "--deals", "1000", "--workers", "1"]
    done = skyjo(*arguments, "--store", str(tmp_path / "games"), "--json")
    assert done.status == 2
    played = json.loads(done.out)["played"]
    assert 0 < played < 1000
    assert played == 8 * len(files(tmp_path / "games"))
    words = r"ZeroDivisionError: too hard \(faulty_agents.py, line \d+\)"
    named = rf"deal (\d+), seat 1, agent faulty:how=raises,odds=4000: {words}; (\d+) deals"
    found = re.search(named, done.err)
    assert found is not None
    assert played <= int(found[1]) < played + 8
    assert int(found[2]) == played


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize("how", ["prints", "forks"])
@pytest.mark.slow
def test_what_an_agent_does_besides_playing_changes_no_result(skyjo: Skyjo, how: str) -> None:
    """It would play like naive."""
    arguments = ["--deals", "60", "--workers", "1", "--json"]
    odd = json.loads(skyjo("match", f"faulty:how={how}", "tempo", *arguments).out)
    even = json.loads(skyjo("match", "faulty:how=none", "tempo", *arguments).out)
    for one, other in zip(odd["standings"], even["standings"], strict=True):
        assert one | {"agent": ""} == other | {"agent": ""}


@pytest.mark.slow
@pytest.mark.usefixtures("faulty")
def test_a_tournament_ends_with_a_failure_unless_it_may_go_on(tmp_path: Path, skyjo: Skyjo) -> None:
    arguments = ["tournament", "naive", "threshold", "faulty:how=cheats", "--deals", "40"]
    arguments += ["--store", str(tmp_path / "a")]
    line = complaint(skyjo(*arguments))
    assert re.search(r"deal \d+, seat 1, agent faulty:how=cheats: action .*; the games played so far are kept", line)
    done = skyjo(*arguments, "--drop-failing")
    assert done.status == 0
    assert "Left out: deal" in done.out
    document = json.loads(skyjo(*arguments, "--drop-failing", "--json").out)
    assert [rung["agent"] for rung in document["rungs"]] == ["threshold", "naive"]
    assert document["failed"][0]["agent"] == "faulty:how=cheats"
    line = complaint(skyjo("tournament", "naive", "faulty:how=cheats", "--deals", "40", "--drop-failing"))
    assert re.search(r"no table is left: deal \d+, seat 1, agent faulty:how=cheats: action", line)


def test_games_of_another_plan_or_version_are_never_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = a_plan((("naive", "tempo"),), (100,))
    store_for(tmp_path, asked, "")
    with pytest.raises(StoreError, match=r"other games: deals is \[100\] there, \[101\] here"):
        store_for(tmp_path, replace(asked, deals=(101,)), "")
    monkeypatch.setattr(folder, "fingerprint", lambda *places: f"another {len(places)}")
    with pytest.raises(StoreError, match="another version of the code has played: sources is"):
        store_for(tmp_path, asked, "")


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_an_interruption_says_that_the_games_are_kept(
    tmp_path: Path, skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cardtable.arena.workers.plan_run.play", interrupted)
    assert skyjo(command, "naive", "tempo").err == "\n"
    done = skyjo(command, "naive", "tempo", "--store", str(tmp_path))
    kept = f"\n{tmp_path}: the games played so far are kept; run the same command to continue\n"
    assert (done.status, done.err) == (130, kept)
