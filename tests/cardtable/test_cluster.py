"""The option --cluster, on a Ray cluster of several nodes: the numbers of one machine, even if a node is lost."""

import json
import shutil
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib")

from cardtable.arena.play import plan
from cardtable.arena.stored.plan_store import store_for
from cardtable.arena.workers.cluster import connected
from cardtable.arena.workers.plan_run import PlanProgress, play
from cardtable.table.errors import TableError
from tests import faulty_agents
from tests.helpers import without
from tests.skyjo.cli import Skyjo, complaint, skyjo
from tests.skyjo.test_cli_train import SMALL
from tests.skyjo_play import a_tournament, files

__all__ = ["skyjo"]

Nodes = Any  # of ray.cluster_utils, which has no types
NODE = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "MIN_PIECE", 8)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Two nodes on this machine, a core each."""
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=NODE)
        cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()


@pytest.mark.long
def test_a_lost_node_changes_no_game_and_a_new_one_is_given_work(nodes: Nodes, tmp_path: Path) -> None:
    asked = a_tournament(("naive", "tempo", "expected"), deals=400, with_luck=True)
    alone = play(asked, store_for(tmp_path / "alone", asked, ""), workers=1)
    lost: list[Any] = []

    def lose_a_node(course: PlanProgress) -> None:
        if not lost and course.played >= 60:
            lost.append(next(iter(nodes.worker_nodes)))
            nodes.remove_node(lost[0], allow_graceful=False)
            nodes.add_node(**NODE)

    with connected(nodes.address, 2):
        there = play(asked, store_for(tmp_path / "there", asked, ""), on_cluster=True, report=lose_a_node)
    assert lost
    assert files(tmp_path / "there") == files(tmp_path / "alone")
    assert [there.standings(table) for table in range(3)] == [alone.standings(table) for table in range(3)]


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        "match tempo naive --deals 300 --until 5",
        "match naive rollout:n=1 --deals 8",
        "tournament strangers.py:Faulty:how=hangs naive tempo --deals 16 --timeout 5 --drop-failing",
        "tournament strangers.py:Faulty:how=dies naive tempo --deals 16 --drop-failing",
        "compare tempo --opponents naive --deals 30 --games 0 --look-deals 0 --exploiter-decisions 512",
    ],
)
def test_commands_print_the_same_on_a_cluster(
    nodes: Nodes, skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    shutil.copy(faulty_agents.__file__, tmp_path / "strangers.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.delitem(sys.modules, "strangers", raising=False)
    alone = skyjo(*command.split(), "--json")
    there = skyjo(*command.split(), "--json", "--cluster", nodes.address)
    assert there.status == 0, there.err
    assert json.loads(there.out) | {"cluster": None} == json.loads(alone.out) | {"cluster": None}


@pytest.mark.long
def test_seeds_that_are_trained_on_the_nodes_give_the_same_policies(nodes: Nodes, skyjo: Skyjo, tmp_path: Path) -> None:
    for name, where in (("there", ["--cluster", nodes.address]), ("here", ["--workers", "2"])):
        done = skyjo("train", str(tmp_path / name), *SMALL, "--seeds", "2", *where)
        assert done.status == 0, done.err
    one, other = ((tmp_path / name / "seed-1" / "policy.safetensors").read_bytes() for name in ("there", "here"))
    assert one == other


@pytest.mark.long
def test_nodes_with_other_code_are_refused(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardtable.arena.workers.cluster.code_of", lambda _: {"sources": "mine"})
    refused = "a node of the cluster has another version of the code: sources is .* there, 'mine' here"
    with pytest.raises(TableError, match=refused), connected(nodes.address, 1):
        play(a_tournament(("naive", "tempo"), deals=16), on_cluster=True)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["127.0.0.1:1", "nohost.invalid:6379", f"127.0.0.1:{10**30}"])
def test_an_address_where_no_cluster_answers_is_told_at_once(address: str) -> None:
    began = time.monotonic()
    with pytest.raises(TableError, match=f"no Ray cluster can be used at {address}: "), connected(address, 1):
        pass
    assert time.monotonic() - began < 60


def test_without_ray_the_command_says_what_to_install(skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "ray", "cardtable.arena.workers.cluster")
    line = complaint(skyjo("match", "naive", "tempo", "--cluster", "local"))
    assert line == 'skyjo: this needs ray: pip install "skyjo-env[cluster]"'
