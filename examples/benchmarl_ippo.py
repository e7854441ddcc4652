"""Learn in every seat at once with BenchMARL's IPPO and masks, then measure on deals that are played from every seat.

docs/guides/other_libraries.md says how BenchMARL is installed.
"""

from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Any

import torch
from benchmarl.algorithms import IppoConfig
from benchmarl.environments.pettingzoo.common import PettingZooClass
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig
from numpy.typing import NDArray
from tensordict import TensorDict
from torch import nn
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import ExplorationType, set_exploration_type

from skyjo.example_program import LearningOptions, run_learner

ROLLOUT, EPOCHS, BATCH = 4096, 4, 1024
SEATS = "player"  # TorchRL's name of the group that player_0, player_1 and so on form


class TableTask(PettingZooClass):  # type: ignore[misc]  # BenchMARL has no types
    """A table as a task of BenchMARL; its config holds the game, and the options of `parallel_env`."""

    def get_env_fun(self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any) -> Any:
        """Return a function that makes a table."""
        del num_envs, continuous_actions
        options = dict(self.config)
        game = options.pop("game")
        module = import_module(f"{game}_env.{game}_v0")

        def table() -> PettingZooWrapper:
            env = module.parallel_env(**options)
            return PettingZooWrapper(env, categorical_actions=True, seed=seed, device=device)

        return table

    def supports_discrete_actions(self) -> bool:
        """Return True: actions are numbers."""
        return True

    def max_steps(self, env: Any) -> int:
        """Return more than a round has."""
        del env
        return 10_000

    def has_render(self, env: Any) -> bool:
        """Return False: nothing is shown."""
        del env
        return False


class Learned:
    """The policy as an agent: the legal action that it rates best."""

    encoding = "onehot"

    def __init__(self, policy: Any, players: int) -> None:
        self.policy, self.players = policy, players

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[Any]:
        """Return one action for every table. The policy answers for all seats, so every seat is shown the same."""
        del rng_states
        shape = len(observations), self.players
        seen = torch.from_numpy(observations)
        legal = nn.functional.pad(torch.from_numpy(masks).bool(), (0, 1))  # whoever is asked may not wait
        inputs = {
            "observation": TensorDict({"observation": seen[:, None].expand(*shape, -1)}, shape),
            "action_mask": legal[:, None].expand(*shape, -1),
        }
        table = TensorDict({SEATS: TensorDict(inputs, shape)}, shape[:1])
        with torch.no_grad(), set_exploration_type(ExplorationType.DETERMINISTIC):
            actions: NDArray[Any] = self.policy(table)[SEATS, "action"][:, 0].numpy()
        return actions


def learn(options: LearningOptions) -> Learned:
    """Return the policy of all seats after so many decisions, as an agent."""
    config = ExperimentConfig.get_from_yaml()
    config.loggers, config.create_json, config.evaluation, config.render = [], False, False, False
    config.share_policy_params = True
    config.gamma, config.lr = 1.0, 1e-3
    config.max_n_frames = options.decisions
    config.on_policy_collected_frames_per_batch = min(ROLLOUT, options.decisions)
    config.on_policy_n_envs_per_worker, config.on_policy_n_minibatch_iters = 1, EPOCHS
    config.on_policy_minibatch_size = min(BATCH, options.decisions)
    network = MlpConfig(num_cells=[64, 64], activation_class=nn.Tanh, layer_class=nn.Linear)
    with TemporaryDirectory() as config.save_folder:
        experiment = Experiment(
            task=TableTask("TABLE", {"game": options.game, **options.table()}),
            algorithm_config=IppoConfig.get_from_yaml(),
            model_config=network,
            critic_model_config=network,
            seed=options.seed,
            config=config,
        )
        experiment.run()
    return Learned(experiment.policy, options.players)


if __name__ == "__main__":
    run_learner(LearningOptions, learn, __doc__)
