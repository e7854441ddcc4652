"""Learn with TorchRL's PPO and masks, then measure on deals that are played from every seat.

Needs the extra "integrations"; docs/guides/other_libraries.md has the versions.
"""

from typing import Any

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import ActionMask, GymEnv, TransformedEnv, default_info_dict_reader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from skyjo.example_program import Learned, LearningOptions, network, run_learner, tell_progress

ROLLOUT, EPOCHS, BATCH = 4096, 4, 1024


def seat(options: LearningOptions) -> TransformedEnv:
    """Return one seat at a table; the mask comes from the info."""
    env = GymEnv(options.environment, categorical_action_encoding=True, **options.seat())
    mask = Binary(env.action_spec.n, dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], [mask]))
    return TransformedEnv(env, ActionMask())


class Masked(MaskedCategorical):  # type: ignore[misc]  # TorchRL has no types
    """TorchRL's distribution, with the mask as the environment gives it."""

    def __init__(self, logits: torch.Tensor, mask: torch.Tensor) -> None:
        super().__init__(logits=logits, mask=mask.bool())


def learn(options: LearningOptions) -> Learned:
    """Return the agent after so many decisions."""
    env = seat(options)
    env.set_seed(options.seed)
    (inputs,), actions = env.observation_spec["observation"].shape, env.action_spec.n
    rates = network(inputs, actions)
    logits = TensorDictModule(rates, in_keys=["observation"], out_keys=["logits"])
    keys = {"logits": "logits", "mask": "action_mask"}
    actor = ProbabilisticActor(logits, in_keys=keys, distribution_class=Masked, return_log_prob=True)
    critic = ValueOperator(network(inputs, 1), in_keys=["observation"])
    advantages = GAE(gamma=1.0, lmbda=0.8, value_network=critic)
    losses = ClipPPOLoss(
        actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True
    )
    optimizer = torch.optim.Adam(losses.parameters(), 1e-3)
    size = min(ROLLOUT, options.decisions)
    total = -(-options.decisions // size) * size
    collector, done = Collector(env, actor, frames_per_batch=size, total_frames=total), 0
    for played in collector:
        for _ in range(EPOCHS):
            with torch.no_grad():
                advantages(played)
            order: Any = torch.randperm(size)
            for some in order.split(BATCH):
                terms = losses(played[some])
                optimizer.zero_grad()
                (terms["loss_objective"] + terms["loss_critic"] + terms["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(losses.parameters(), 0.5)
                optimizer.step()
        done += size
        tell_progress(done, total)
    collector.shutdown()
    return Learned(rates)


if __name__ == "__main__":
    run_learner(LearningOptions, learn, __doc__)
