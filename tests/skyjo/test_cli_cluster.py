"""The option --cluster: the same numbers as without it, in every command that has it."""

import json
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("ray")

from cardtable.card_game import Setup
from cardtable.workers.cluster import connected
from skyjo_env import OFFICIAL
from skyjo_env.card_game import SKYJO
from studies.paper.sweeps import PROGRAM, jobs_of, sweep
from studies.skill.population import play_round_robin
from studies.skipbo_paper.matchups import Play
from tests.helpers import without
from tests.ray_nodes import Nodes, nodes
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.test_cli_train import SMALL

__all__ = ["nodes"]


def nothing(_: float) -> None:
    """Progress that nobody wants to see."""


@pytest.mark.long
def test_studies_come_to_the_same_on_a_cluster(nodes: Nodes) -> None:
    jobs, pair, setup = jobs_of([PROGRAM], [2], 1500), ("naive", "tempo"), Setup(OFFICIAL, 1)
    told: list[float] = []
    with connected(nodes.address, 1, SKYJO) as cluster:
        swept = sweep(jobs, 1, cluster, told.append)
        met = play_round_robin(pair, range(60), setup, cluster, nothing)
        games = Play(30, 1, cluster, nothing).pair("greedy", "hpvp")
    assert swept == sweep(jobs, 1, 2, nothing)
    assert len(told) == len(jobs)
    assert (met.margins == play_round_robin(pair, range(60), setup, 1, nothing).margins).all()
    assert (games.wins == Play(30, 1, 1, nothing).pair("greedy", "hpvp").wins).all()


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        "tune tempo --against naive --deals 20 --sweeps 1",
        "compare tempo --opponents naive --deals 30 --games 0 --look 0 --exploit 512",
        "match tempo naive --deals 300 --until 5",
    ],
)
def test_commands_print_the_same_on_a_cluster(
    nodes: Nodes, skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = skyjo(*command.split(), "--json")
    there = skyjo(*command.split(), "--json", "--cluster", nodes.address)
    assert there.status == 0, there.err
    assert json.loads(there.out) | {"cluster": None} == json.loads(alone.out) | {"cluster": None}


@pytest.mark.long
def test_seeds_are_trained_on_the_nodes_and_resume_here(nodes: Nodes, skyjo: Skyjo, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = skyjo("train", str(folder), *SMALL, "--seeds", "2", "--cluster", nodes.address)
    assert done.status == 0, done.err
    assert "mean of 2 seeds" in done.out
    assert "standard deviation" in done.out
    assert {line.partition(":")[0] for line in done.err.splitlines()} == {"seed-0", "seed-1"}
    for seed in ("seed-0", "seed-1"):
        names = {path.name for path in (folder / seed).iterdir()}
        assert {"checkpoints", "metrics.parquet", "policy.json", "policy.safetensors"} <= names
    before = (folder / "seed-1" / "policy.safetensors").read_bytes()
    again = skyjo("train", "--resume", str(folder))
    assert again.status == 0, again.err
    assert (folder / "seed-1" / "policy.safetensors").read_bytes() == before
    alone = skyjo("train", str(tmp_path / "alone"), *SMALL, "--seeds", "2", "--workers", "2")
    assert alone.status == 0, alone.err
    assert (tmp_path / "alone" / "seed-1" / "policy.safetensors").read_bytes() == before


def test_without_ray_the_command_says_what_to_install(skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "ray", "cardtable.workers.cluster")
    line = complaint(skyjo("match", "naive", "tempo", "--cluster", "local"))
    assert line == 'skyjo: this needs ray: pip install "skyjo-env[cluster]"'
