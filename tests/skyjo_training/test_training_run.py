"""A training run: what its config may ask for, and that interrupted anywhere it goes on to the same policy."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyjo_env import OFFICIAL, SkyjoError
from skyjo_env.learning import SkyjoConfig
from skyjo_training.learned_game import learned_game
from skyjo_training.training_config import Config

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

import pyarrow.parquet as pq  # noqa: E402

from cardtable.table.agents.policies.policy_agent import NetworkAgent  # noqa: E402
from skyjo_agents import PolicyAgent  # noqa: E402
from skyjo_training import measurements  # noqa: E402
from skyjo_training import training_run as run  # noqa: E402
from skyjo_training.checkpoint import CheckpointError, Notes, load_checkpoint, save_checkpoint  # noqa: E402
from skyjo_training.compiled_ppo import CompiledPPO  # noqa: E402
from skyjo_training.measurements import Measured  # noqa: E402
from skyjo_training.table_learner import TableLearner  # noqa: E402
from tests.policies import saved  # noqa: E402


@pytest.mark.parametrize(("name", "low", "high"), [(name, *ends) for name, ends in SkyjoConfig.ranges().items()])
def test_the_least_and_the_greatest_are_allowed_and_nothing_beyond(name: str, low: float, high: float) -> None:
    kind = type(getattr(SkyjoConfig(), name))
    for value in (low, high):
        given: dict[str, Any] = {name: kind(value)}
        if name == "teacher_decisions" and value > 0:  # somebody must give them
            given |= {"teacher": "tempo"}
        assert getattr(SkyjoConfig(**given), name) == value
    for value in (low - 1, high + 1, float("nan")):
        given = {name: value}
        with pytest.raises(SkyjoError, match=f"^{name}="):
            SkyjoConfig(**given)


def test_every_number_has_bounds() -> None:
    numbers = {field.name for field in fields(SkyjoConfig) if type(getattr(SkyjoConfig(), field.name)) in (int, float)}
    assert numbers == SkyjoConfig.ranges().keys()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": ()}, "players="),
        ({"players": (2, 3, 2)}, "players=.* twice"),
        ({"players": (2, 9)}, "players"),
        ({"players": (1,)}, "players"),
        ({"rules": "colour=red"}, "colour"),
        ({"rules": "rows=9"}, "rows"),
        ({"tables": 10, "opponent_fraction": 0.96}, "opponent_fraction=0.96 of tables=10 leaves none for the policy"),
        ({"tables": 10, "opponent_fraction": 0.04}, "opponent_fraction=0.04 of tables=10 leaves none for opponents"),
        ({"opponent_fraction": 0.5, "snapshots": 0}, "needs opponents or snapshots"),
        ({"opponents": ("tempo",)}, "opponent_fraction=0"),
        ({"rules": "players=5"}, "the number of players is set by players"),
        ({"baselines": ("random", "random")}, "baselines=.* names something twice"),
        ({"baselines": "random"}, "baselines='random' must be of the same type"),
        ({"tables": 16.0}, "tables=16.0 must be of the same type"),
        ({"seed": True}, "seed=True must be of the same type"),
        ({"method": "maskable-ppo", "average": 0.5}, "method=maskable-ppo has no average"),
        ({"method": "maskable-ppo", "players": (2, 3)}, "method=maskable-ppo learns at tables of one size"),
        ({"method": "maskable-ppo", "opponent_fraction": 0.5}, "method=maskable-ppo meets opponents at all tables"),
        ({"device": "abacus"}, "device='abacus' must be auto"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SkyjoError, match=message):
        SkyjoConfig(**changes)
    with pytest.raises(SkyjoError, match=message):
        SkyjoConfig().with_changes(changes)


@pytest.mark.parametrize(
    ("tables", "opponent_fraction", "pooled"),
    [(10, 0.9, 9), (10, 1.0, 10), (1, 0.0, 0), (1, 1.0, 1), (512, 0.2, 102), (3, 0.6, 2)],
)
def test_so_many_tables_have_opponents(tables: int, opponent_fraction: float, pooled: int) -> None:
    assert SkyjoConfig(tables=tables, opponent_fraction=opponent_fraction).opposed == pooled


def test_rules_are_those_of_the_text_at_a_table_of_any_size() -> None:
    config = SkyjoConfig(players=(2, 5), rules="clear=confirm max_turns=50")
    assert config.rules_at(5) == OFFICIAL.replace(players=5, clear="confirm", max_turns=50)
    assert SkyjoConfig().rules_at(2) == OFFICIAL


def test_changes_are_checked_and_leave_the_rest() -> None:
    config = SkyjoConfig(seed=3)
    changed = config.with_changes({"tables": 7, "gae_lambda": 0.5})
    assert changed == SkyjoConfig(seed=3, tables=7, gae_lambda=0.5)
    assert config == SkyjoConfig(seed=3)
    with pytest.raises(SkyjoError, match="colour, size: a training config has no such field"):
        config.with_changes({"size": 1, "colour": 2})


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SkyjoError, match=r"no preset is called 'minutes'; known: demo, .*; did you mean minute"):
        learned_game("skyjo").preset("minutes")


SMALL = SkyjoConfig(
    players=(2, 3),
    decisions=4096,
    tables=16,
    n_steps=16,
    batch_size=64,
    doublings=1,
    gae_lambda=0.8,
    opponent_fraction=0.25,
    snapshots=2,
    opponents=("tempo",),
    cell=8,
    column=16,
    table=16,
    deals=2,
    measurements=3,
    rules="max_turns=60",
    baselines=("random",),
)


def begun(folder: Path, config: Config = SMALL) -> Path:
    run.begin(folder, [config], "skyjo train")
    return folder


class PlugPulledError(Exception):
    """Somebody has pulled the plug."""


def train_until(folder: Path, decisions: int) -> None:
    """Train, but be interrupted after so many decisions."""

    def tell(model: TableLearner, _: Any) -> None:
        if model.num_timesteps >= decisions:
            raise PlugPulledError

    with pytest.raises(PlugPulledError):
        run.train(folder, tell)


def state(model: Any) -> dict[str, Any]:
    return {name: value.numpy() for name, value in model.policy.network.state_dict().items()}


def assert_same(one: Any, other: Any) -> None:
    for name, value in state(one).items():
        np.testing.assert_array_equal(value, state(other)[name], err_msg=name)


def metrics(folder: Path) -> Any:
    """All that was noted but the time it took."""
    table = pq.read_table(folder / measurements.METRICS)
    return table.drop_columns("seconds").to_pydict()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TableLearner]:
    folder = begun(tmp_path_factory.mktemp("runs") / "whole")
    return folder, run.train(folder)


@pytest.mark.parametrize("places", [(900,), (300, 1000, 3800)])
@pytest.mark.long
def test_an_interrupted_run_goes_on_to_the_same_policy(
    whole: tuple[Path, TableLearner], tmp_path: Path, places: tuple[int, ...]
) -> None:
    folder = begun(tmp_path / "run")
    for decisions in places:
        train_until(folder, decisions)
    model = run.train(folder)
    assert_same(model, whole[1])
    assert metrics(folder) == metrics(whole[0])
    assert [member.name for member in model.groups[0].opponents.members] == [
        member.name for member in whole[1].groups[0].opponents.members
    ]


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_policy(whole: tuple[Path, TableLearner], tmp_path: Path) -> None:
    """Kill −9 at random moments, those of writing included."""
    folder, rng = begun(tmp_path / "run"), random.Random(int(os.environ.get("SKYJO_KILLS", "5")))
    script = f"from pathlib import Path; from skyjo_training.training_run import train; train(Path({str(folder)!r}))"
    ends = []
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        checkpoints = len(list((folder / run.CHECKPOINTS).glob("*")))
        while time.monotonic() < deadline and process.poll() is None:
            if len(list((folder / run.CHECKPOINTS).glob("*"))) != checkpoints:
                break
            time.sleep(0.005)
        time.sleep(rng.random() * 0.3)
        process.send_signal(signal.SIGKILL)
        ends.append(process.wait())
    assert -signal.SIGKILL in ends
    assert_same(run.train(folder), whole[1])
    assert metrics(folder) == metrics(whole[0])


@pytest.mark.slow
def test_a_learned_opponent_is_no_snapshot_and_tables_of_all_sizes_share_these(tmp_path: Path) -> None:
    name = f"policy:path={saved(tmp_path / 'opponent.safetensors', (2, 3))}"
    config = SMALL.with_changes({"opponents": (name,), "rules": ""})  # those of the opponent
    folder = begun(tmp_path / "run", config)
    train_until(folder, 2600)
    saved_weights = torch.load(checkpoints(folder)[-1])["run"]["snapshots"]
    assert name not in saved_weights
    model = CompiledPPO(config)
    load_checkpoint(folder / run.CHECKPOINTS, model)
    first, second = (group.opponents for group in model.groups)
    assert isinstance(first.members[0].agent, PolicyAgent)
    both = {each.name: each.agent for each in first.snapshots}
    shared = [each.agent is both[each.name] for each in second.snapshots if each.name in both]
    assert shared == [True] * len(shared) != []
    for snapshot in second.snapshots:
        assert isinstance(snapshot.agent, NetworkAgent)
        kept = snapshot.agent.network.state_dict()
        assert all(torch.equal(saved_weights[snapshot.name][key], value) for key, value in kept.items())


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def checkpoints(folder: Path) -> list[Path]:
    return sorted((folder / run.CHECKPOINTS).glob("checkpoint-*.pt"))


@pytest.mark.slow
def test_a_damaged_checkpoint_is_named_and_the_one_before_it_used(
    whole: tuple[Path, TableLearner], tmp_path: Path
) -> None:
    folder = begun(tmp_path / "run")
    train_until(folder, 3000)
    damage(checkpoints(folder)[-1])
    with pytest.warns(UserWarning, match=checkpoints(folder)[-1].name):
        model = run.train(folder)
    assert_same(model, whole[1])


@pytest.mark.slow
def test_if_all_are_damaged_nothing_is_begun_anew(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    train_until(folder, 2600)
    for path in checkpoints(folder):
        path.write_bytes(path.read_bytes()[:1000])
    with pytest.warns(UserWarning, match="is damaged"), pytest.raises(CheckpointError, match="all checkpoints"):
        run.train(folder)


@pytest.mark.slow
def test_a_checkpoint_of_another_network_says_so(tmp_path: Path) -> None:
    folder, other = begun(tmp_path / "run"), begun(tmp_path / "other", SkyjoConfig().with_changes({"column": 8}))
    train_until(folder, 2600)
    (folder / run.CHECKPOINTS).rename(other / run.CHECKPOINTS)
    with pytest.raises(CheckpointError, match="does not fit this run"):
        run.train(other)


@pytest.mark.parametrize(
    ("place", "name"), [("opponents", "oracle:n=4"), ("baselines", "oracle"), ("baselines", "human")]
)
def test_agents_that_cannot_play_in_a_run_are_refused_before_anything_is_written(
    tmp_path: Path, place: str, name: str
) -> None:
    changes: dict[str, Any] = {place: (name,)}
    with pytest.raises(SkyjoError, match=f"{name} cannot play at the tables of a training run"):
        run.begin(tmp_path / "run", [replace(SMALL, **changes)], "")
    assert list(tmp_path.iterdir()) == []


def test_seeds_are_in_the_order_of_their_numbers_and_other_folders_are_none(tmp_path: Path) -> None:
    run.begin(tmp_path / "run", [SMALL.with_changes({"seed": seed}) for seed in (10, 9)], "")
    shutil.copytree(tmp_path / "run" / "seed-9", tmp_path / "run" / "seed-9-copy")
    assert [each.name for each in run.folders_of(tmp_path / "run")] == ["seed-9", "seed-10"]
    for name in ("seed-9", "seed-10", "seed-9-copy"):
        (tmp_path / "run" / name / run.POLICY).touch()
    assert [each.parent.name for each in run.policies_of(tmp_path / "run")] == ["seed-9", "seed-10"]


NONSENSE = [
    "[]",
    "{",
    '{"colour": 1}',
    '{"tables": "many"}',
    '{"tables": 0}',
    '{"players": [9]}',
    '{"teacher": "os:system"}',
]


@pytest.mark.parametrize("text", NONSENSE)
def test_a_config_that_makes_no_sense_is_an_error_that_names_the_file(tmp_path: Path, text: str) -> None:
    folder = begun(tmp_path / "run")
    (folder / run.CONFIG).write_text(text)
    with pytest.raises(SkyjoError, match=run.CONFIG):
        run.config_of(folder)


def copied(whole: tuple[Path, TableLearner], tmp_path: Path) -> Path:
    """A finished run that a test may damage."""
    folder = tmp_path / "copy"
    shutil.copytree(whole[0], folder)
    return folder


@pytest.mark.slow
def test_what_is_lost_of_a_finished_run_is_written_again(whole: tuple[Path, TableLearner], tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    (folder / measurements.METRICS).unlink()
    (folder / run.ABOUT).write_text("{")
    (folder / run.POLICY).write_bytes(b"x")
    run.train(folder)
    assert metrics(folder) == metrics(whole[0])
    assert (folder / run.POLICY).read_bytes() == (whole[0] / run.POLICY).read_bytes()
    (folder / measurements.METRICS).write_bytes(b"x")
    with pytest.raises(SkyjoError, match=r"metrics.parquet: damaged"):
        measurements.read_measurements(folder)


def test_a_checkpoint_whose_tables_cannot_be_is_refused(tmp_path: Path) -> None:
    """Its digest is right."""
    model = CompiledPPO(SMALL)
    path = save_checkpoint(tmp_path, model, Notes([Measured(1, 1.0, {})], 2.0))
    state = torch.load(path)
    state["run"]["groups"][0]["shares"][0]["shared"]["games"].fill_(0x7F)
    path.unlink()
    torch.save(state, path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    path.rename(path.with_name(f"{path.stem.rpartition('-')[0]}-{digest}.pt"))
    with pytest.raises(CheckpointError, match=r"does not fit this run: .*under max_turns=60: phase [0-9]+"):
        load_checkpoint(tmp_path, model)


def test_runs_are_begun_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_folder: Path, config: SkyjoConfig, _command: str) -> None:
        if config.seed == 1:
            raise PlugPulledError

    monkeypatch.setattr(run, "_begin_one", fail)
    with pytest.raises(PlugPulledError):
        run.begin(tmp_path / "run", [SMALL, SMALL.with_changes({"seed": 1})], "")
    assert list(tmp_path.iterdir()) == []


def test_two_processes_do_not_train_in_one_folder(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")

    def tell(*_: Any) -> None:
        with pytest.raises(SkyjoError, match="another process is training here"):
            run.train(folder)
        raise PlugPulledError

    with pytest.raises(PlugPulledError):
        run.train(folder, tell)


def test_weights_that_are_no_numbers_are_not_kept(tmp_path: Path) -> None:
    model = CompiledPPO(SMALL)
    with torch.no_grad():
        next(model.network.parameters()).fill_(float("nan"))
    with pytest.raises(CheckpointError, match="no longer finite"):
        save_checkpoint(tmp_path, model, Notes())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", ["self-play", "maskable-ppo"])
def test_a_learning_rate_that_is_too_high_is_named(tmp_path: Path, method: str) -> None:
    changes: dict[str, Any] = {"method": method, "learning_rate": 1.0, "last_learning_rate": 1.0}
    config = SkyjoConfig(decisions=2048, tables=16, n_steps=16, batch_size=64, deals=2, measurements=1, **changes)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            run.train(begun(tmp_path / "run", replace(config, baselines=("random",))))
            words = " ".join(str(each.message) for each in caught)
        except CheckpointError as error:
            words = str(error)
    assert words.count("lower --learning-rate") == 1
