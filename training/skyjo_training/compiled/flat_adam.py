"""Adam for weights that lie in one array: torch's own spends more time between its steps than in them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from skyjo_training.compiled.layers import Floats, compiled

BETAS = 0.9, 0.999


@compiled
def adam(weights, gradient, means, squares, rate, scale, eps):
    """One step as torch takes it: `rate` and `scale` make up for means that began at 0."""
    keep, rate, scale, eps = np.float32(BETAS[1]), np.float32(rate), np.float32(scale), np.float32(eps)
    for k in range(np.uint64(len(weights))):
        means[k] += np.float32(1 - BETAS[0]) * (gradient[k] - means[k])
        squares[k] = keep * squares[k] + np.float32(1 - BETAS[1]) * gradient[k] * gradient[k]
        weights[k] -= rate * means[k] / (scale * np.sqrt(squares[k]) + eps)


class FlatAdam(torch.optim.Adam):
    """Torch's Adam for one array of weights."""

    def __init__(self, weights: torch.nn.Parameter, **options: Any) -> None:
        super().__init__([weights], betas=BETAS, **options)
        self.state[weights]["step"] = torch.zeros((), device=weights.device)
        for name in ("exp_avg", "exp_avg_sq"):
            self.state[weights][name] = torch.zeros_like(weights)

    def take(self, gradients: Sequence[Floats], max_norm: float) -> None:
        """Take a step by the sum of these gradients, shortened to `max_norm`."""
        (group,), gradient = self.param_groups, np.sum(gradients, axis=0)
        (weights,) = group["params"]
        gradient *= np.float32(min(1.0, max_norm / (float(np.dot(gradient, gradient)) ** 0.5 + 1e-6)))
        if weights.device.type != "cpu":
            weights.grad = torch.from_numpy(gradient).to(weights.device)
            self.step()
            return
        state = self.state[weights]
        state["step"] += 1
        one, two = (1 - beta ** int(state["step"]) for beta in BETAS)
        means, squares = state["exp_avg"].numpy(), state["exp_avg_sq"].numpy()
        adam(weights.detach().numpy(), gradient, means, squares, group["lr"] / one, two**-0.5, group["eps"])
