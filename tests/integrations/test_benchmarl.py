"""BenchMARL: the example's task gives its learners every seat with a mask, and its policy never waits when asked."""

import numpy as np
import pytest

pytest.importorskip("benchmarl")

import torch
from tensordict import TensorDict

from skyjo_env import GameBatch, ObservationSpec, Rules

pytestmark = [
    pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version:UserWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # TorchRL's own
]


@pytest.mark.parametrize("players", [2, 4])
def test_the_task_has_one_group_of_all_seats_whose_masks_it_knows(players: int) -> None:
    from benchmarl_ippo import SEATS, TableTask

    task = TableTask("TABLE", {"game": "skyjo", "players": players, "encoding": "onehot"})
    env = task.get_env_fun(1, False, 1, "cpu")()
    assert task.group_map(env) == {SEATS: [f"player_{seat}" for seat in range(players)]}
    mask, actions = task.action_mask_spec(env)[SEATS, "action_mask"], Rules(players=players).actions + 1
    assert mask.shape == (players, actions)
    assert task.action_spec(env)[SEATS, "action"].space.n == actions
    assert task.supports_discrete_actions()
    assert not task.supports_continuous_actions()


def test_the_learned_agent_shows_the_policy_its_table_and_may_not_wait() -> None:
    from benchmarl_ippo import SEATS, Learned

    rules, shown = Rules(players=3), []

    def policy(tables: TensorDict) -> TensorDict:
        group = tables[SEATS]
        shown.append(group["observation", "observation"])
        group["action"] = torch.where(group["action_mask"], 1, 0).argmax(-1)
        assert not group["action_mask"][..., -1].any()
        return tables

    batch = GameBatch(rules, n=5, seed=1)
    rng_states = np.zeros(5, np.uint64)
    seen = ObservationSpec(rules).onehot(batch.observations)
    actions = Learned(policy, rules.players).act(seen, batch.masks, rng_states)
    assert actions.tolist() == batch.masks.argmax(1).tolist()
    assert shown[0].shape[:2] == (5, 3)
