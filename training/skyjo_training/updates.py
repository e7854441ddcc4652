"""Gradient steps in self-play: the losses of PPO and of imitating a teacher, each computed share by share."""

from collections.abc import Callable
from functools import partial

import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples
from torch import Tensor

from skyjo_training.shares import Share
from skyjo_training.table_policy import TablePolicy

MOST_GRADIENT = 0.5
# From some decisions: the loss and the figures to log, both summed over the decisions
Loss = Callable[[TablePolicy, MaskableRolloutBufferSamples], tuple[Tensor, Tensor]]

PPO_FIGURES = ("policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction", "loss")
TEACHER_FIGURES = ("policy_loss", "value_loss", "entropy_loss")


def ppo_loss(
    policy: TablePolicy, part: MaskableRolloutBufferSamples, clip: float, entropy_weight: float, value_weight: float
) -> tuple[Tensor, Tensor]:
    """The loss of PPO, as in stable-baselines3, with the probability ratio clipped to 1 ± `clip`."""
    values, log_probs, entropy = policy.evaluate_actions(part.observations, part.actions, part.action_masks)
    change = log_probs - part.old_log_prob
    ratio = change.exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    lost = -torch.min(part.advantages * ratio, part.advantages * clipped).sum()
    value_loss, entropy_loss = (part.returns - values[:, 0]).square().sum(), -entropy.sum()
    loss = lost + entropy_weight * entropy_loss + value_weight * value_loss
    divergence, is_clipped = ((ratio - 1) - change).sum(), ((ratio - 1).abs() > clip).float().sum()
    return loss, torch.stack([lost, value_loss, entropy_loss, divergence, is_clipped, loss]).detach()


def teacher_loss(policy: TablePolicy, part: MaskableRolloutBufferSamples, value_weight: float) -> tuple[Tensor, Tensor]:
    """The loss of imitating a teacher: negative log-likelihood of its actions, and squared error of the values."""
    values, log_probs, entropy = policy.evaluate_actions(part.observations, part.actions, part.action_masks)
    policy_loss, value_loss = -log_probs.sum(), (part.returns - values[:, 0]).square().sum()
    return policy_loss + value_weight * value_loss, torch.stack([policy_loss, value_loss, -entropy.sum()]).detach()


def normalised(advantages: Tensor) -> Tensor:
    """The advantages with mean 0 and standard deviation 1."""
    return (advantages - advantages.mean()) / (advantages.std() + 1e-8)


def update(policy: TablePolicy, loss: Loss, batch: MaskableRolloutBufferSamples, share: Share) -> Tensor:
    """One gradient step on the mean loss over a batch; returns the figures to log."""
    size = len(batch.actions)
    found = share(partial(_gradients, policy, loss, batch), size)
    gradients, figures = zip(*found, strict=True)
    for weight, *parts in zip(policy.parameters(), *gradients, strict=True):
        weight.grad = None if parts[0] is None else sum(parts[1:], start=parts[0]) / size
    torch.nn.utils.clip_grad_norm_(policy.parameters(), MOST_GRADIENT)
    policy.optimizer.step()
    together: Tensor = sum(figures[1:], start=figures[0]) / size
    return together


def _gradients(
    policy: TablePolicy, loss: Loss, batch: MaskableRolloutBufferSamples, share: slice
) -> tuple[tuple[Tensor | None, ...], Tensor]:
    """The gradients of one share, None for weights that the loss does not depend on; and the figures to log."""
    whole, figures = loss(policy, MaskableRolloutBufferSamples(*(part[share] for part in batch)))
    return torch.autograd.grad(whole, list(policy.parameters()), allow_unused=True), figures
