"""Plans on a Ray cluster of several nodes: the same games as on one core, even if workers and nodes are lost."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtable.card_game import Setup
from cardtable.errors import TableError
from cardtable.play import plan
from cardtable.play.decisions import play_rounds
from cardtable.play.plan import Plan
from cardtable.stored.plan_store import store_for
from cardtable.workers.cluster import connected, pack_files
from cardtable.workers.plan_run import PlanProgress, play
from skyjo_env import OFFICIAL, make_agent
from skyjo_env.card_game import SKYJO
from tests.processes import install
from tests.ray_nodes import NODE, Nodes, nodes
from tests.skyjo.cli import Skyjo, complaint, skyjo
from tests.skyjo_play import a_tournament, files

__all__ = ["nodes", "skyjo"]

AGENTS = ("naive", "tempo", "expected")


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "SMALLEST", 8)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with agents that go wrong, found by this process alone."""
    folder = tmp_path / "site"
    install(folder, "faulty", "[skyjo_env.agents]\nfaulty = strangers:Faulty\n")
    shutil.copy(Path(__file__).parents[1] / "faulty_agents.py", folder / "strangers.py")
    monkeypatch.syspath_prepend(str(folder))
    vars(SKYJO.agents).pop("points", None)
    yield folder
    vars(SKYJO.agents).pop("points", None)


def on_cluster(nodes: Nodes, asked: Plan, folder: Path, limit: float = 300, **options: Any) -> PlanProgress:
    with connected(nodes.address, 2, SKYJO, asked.agents) as cluster:
        return play(asked, store_for(folder, asked, ""), cluster=cluster, limit=limit, **options)


