"""A policy that first learns from a teacher, and its network in stable-baselines3's algorithms."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from stable_baselines3.common.vec_env import VecMonitor  # noqa: E402

from cardtable.table.agents.policies.policy_file import load_policy  # noqa: E402
from cardtable.table.errors import TableError  # noqa: E402
from skipbo_env import make_agent  # noqa: E402
from skipbo_env.learning import SkipboConfig  # noqa: E402
from skyjo_env import Rules, SkyjoError  # noqa: E402
from skyjo_training import SeatVecEnv  # noqa: E402
from skyjo_training import training_run as run  # noqa: E402
from skyjo_training.compiled_ppo import CompiledPPO  # noqa: E402
from skyjo_training.learned_game import learned_game  # noqa: E402
from skyjo_training.opponent_pool import OpponentPool  # noqa: E402
from skyjo_training.self_play_tables import SelfPlayTables, TableSetup  # noqa: E402
from skyjo_training.table_learner import TableLearner  # noqa: E402
from skyjo_training.table_policy import TablePolicy  # noqa: E402
from tests.skyjo_training.test_compiled_ppo import Watched  # noqa: E402

SMALL = {"cell": 4, "column": 8, "table": 8}
MANY_RULES = [Rules(), Rules(players=3, clear="confirm"), Rules(rows=2, deck=((-3, 40), (0, 60), (5, 60)))]


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """Small networks are slower on several threads, and much slower beside other tests."""
    torch.set_num_threads(1)


def made(rules: Rules, **options: Any) -> Any:
    env = VecMonitor(SeatVecEnv("skyjo", 4, rules, opponents=["naive", "threshold:t=2"][: rules.players - 1]))
    kwargs = {"rules": rules, "widths": SMALL}
    return MaskablePPO(TablePolicy, env, policy_kwargs=kwargs, n_steps=32, seed=1, device="cpu", **options)


@pytest.mark.parametrize("rules", MANY_RULES)
def test_maskable_ppo_learns_with_it_under_any_rules(rules: Rules) -> None:
    model = made(rules, batch_size=64, n_epochs=2)
    before = [part.clone() for part in model.policy.network.parameters()]
    model.learn(200)
    assert model._n_updates == 4
    assert not all(torch.equal(*pair) for pair in zip(before, model.policy.network.parameters(), strict=True))
    assert len(list(model.policy.parameters())) == len(before)  # there is nothing else to learn


def test_a_saved_model_plays_the_same(tmp_path: Path) -> None:
    rules = MANY_RULES[1]
    model = made(rules)
    model.learn(128)
    model.save(tmp_path / "model.zip")
    again: Any = MaskablePPO.load(tmp_path / "model.zip", device="cpu")
    env = SeatVecEnv("skyjo", 50, rules)
    env.seed(3)
    seen: Any = env.reset()
    actions, _ = model.predict(seen, deterministic=True, action_masks=env.action_masks())
    assert np.array_equal(again.predict(seen, deterministic=True, action_masks=env.action_masks())[0], actions)
    env.step(actions)  # legal ones
    assert again.policy.rules == rules


@pytest.mark.parametrize(
    "options", [{"players": 3}, {"rules": Rules(clear="confirm")}, {"rules": Rules(rows=2)}, {"encoding": "onehot"}]
)
def test_other_rules_or_another_encoding_are_refused_in_words(options: dict[str, Any]) -> None:
    with pytest.raises(SkyjoError, match="policy_kwargs"):
        MaskablePPO(TablePolicy, SeatVecEnv("skyjo", 2, **options), device="cpu")


TEACHER = "greedy:pile=smallest"
TAUGHT = SkipboConfig(
    rules="stock=5 symmetric=lowest",
    decisions=2048,
    teacher_decisions=1024,
    teacher=TEACHER,
    tables=16,
    n_steps=32,
    batch_size=128,
    pile=8,
    rank=8,
    table=16,
    deals=2,
    measurements=2,
    baselines=(TEACHER,),
    device="cpu",
)


def agreement(noted: dict[str, Any]) -> float:
    """The share of decisions that are the teacher's."""
    seen, masks = (noted[name].reshape(-1, noted[name].shape[-1]) for name in ("observations", "masks"))
    wanted = make_agent(TEACHER, TAUGHT.rules_at(2)).act(
        np.ascontiguousarray(seen, np.int16), np.ascontiguousarray(masks, np.int8), np.zeros(len(seen), np.uint64)
    )
    return float((wanted == noted["actions"].reshape(-1)).mean())


def test_the_first_decisions_are_the_teachers_and_all_others_its_own() -> None:
    model = Watched(TAUGHT)
    model.learn(TAUGHT.decisions)
    assert [agreement(noted) == 1 for noted in model.noted] == [True, True, False, False]


