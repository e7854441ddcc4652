"""The network as a policy of stable-baselines3's own algorithms, at tables with named opponents."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from stable_baselines3.common.vec_env import VecMonitor  # noqa: E402

from skyjo_env import Rules, SkyjoError  # noqa: E402
from skyjo_training import SeatVecEnv  # noqa: E402
from skyjo_training.table_policy import TablePolicy  # noqa: E402

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