def workers() -> list[int]:
    """The processes on all nodes that play pieces."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if place.read_bytes().startswith(b"ray::PieceWorker"):
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found


def once(action: Callable[[], object], after: int) -> Callable[[PlanProgress], None]:
    """Do something when so many deals have been played."""
    done = False

    def report(course: PlanProgress) -> None:
        nonlocal done
        if not done and course.played >= after:
            done = True
            action()

    return report


@pytest.mark.slow
def test_a_cluster_stores_the_same_files_as_one_core(nodes: Nodes, tmp_path: Path) -> None:
    asked = a_tournament(AGENTS, deals=200, with_luck=True)
    alone = play(asked, store_for(tmp_path / "alone", asked, ""), workers=1)
    there = on_cluster(nodes, asked, tmp_path / "there")
    assert files(tmp_path / "there") == files(tmp_path / "alone")
    assert [there.standings(table) for table in range(3)] == [alone.standings(table) for table in range(3)]


@pytest.mark.long
def test_a_lost_worker_and_a_lost_node_change_nothing(nodes: Nodes, tmp_path: Path) -> None:
    asked = a_tournament(AGENTS, deals=240)
    play(asked, store_for(tmp_path / "alone", asked, ""), workers=1)

    def kill_a_worker() -> None:
        os.kill(workers()[0], signal.SIGKILL)

    def kill_a_node() -> None:
        nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)

    for name, action in (("worker", kill_a_worker), ("node", kill_a_node)):
        on_cluster(nodes, asked, tmp_path / name, report=once(action, after=60))
        assert files(tmp_path / name) == files(tmp_path / "alone")
    nodes.add_node(**NODE)


@pytest.mark.long
def test_a_node_that_joins_is_given_work(nodes: Nodes, tmp_path: Path) -> None:
    asked, seen = a_tournament(AGENTS, deals=2000), [0]
    joining = once(lambda: nodes.add_node(**NODE), after=8)

    def report(course: PlanProgress) -> None:
        joining(course)
        if max(seen) < 3:
            seen.append(len(workers()))
            time.sleep(0.3)  # so that there is something left to play

    on_cluster(nodes, asked, tmp_path, report=report)
    assert max(seen) == 3
    nodes.remove_node(list(nodes.worker_nodes)[-1], allow_graceful=False)


WORDS = {
    "raises": "ZeroDivisionError: too hard",
    "hangs": "no answer in 2 seconds",
    "dies": "its process ended, with exit code 7",
}


@pytest.mark.long
@pytest.mark.usefixtures("site")
def test_agents_that_fail_are_named_and_the_others_go_on(nodes: Nodes, tmp_path: Path) -> None:
    names = [f"faulty:how={how}" for how in WORDS]
    asked = a_tournament([*names, "naive", "tempo"], deals=16)
    whole = [make_agent(name, OFFICIAL) for name in ("faulty:how=never", "tempo")]
    play_rounds(whole, Setup(OFFICIAL), range(8))  # compiles what two seconds are too short for
    there = on_cluster(nodes, asked, tmp_path / "games", limit=2, go_on=True)
    assert set(there.failures) == set(names)
    for how, name in zip(WORDS, names, strict=True):
        told = rf"deal \d+, seat 1, agent {re.escape(name)}: {WORDS[how]}"
        assert re.fullmatch(told, str(there.failures[name]))
    assert there.standings(9) == play(a_tournament(("naive", "tempo"), deals=16)).standings()


@pytest.mark.slow
def test_a_policy_file_travels_and_keeps_its_name(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = make_agent("policy").file  # type: ignore[attr-defined]
    for suffix in (".safetensors", ".json"):
        shutil.copy(file.with_suffix(suffix), tmp_path / f"mine{suffix}")
    monkeypatch.chdir(tmp_path)
    asked = a_tournament(("policy:path=mine.safetensors", "naive"), deals=16)
    there, alone = store_for(tmp_path / "there", asked, ""), store_for(tmp_path / "alone", asked, "")
    with connected(nodes.address, 2, SKYJO, asked.agents) as cluster:
        (tmp_path / "mine.safetensors").unlink()  # nodes have none in their folder
        play(asked, there, cluster=cluster)
    shutil.copy(file, tmp_path / "mine.safetensors")
    play(asked, alone, workers=1)
    assert files(there.folder) == files(alone.folder)
    assert there.manifest["plan"]["tables"] == [["policy:path=mine.safetensors", "naive"]]


def test_files_that_agents_name_are_copied_wherever_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.safetensors", "a.json", "0.5", "2"):
        (tmp_path / name).write_text(name)
    text = "rollout:base=(policy:path=a.safetensors,depth=2),n=0.5"
    packed = pack_files(tmp_path / "folder", text)
    found = re.fullmatch(r"rollout:base=\(policy:path=(files/[0-9a-f]{16}/a.safetensors),depth=2\),n=0.5", packed)
    assert found is not None
    assert (tmp_path / "folder" / found[1]).with_suffix(".json").read_text() == "a.json"


@pytest.mark.slow
def test_deals_are_shared_out_among_the_cores(nodes: Nodes) -> None:
    agents, setup = [make_agent("random"), make_agent("tempo")], Setup(OFFICIAL, 3)
    alone = play_rounds(agents, setup, range(50))
    with connected(nodes.address, 2, SKYJO) as cluster:
        there = play_rounds(agents, setup, range(50), cluster)
        assert list(cluster.map(abs, range(-9, 0))) == list(range(9, 0, -1))
        with pytest.raises(ZeroDivisionError):
            list(cluster.map((1).__floordiv__, [1, 0]))
        with pytest.raises(TableError, match="already connected to a Ray cluster"), connected("local", 1, SKYJO):
            pass
    assert (there.scores == alone.scores).all()


@pytest.mark.slow
def test_nodes_with_other_code_are_refused(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardtable.workers.cluster.code_here", lambda _: {"sources": "mine"})
    refused = "a node of the cluster has another version of the code: sources is .* there, 'mine' here"
    with pytest.raises(TableError, match=refused):
        on_cluster(nodes, a_tournament(AGENTS, deals=16), tmp_path)


@pytest.mark.long
def test_a_driver_that_is_killed_or_interrupted_goes_on(nodes: Nodes, tmp_path: Path) -> None:
    def command(store: str, *more: str) -> list[str]:
        agents = [*AGENTS, "--deals", "30000", "--json", "--store", str(tmp_path / store)]
        return [sys.executable, "-m", "skyjo", "tournament", *agents, *more]

    subprocess.run(command("alone"), check=True, capture_output=True)
    there = command("there", "--cluster", nodes.address)
    for stop in (signal.SIGKILL, signal.SIGINT):
        driver, before = subprocess.Popen(there, stdout=subprocess.PIPE, stderr=subprocess.PIPE), 0
        before = len(files(tmp_path / "there"))
        while driver.poll() is None and len(files(tmp_path / "there")) < before + 3:
            time.sleep(0.01)
        driver.send_signal(stop)
        out, err = driver.communicate()
        assert driver.returncode == (130 if stop == signal.SIGINT else -stop), err
        assert (out, b"Traceback" in err) == (b"", False)
    assert b"run the same command to continue" in err
    assert set(files(tmp_path / "there")) < set(files(tmp_path / "alone"))
    done = subprocess.run(there, check=True, capture_output=True)
    assert json.loads(done.stdout)["failed"] == []
    assert files(tmp_path / "there") == files(tmp_path / "alone")


def test_an_address_without_a_cluster_is_one_line(skyjo: Skyjo) -> None:
    assert "run the command on a node of the cluster" in complaint(
        skyjo("match", "naive", "naive", "--cluster", "ray://a:1")
    )


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nohost.invalid:6379", f"127.0.0.1:{10**30}"])
def test_an_address_where_nobody_answers_is_told_at_once(address: str) -> None:
    began = time.monotonic()
    with pytest.raises(TableError, match=f"no Ray cluster can be used at {address}: "), connected(address, 1, SKYJO):
        pass
    assert time.monotonic() - began < 30