@pytest.mark.slow
def test_it_learns_to_decide_as_its_teacher() -> None:
    model = Watched(replace(TAUGHT, decisions=8192, teacher_decisions=8192, learning_rate=5e-3))
    losses = []
    model.learn(512)
    losses.append(model.logger.name_to_value["train/policy_gradient_loss"])
    model.learn(8192)
    losses.append(model.logger.name_to_value["train/policy_gradient_loss"])
    assert losses[1] < 0.7 * losses[0]


@pytest.mark.slow
def test_rewards_are_the_margin_and_the_win_in_shares_of_the_most_that_a_round_can_bring() -> None:
    rules = TAUGHT.rules_at(2)
    agent: Any = make_agent(TEACHER, rules)
    for margin, win in ((1.0, 175.0), (0.0, 350.0)):
        opponents = OpponentPool([], 0, 1.0, np.random.default_rng(0))
        tables, given = SelfPlayTables(TableSetup(rules, 16, win=win, margin=margin), opponents), []
        for _ in range(100):
            scored, _, scores = tables.step(agent.act(tables.observations, tables.masks, np.zeros(16, np.uint64)))
            given.append(tables.rewards(scored, scores)[scored])
        ends = np.concatenate(given)
        assert len(ends) >= 10
        assert ends.sum(axis=1) == pytest.approx(0, abs=1e-6)
        points = abs(ends[:, 0]) * learned_game("skipbo").points
        lost = (points - win) / margin if margin > 0 else points - win + 25
        assert (lost >= 25 - 1e-3).all()  # for winning, and 5 for each card left of 5
        assert (lost <= 50 + 1e-3).all()
        assert lost % 5 == pytest.approx(np.zeros(len(lost)), abs=1e-3)


@pytest.mark.long
def test_a_run_that_is_taught_can_be_interrupted_and_leaves_a_policy_of_the_game(tmp_path: Path) -> None:
    averaged = replace(TAUGHT, average=0.8)
    for name in ("whole", "halves"):
        run.begin(tmp_path / name, [averaged], "skipbo train")
    run.train(tmp_path / "whole")

    def pull(model: TableLearner, _: Any) -> None:
        if model.num_timesteps >= 1200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.train(tmp_path / "halves", pull)
    run.train(tmp_path / "halves")
    assert run.config_of(tmp_path / "halves") == averaged
    weights = [(tmp_path / name / "policy.safetensors").read_bytes() for name in ("whole", "halves")]
    assert weights[0] == weights[1]
    _, card = load_policy(tmp_path / "whole" / "policy.safetensors")
    assert (card.rules.game, card.rules.to_text()) == ("skipbo", "stock=5")  # places that are alike are played alike
    assert make_agent(f"policy:path={tmp_path}/whole/policy.safetensors", TAUGHT.rules_at(2)) is not None


@pytest.mark.parametrize("changes", [{"teacher": ""}, {"teacher_decisions": 0}])
def test_a_teacher_has_lessons_and_lessons_have_a_teacher(changes: dict[str, Any]) -> None:
    with pytest.raises(TableError, match="must be given together"):
        replace(TAUGHT, **changes)


FURTHER = replace(TAUGHT, teacher="", teacher_decisions=0, decisions=1024, seed=1)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, trained once for all tests."""
    folder = tmp_path_factory.mktemp("runs") / "first"
    run.begin(folder, [TAUGHT], "skipbo train")
    run.train(folder)
    return folder


@pytest.fixture
def first(trained: Path, tmp_path: Path) -> Path:
    """Its policy, in a folder where it may be removed."""
    return Path(shutil.copytree(trained, tmp_path / "first")) / "policy.safetensors"


@pytest.mark.slow
def test_a_run_goes_on_from_the_weights_of_a_policy_and_keeps_them(first: Path, tmp_path: Path) -> None:
    run.begin(tmp_path / "second", [replace(FURTHER, start=str(first))], "skipbo train")
    history = json.loads(first.with_suffix(".json").read_text())["training"]
    first.unlink()
    start = tmp_path / "second" / run.START
    model = CompiledPPO(replace(FURTHER, start=str(start)))
    begun = load_policy(start)[0].state_dict()
    assert all(torch.equal(begun[name], weight) for name, weight in model.network.state_dict().items())
    run.train(tmp_path / "second")
    network, card = load_policy(tmp_path / "second" / "policy.safetensors")
    assert any(not torch.equal(begun[name], weight) for name, weight in network.state_dict().items())
    assert card.training["start"] == history
    assert card.training["config"]["start"] == run.START


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [({"pile": 9}, "this run's has"), ({"rules": "stock=6"}, "stock=5"), ({"start": "none.safetensors"}, "none")],
)
@pytest.mark.slow
def test_a_policy_to_begin_with_must_be_one_of_the_same_kind(
    first: Path, tmp_path: Path, changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(TableError, match=complaint):
        run.begin(tmp_path / "second", [replace(FURTHER, **{"start": str(first), **changes})], "skipbo train")
    assert not (tmp_path / "second").exists()
