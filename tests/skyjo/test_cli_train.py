"""`skyjo train` and `compare`: presets, seeds, resuming, runs side by side, pages, and errors on one line."""

import json
import re
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from cardtable.table.errors import TableError

pytest.importorskip("sb3_contrib")

from skyjo.command_line import parse
from skyjo.commands.compare import Compare
from skyjo.commands.train import Train, train_in_processes
from skyjo.interfaces import called
from skyjo_env.learning import SKYJO_LEARNED
from skyjo_training.compiled_ppo import CompiledPPO
from skyjo_training.measurements import read_measurements
from skyjo_training.training_run import config_of
from tests.policies import saved
from tests.skyjo.cli import Skyjo, complaint

TINY = "--decisions 512 --tables 16 --n-steps 16 --batch-size 64 --deals 3 --measurements 2"
SMALL = f"{TINY} --cell 8 --column 16 --table 16 --baselines random".split()


def test_it_trains_and_writes_what_belongs_to_a_run(tmp_path: Path, skyjo: Skyjo) -> None:
    folder = tmp_path / "run"
    status, out, err = skyjo("train", str(folder), *SMALL)
    assert status == 0, err
    assert "points a round" in out
    assert f"{folder}/policy.safetensors" in out.replace("\n", "")
    assert "M decisions" in err  # how it goes on
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "about.json",
        "checkpoints",
        "config.json",
        "metrics.parquet",
        "policy.json",
        "policy.safetensors",
        "report.html",
        "tensorboard",
    }
    page = (folder / "report.html").read_text()
    assert page.count("<svg") == 5  # no round was stopped, so nothing is drawn of that
    command = json.loads((folder / "about.json").read_text())["command"]
    assert command.startswith(f"skyjo train {folder} --decisions 512 --tables 16")
    assert command in page.replace("&#39;", "'")
    card = json.loads((folder / "policy.json").read_text())
    assert card["strength"][0]["against"] == "random"
    assert card["training"]["config"]["tables"] == 16


@pytest.mark.slow
def test_several_seeds_have_folders_of_their_own_and_one_page(tmp_path: Path, skyjo: Skyjo) -> None:
    folder = tmp_path / "run"
    status, out, err = skyjo("train", str(folder), *SMALL, "--seeds", "2", "--seed", "7", "--json")
    assert status == 0, err
    first, second, over = json.loads(out).values()
    means = [each["margins"]["random"]["mean"] for each in (first, second)]
    assert over["margins"]["random"]["mean"] == pytest.approx(sum(means) / 2)
    assert config_of(folder / "seed-8").seed == 8
    assert "over seeds" in (folder / "report.html").read_text()
    one, other = ((folder / name / "policy.safetensors").read_bytes() for name in ("seed-7", "seed-8"))
    assert one != other
    before = one
    status, out, err = skyjo("train", "--resume", str(folder))  # nothing is left to do
    assert status == 0, err
    assert (folder / "seed-7" / "policy.safetensors").read_bytes() == before
    assert re.search(r"over seeds +random +[+-]\d", out)


@pytest.mark.slow
def test_a_resumed_run_goes_on_to_more_decisions(tmp_path: Path, skyjo: Skyjo) -> None:
    folder = tmp_path / "run"
    assert skyjo("train", str(folder), *SMALL, "--average", "0.5").status == 0
    before = (folder / "policy.safetensors").read_bytes()
    words = complaint(skyjo("train", "--resume", str(folder), "--decisions", "511"))
    assert words == f"skyjo: {folder}: --decisions 511 is less than the 512 of this run"
    for _ in range(2):  # the second time nothing is left to do
        done = skyjo("train", "--resume", str(folder), "--decisions", "1024", "--json")
        assert done.status == 0, done.err
        assert json.loads(done.out)["run"]["decisions"] == 1024
    card = json.loads((folder / "policy.json").read_text())
    assert card["training"]["decisions"] == 1024
    assert card["training"]["command"].endswith(" && skyjo train --resume RUN --decisions 1024")
    assert (folder / "policy.safetensors").read_bytes() != before
    assert [each.decisions for each in read_measurements(folder)] == [256, 512, 1024]


@pytest.mark.parametrize("name", sorted(SKYJO_LEARNED.presets))
def test_everything_else_comes_from_the_preset(name: str) -> None:
    with called("skyjo"):
        check_preset(name)


def check_preset(name: str) -> None:
    train: Any = parse(["train", "run", "--preset", name, "--seed", "3"])
    assert isinstance(train, Train)
    assert train._configs() == [SKYJO_LEARNED.preset(name).with_changes({"seed": 3})]
    assert train._command() == f"skyjo train run --seed 3{f' --preset {name}' if name != 'demo' else ''}"
    assert train.defaults([f"--preset={name}"]) == train.defaults(["--preset", name])


