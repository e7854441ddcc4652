"""RLlib: the wrapper of the example shows every seat the same as our environments."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # RLlib's own


@pytest.mark.parametrize(
    ("options", "seed"),
    [
        ({"game": "skyjo", "players": 3, "shaping": "expected_margin"}, 3),
        ({"game": "skipbo", "rules": "stock=3 symmetric=lowest", "shaping": "stock"}, 2),
    ],
)
def test_the_wrapped_table_shows_and_rewards_as_the_environment(options: dict[str, Any], seed: int) -> None:
    """With these seeds somebody wins; at random, most rounds of Skip-Bo end with nobody able to."""
    from rllib_ppo import MaskedTable, table

    wrapped, own = MaskedTable(options | {"encoding": "onehot"}), table(**options, encoding="onehot")
    chance, ended = np.random.default_rng(seed), False
    seen, _ = wrapped.reset(seed=seed)
    own.reset(seed=seed)
    rewards = dict.fromkeys(own.possible_agents, 0.0)
    given = dict(rewards)
    while not ended:
        ((seat, observed),) = seen.items()
        assert seat == own.agent_selection
        assert observed["observations"].tolist() == own.observe(seat)["observation"].tolist()
        assert observed["action_mask"].tolist() == own.observe(seat)["action_mask"].tolist()
        assert wrapped.observation_spaces[seat].contains(observed)
        action = int(chance.choice(np.flatnonzero(observed["action_mask"])))
        own.step(action)
        for each, reward in own.rewards.items():
            rewards[each] += reward
        seen, found, terminated, truncated, _ = wrapped.step({seat: action})
        for each, reward in found.items():
            given[each] += reward
        ended = terminated["__all__"] or truncated["__all__"]
    assert own.unwrapped.game.is_over
    assert given == pytest.approx(rewards, abs=1e-5)
    assert any(given.values())
