"""Learn in every seat at once with BenchMARL's IPPO and masks, then measure on deals that are played from every seat.

docs/integrations.md says how BenchMARL is installed.
"""

import argparse
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

from cardtable.card_game import Setup
from cardtable.envs.encoding import encoded
from cardtable.play.pairing import play_paired
from skyjo_env import Rules, SkyjoError, skyjo_v0
from skyjo_env.card_game import SKYJO

ROLLOUT, EPOCHS, BATCH = 4096, 4, 1024
SEATS = "player"  # TorchRL's name of the group that player_0, player_1 and so on form


class SkyjoTask(PettingZooClass):  # type: ignore[misc]  # BenchMARL has no types
    """A table as a task of BenchMARL; its config holds the options of `parallel_env`."""

    def get_env_fun(self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any) -> Any:
        """What makes a table."""
        del num_envs, continuous_actions

        def table() -> PettingZooWrapper:
            env = skyjo_v0.parallel_env(**self.config)
            return PettingZooWrapper(env, categorical_actions=True, seed=seed, device=device)

        return table

    def supports_discrete_actions(self) -> bool:
        """Actions are numbers."""
        return True

    def max_steps(self, env: Any) -> int:
        """More than a round has."""
        del env
        return 10_000

    def has_render(self, env: Any) -> bool:
        """Nothing is shown."""
        del env
        return False


class Learned:
    """The policy as an agent: the legal action that it rates best."""

    def __init__(self, policy: nn.Module, rules: Rules) -> None:
        self.policy, self.rules = policy, rules

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One action for every table. The policy answers for all seats of a table, so every seat is shown the same."""
        del chances
        shape = len(observations), self.rules.players
        seen = torch.from_numpy(encoded(SKYJO, self.rules, "onehot", observations))
        legal = nn.functional.pad(torch.from_numpy(masks).bool(), (0, 1))  # whoever is asked may not wait
        shown = {
            "observation": TensorDict({"observation": seen[:, None].expand(*shape, -1)}, shape),
            "action_mask": legal[:, None].expand(*shape, -1),
        }
        table = TensorDict({SEATS: TensorDict(shown, shape)}, shape[:1])
        with torch.no_grad(), set_exploration_type(ExplorationType.DETERMINISTIC):
            actions: NDArray[Any] = self.policy(table)[SEATS, "action"][:, 0].numpy()
        return actions


def learn(options: argparse.Namespace, folder: str) -> nn.Module:
    """The policy of all seats after so many decisions."""
    config = ExperimentConfig.get_from_yaml()
    config.loggers, config.create_json, config.evaluation, config.render = [], False, False, False
    config.save_folder, config.share_policy_params = folder, True
    config.gamma, config.lr = 1.0, 1e-3
    config.max_n_frames = options.decisions
    config.on_policy_collected_frames_per_batch = min(ROLLOUT, options.decisions)
    config.on_policy_n_envs_per_worker, config.on_policy_n_minibatch_iters = 1, EPOCHS
    config.on_policy_minibatch_size = min(BATCH, options.decisions)
    network = MlpConfig(num_cells=[64, 64], activation_class=nn.Tanh, layer_class=nn.Linear)
    table = {"players": options.players, "encoding": "onehot", "shaping": "expected_margin"}
    experiment = Experiment(
        task=SkyjoTask("SKYJO", table),
        algorithm_config=IppoConfig.get_from_yaml(),
        model_config=network,
        critic_model_config=network,
        seed=options.seed,
        config=config,
    )
    experiment.run()
    policy: nn.Module = experiment.policy
    return policy


def main() -> None:
    """Read the options, learn, and print how far ahead it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2, help="2 to 8, all of which learn (default 2)")
    parser.add_argument("--against", default="tempo", help="the agent that it is measured against (default tempo)")
    parser.add_argument("--decisions", type=int, default=100_000, help="decisions to learn from (default 100000)")
    parser.add_argument("--deals", type=int, default=400, help="deals to measure (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything (default 1)")
    options = parser.parse_args()
    if options.decisions < 1 or options.deals < 2:
        parser.error("--decisions must be at least 1, --deals at least 2")
    torch.set_num_threads(1)  # small networks are slower on several
    try:
        rules = Rules(players=options.players)
        others = [SKYJO.make_agent(options.against, rules)] * (options.players - 1)
        with TemporaryDirectory() as folder:
            policy = learn(options, folder)
    except SkyjoError as error:
        parser.error(str(error))
    seats: list[Any] = [Learned(policy, rules), *others]
    margins = play_paired(seats, Setup(rules, seed=options.seed + 10**6), range(options.deals)).margins[:, 0]
    half = 1.96 * margins.std(ddof=1) / options.deals**0.5
    print(f"against {options.against}: {margins.mean():+.1f} ± {half:.1f} points a round")


if __name__ == "__main__":
    main()