def test_a_start_brings_the_widths_of_its_network(tmp_path: Path, skyjo: Skyjo) -> None:
    status, _, err = skyjo("train", str(tmp_path / "first"), *SMALL)
    assert status == 0, err
    start = f"--start={tmp_path}/first/policy.safetensors"
    with called("skyjo"):
        train: Any = parse(["train", "run", start])
        wider: Any = parse(["train", "run", start, "--cell", "9"])
        assert train._command().endswith("--cell 8 --column 16 --table 16")
    assert (train.cell, train.column, train.table) == (8, 16, 16)
    assert (wider.cell, wider.column) == (9, 16)


def test_a_process_that_is_killed_ends_the_command(tmp_path: Path) -> None:
    def kill_one() -> None:
        while len(found := active_children()) < 2:
            time.sleep(0.01)
        for process in found:
            process.kill()

    killer = threading.Thread(target=kill_one)
    killer.start()
    with called("skyjo"), pytest.raises(TableError, match=r"a training process has ended.*train --resume continues"):
        train_in_processes([tmp_path / "seed-0", tmp_path / "seed-1"], 2)
    killer.join()
    assert active_children() == []


BRIEF = ("--opponents", "naive", "threshold:t=1", "--deals", "40", "--games", "4", "--seed", "3", "--look-deals", "4")


@pytest.mark.slow
def test_it_prints_every_opponent_and_writes_the_page(skyjo: Skyjo, tmp_path: Path) -> None:
    done = skyjo("compare", "tempo", *BRIEF, "--exploiter-decisions", "4096", "--out", str(tmp_path))
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[2:5] if "±" in line] == ["naive", "threshold:t=1"]
    assert "The policy is significantly ahead of naive (+" in done.out
    assert "(5 % for all 2 together, Holm)." in done.out
    assert "lookahead against the policy, on 4 deals: +" in done.out
    assert "Exploiter, after 4,096 decisions" in done.out
    assert lines[-1].startswith("Written: ")
    page = (tmp_path / "skyjo-compare.html").read_text()
    again = "skyjo compare tempo --seed 3 --opponents naive threshold:t=1 --deals 40 --games 4"
    again += " --look-deals 4 --exploiter-decisions 4096"
    assert f"<code>{again}</code>" in page


def test_a_run_is_compared_as_json_by_its_path(skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved(Path("policy.safetensors"), players=(3, 4))
    alone = ("--games", "0", "--look-deals", "0", "--exploiter-decisions", "0")
    done = skyjo("compare", ".", "--opponents", "naive", "--deals", "4", *alone, "--workers", "1", "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert found["policies"] == [{"name": "policy", "agent": "policy:path=policy.safetensors"}]
    assert found["players"] == 3  # the fewest that it was trained for
    assert (found["against"][0]["deals"], found["lookahead"], found["exploiter"]) == (4, None, None)
    assert str(tmp_path) not in Path("skyjo-compare.html").read_text()


def test_it_names_the_options_of_parts_that_become_smaller(skyjo: Skyjo, tmp_path: Path) -> None:
    others = ("--games", "0", "--exploiter-decisions", "0", "--workers", "1", "--out", str(tmp_path))
    done = skyjo("compare", "tempo", "--opponents", "naive", "--deals", "4", *others)
    assert done.status == 0, done.err
    assert "smaller in proportion: --look-deals 2\n" in done.out


def test_parts_are_as_large_as_usual_with_the_usual_deals_or_more(skyjo: Skyjo) -> None:
    usual = {"games": 250, "slow_deals": 60, "look_deals": 1000, "exploiter_decisions": 500_000}
    with called("skyjo"):
        for deals in (3000, 100_000):
            assert Compare(policy="tempo", deals=deals).sizes() == usual
        fewer = {"games": 25, "slow_deals": 6, "look_deals": 7, "exploiter_decisions": 50_000}
        assert Compare(policy="tempo", deals=300, look_deals=7).sizes() == fewer
    words = re.sub(r"[│\s]+", " ", skyjo("compare", "--help").out)
    assert re.findall(r"default: (\d+), fewer with fewer --deals", words) == [str(size) for size in usual.values()]


@pytest.mark.filterwarnings("default:rounds take long")
def test_a_warning_of_a_thread_is_said(skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn = CompiledPPO.collect_rollouts

    def warn(model: CompiledPPO, *arguments: Any, **options: Any) -> bool:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(warnings.warn, "rounds take long").result()
        return learn(model, *arguments, **options)

    monkeypatch.setattr(CompiledPPO, "collect_rollouts", warn)
    status, _, err = skyjo("train", str(tmp_path / "run"), *SMALL)
    assert status == 0
    assert "skyjo: rounds take long\n" in err
